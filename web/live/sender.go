package live

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	writeWithin = 5 * time.Second
	retryLeast  = 1500 // ms until a reader reconnects, plus a random part, so that the readers
	retrySpread = 1000 // of a hall that lost the server do not all reconnect at one moment
)

// sender writes messages and cuts off a reader that does not read.
type sender struct {
	way way
	zip *zipStream // nil: uncompressed
}

// way is the destination of a stream's bytes. The message begins at out[room:]; the bytes before it are for the way's
// own header.
type way interface {
	write(out []byte, room int) error
	close(told bool)
}

// begin writes the head of the response. If the connection can be taken over from the server, conn is that connection,
// and the rest of the response is written there in chunks. Encrypted and shared connections cannot be taken over.
func begin(w http.ResponseWriter, r *http.Request, feed Feed) (out *sender, conn net.Conn, err error) {
	out, rc, h := &sender{}, http.NewResponseController(w), w.Header()
	h.Set("Content-Type", StreamKind)
	h.Set("X-Accel-Buffering", "no")
	if feed.Zip {
		out.zip = new(zipStream)
		h.Set("Content-Encoding", "gzip")
		h.Add("Vary", "Accept-Encoding")
	}
	own := feed.Outlives && ownConnection(r)
	if own {
		h.Set("Connection", "close")
	}
	// the server's deadlines are for ordinary requests, not for streams
	if err := rc.SetReadDeadline(time.Time{}); err != nil {
		return nil, nil, err
	}
	w.WriteHeader(http.StatusOK)
	if own {
		err = rc.SetWriteDeadline(time.Now().Add(writeWithin))
		if err == nil {
			err = rc.Flush()
		}
		if err == nil {
			conn, _, err = rc.Hijack()
		}
		if err != nil {
			return nil, nil, err
		}
		p := &pushed{conn: conn}
		if c, ok := conn.(syscall.Conn); ok {
			p.raw, _ = c.SyscallConn()
		}
		out.way = p
	} else {
		out.way = answered{w, rc}
	}
	return out, conn, nil
}

// ownConnection reports whether a request's connection can be taken over.
func ownConnection(r *http.Request) bool {
	return r.TLS == nil && r.ProtoMajor == 1 && r.ProtoAtLeast(1, 1)
}

// hello sends the delay before a reconnect. It is written at once, so that a reader that already has the newest state
// learns that it is connected.
func (o *sender) hello() error {
	return o.write(fmt.Appendf(nil, "retry: %d\n\n", retryLeast+rand.IntN(retrySpread)), pack)
}

// buffers are for messages being written: between two messages a stream holds none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// roomBefore is enough room for the longest chunk header.
const roomBefore = 18

var noRoom [roomBefore]byte

func (o *sender) send(m Message) error {
	if m.Wire != nil {
		return o.write(m.Wire.plain(m), m.Wire.packed)
	}
	if o.zip != nil {
		return o.write(m.append(nil), pack)
	}
	buf := buffers.Get().(*[]byte)
	*buf = m.append(append((*buf)[:0], noRoom[:]...))
	return o.leave(buf)
}

// leave writes a message and recycles its buffer. After an error it does not, because a write of HTTP/2 may still be
// using the buffer.
func (o *sender) leave(buf *[]byte) error {
	err := o.way.write(*buf, roomBefore)
	if err == nil {
		buffers.Put(buf)
	}
	return err
}

func (o *sender) write(data []byte, pack func([]byte) ([]byte, error)) error {
	buf := buffers.Get().(*[]byte)
	*buf = append((*buf)[:0], noRoom[:]...)
	if o.zip == nil {
		*buf = append(*buf, data...)
	} else {
		packed, err := pack(data)
		if err != nil {
			return err
		}
		*buf = o.zip.append(*buf, data, packed)
	}
	return o.leave(buf)
}

// end closes the way. If told is set, a reader still connected learns that nothing more follows.
func (o *sender) end(told bool) {
	if told && o.zip != nil {
		_ = o.way.write(o.zip.end(noRoom[:]), roomBefore)
	}
	o.way.close(told)
}

// append appends the message in the format of server-sent events.
func (m Message) append(out []byte) []byte {
	if m.ID != "" {
		out = append(out, "id: "...)
		if m.epoch != "" {
			out = append(append(out, m.epoch...), '.')
		}
		out = append(append(out, m.ID...), '\n')
	}
	if m.Event != "" {
		out = append(append(append(out, "event: "...), m.Event...), '\n')
	}
	for line := range bytes.SplitSeq(m.Data, []byte{'\n'}) {
		out = append(append(append(out, "data: "...), line...), '\n')
	}
	return append(out, '\n')
}

// answered writes to the response of the request, from the request's own goroutine.
type answered struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func (a answered) write(out []byte, room int) error {
	if err := a.rc.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	if _, err := a.w.Write(out[room:]); err != nil {
		return err
	}
	if err := a.rc.Flush(); err != nil {
		return err
	}
	return a.rc.SetWriteDeadline(time.Time{}) // HTTP/2 would end even an idle stream at its deadline
}

func (a answered) close(bool) {}

// pushed is a hijacked connection. The goroutine that draws a message also writes it. It waits only for what the reader
// does not accept at once, and another pusher takes its place meanwhile.
type pushed struct {
	conn net.Conn
	raw  syscall.RawConn // nil: non-blocking writes are not possible
	by   *pusher         // the pusher working on the stream
	lost bool            // no further write is possible
}

func (p *pushed) write(out []byte, room int) error {
	length := strconv.AppendInt(make([]byte, 0, roomBefore), int64(len(out)-room), 16)
	room -= len(length) + 2
	copy(out[room:], length)
	copy(out[room+len(length):], "\r\n")
	return p.put(append(out, "\r\n"...)[room:])
}

// put writes out. It blocks only if the reader does not accept everything at once.
func (p *pushed) put(out []byte) error {
	if p.lost {
		return net.ErrClosed
	}
	n, err := 0, error(nil)
	if p.raw != nil {
		n, err = writeNow(p.raw, out)
	}
	if err == nil && n < len(out) {
		err = p.wait(out[n:])
	}
	p.lost = err != nil
	return err
}

// wait writes what the reader did not accept at once, while another pusher takes over.
func (p *pushed) wait(out []byte) error {
	if p.by != nil {
		p.by.stepAside()
	}
	if err := p.conn.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	if _, err := p.conn.Write(out); err != nil {
		return err
	}
	return p.conn.SetWriteDeadline(time.Time{})
}

func (p *pushed) close(told bool) {
	if told {
		_ = p.put([]byte("0\r\n\r\n"))
	}
	_ = p.conn.Close()
}
