package live

import (
	"errors"
	"net"
	"net/http"
	"syscall"
	"time"
)

// viewer is one of those who look at a show. It holds its connection and little else, so that there may be many thousands of them.
type viewer struct {
	conn  net.Conn
	raw   syscall.RawConn
	first *sender // until it is let in
	zip   *zipStream
	has   [kinds]uint32 // what it was told, as the audience numbers it
	from  uint64        // the first drawing that it is to see
	last  string        // the state that it came with, until another is sent
	rest  []byte        // of what was written, what it has not taken yet
	cut   int64         // until when it must have, ms
	over  int64         // when its stream ends, ms
	ends  []func()
}

// open writes the head and takes the connection over.
func (v *viewer) open(w http.ResponseWriter, r *http.Request, zip bool) error {
	out, conn, err := begin(w, r, Feed{Zip: zip, Outlives: true})
	if err != nil {
		return err
	}
	if conn == nil {
		return errors.ErrUnsupported
	}
	v.conn, v.first = conn, out
	if v.raw = out.way.(*pushed).raw; v.raw == nil {
		return errors.ErrUnsupported
	}
	return nil
}

// settle ends what came first: from now on nothing is waited for.
func (v *viewer) settle() { v.zip, v.first = v.first.zip, nil }

// put writes a message. What is not taken at once is kept for later, and nothing else is written before it.
func (v *viewer) put(m Message, now time.Time) error {
	chunk, err := m.Wire.chunk(m, v.zip != nil)
	if err != nil {
		return err
	}
	if v.zip != nil {
		v.zip.count(m.Wire)
	}
	v.cut = now.Add(writeWithin).UnixMilli()
	v.rest = chunk
	return v.flush()
}

func (v *viewer) flush() error {
	n, err := writeNow(v.raw, v.rest)
	if v.rest = v.rest[n:]; len(v.rest) == 0 {
		v.rest = nil
	}
	return err
}

// goesOn writes on what was not taken. It is false when the stream's time is over, or its reader is gone or takes nothing.
func (v *viewer) goesOn(now time.Time) bool {
	if v.over <= now.UnixMilli() {
		return false
	}
	return v.rest == nil || v.flush() == nil && (v.rest == nil || now.UnixMilli() < v.cut)
}

// end closes the stream; a reader who is still there is told that nothing more comes.
func (v *viewer) end(told bool) {
	if told && v.hears() {
		out := []byte("0\r\n\r\n")
		if v.zip != nil {
			out = append(chunked(v.zip.end(nil)), out...)
		}
		_, _ = writeNow(v.raw, out)
	}
	if v.conn != nil {
		_ = v.conn.Close()
	}
	v.let()
}

// hears tells whether something can be written to it that is not in the middle of anything else.
func (v *viewer) hears() bool { return v.raw != nil && v.first == nil && v.rest == nil }

// let lets go what the stream had taken.
func (v *viewer) let() {
	for _, end := range v.ends {
		end()
	}
}
