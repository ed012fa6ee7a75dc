//go:build unix

package live

import (
	"sync"
	"syscall"
)

// writesNow reports that writeNow and goneNow work on this system.
const writesNow = true

// writing is one non-blocking write. The values are pooled, because a new closure for each message would produce
// garbage by the hundred thousand.
type writing struct {
	out []byte
	n   int
	err error
	do  func(fd uintptr) bool
}

var writings = sync.Pool{New: func() any {
	w := new(writing)
	w.do = w.write
	return w
}}

func (w *writing) write(fd uintptr) bool {
	for {
		w.n, w.err = syscall.Write(int(fd), w.out)
		if w.err != syscall.EINTR {
			return true
		}
	}
}

// writeNow writes what the connection accepts without blocking, and returns the number of bytes written.
func writeNow(conn syscall.RawConn, out []byte) (int, error) {
	w := writings.Get().(*writing)
	w.out = out
	e := conn.Write(w.do)
	n, err := w.n, w.err
	w.out, w.n, w.err = nil, 0, nil
	writings.Put(w)
	if e != nil {
		return 0, e
	}
	if err == syscall.EAGAIN {
		return 0, nil
	}
	return max(n, 0), err
}

// goneNow reports whether the reader at the other end is gone, or has sent something, which no reader of a stream does.
func goneNow(conn syscall.RawConn) (gone bool) {
	e := conn.Control(func(fd uintptr) {
		var none [1]byte
		_, _, err := syscall.Recvfrom(int(fd), none[:], syscall.MSG_PEEK)
		gone = err != syscall.EAGAIN && err != syscall.EINTR
	})
	return gone || e != nil
}
