package live

import (
	"errors"
	"net"
	"net/http"
	"syscall"
	"time"
)

// viewer is one viewer of a show. It holds little besides its connection, so that there may be many thousands.
type viewer struct {
	conn  net.Conn
	raw   syscall.RawConn
	first *sender // until it is admitted
	zip   *zipStream
	has   [kinds]uint32 // the last message of each kind, as the audience counts them
	from  uint64        // the first drawing that it must see
	last  string        // the state that it came with, until another is sent
	rest  []byte        // written bytes that it has not accepted yet
	cut   int64         // deadline for accepting them, in Unix ms
	over  int64         // when its stream ends, in Unix ms
	ends  []func()
}

// open writes the head and takes over the connection.
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

// put writes a message. What the reader does not accept at once is kept for later, and nothing else is written before
// it.
func (v *viewer) put(m Message, now time.Time) error {
	chunk, err := m.Wire.chunk(m, v.zip != nil)
	if err != nil {
		return err
	}
	if v.zip != nil {
		v.zip.check = v.zip.check.then(m.Wire.sum)
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

// goesOn continues an unfinished write. It returns false if the stream's lifetime is over, or the reader is gone or
// does not read.
func (v *viewer) goesOn(now time.Time) bool {
	if v.over <= now.UnixMilli() {
		return false
	}
	return v.rest == nil || v.flush() == nil && (v.rest == nil || now.UnixMilli() < v.cut)
}

// end closes the stream. If told is set, a reader still connected learns that nothing more follows.
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

// hears reports whether the viewer can be written to, with no message unfinished.
func (v *viewer) hears() bool { return v.raw != nil && v.first == nil && v.rest == nil }

// let releases the stream's resources.
func (v *viewer) let() {
	for _, end := range v.ends {
		end()
	}
}
