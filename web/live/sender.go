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
	retryLeast  = 1500 // ms until a reader whose stream has ended comes back, and up to so many more: a hall that lost the server
	retrySpread = 1000 // at one moment is not to come back at one moment
)

// sender writes messages, so that a reader which takes nothing is cut off.
type sender struct {
	way way
	zip *zipStream // nil: as it is
}

// way is where a stream's bytes go. They are written in out behind room, which is for what the way puts before them.
type way interface {
	write(out []byte, room int) error
	close(told bool)
}

// begin writes the head. Where the connection can be taken over from the server, conn is it: the rest of the answer is written there,
// in the chunks that the head has announced. One that is encrypted, or shared by more than this stream, cannot.
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
	if err := rc.SetReadDeadline(time.Time{}); err != nil { // the server's deadlines are for ordinary requests; this one lives on
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

// ownConnection tells whether a request's connection can be taken over.
func ownConnection(r *http.Request) bool {
	return r.TLS == nil && r.ProtoMajor == 1 && r.ProtoAtLeast(1, 1)
}

// hello says how soon to come back. It is written at once: a reader that has the newest state is to know that it is connected.
func (o *sender) hello() error {
	return o.write(fmt.Appendf(nil, "retry: %d\n\n", retryLeast+rand.IntN(retrySpread)), pack)
}

// buffers are for messages on their way: between two of them a stream holds none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// roomBefore is what the longest chunk's length takes.
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

// leave writes a message, whose room is the next one's then; not after an error, when a write of HTTP/2 may still be under way.
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

// end closes the way; a reader that is still there is told that nothing more comes.
func (o *sender) end(told bool) {
	if told && o.zip != nil {
		_ = o.way.write(o.zip.end(noRoom[:]), roomBefore)
	}
	o.way.close(told)
}

// append gives a message the form of server-sent events.
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

// answered is the answer to the request, written by the request's own goroutine.
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
	return a.rc.SetWriteDeadline(time.Time{}) // HTTP/2 ends a stream whose deadline comes, also one that has nothing to say
}

func (a answered) close(bool) {}

// pushed is a connection of the stream's own. Whoever draws a message writes it there; only what the reader does not take at once is
// waited for, in the place of that goroutine.
type pushed struct {
	conn net.Conn
	raw  syscall.RawConn // nil: none that can be written to without waiting
	by   *pusher         // who works on the stream
	lost bool            // nothing can be written any more
}

func (p *pushed) write(out []byte, room int) error {
	length := strconv.AppendInt(make([]byte, 0, roomBefore), int64(len(out)-room), 16)
	room -= len(length) + 2
	copy(out[room:], length)
	copy(out[room+len(length):], "\r\n")
	return p.put(append(out, "\r\n"...)[room:])
}

// put is quick unless the reader takes nothing.
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

// wait writes what the reader did not take at once, while another pusher goes on in the place of this one.
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
