//go:build unix

package live

import "syscall"

// writesNow tells that writeNow and goneNow can do it.
const writesNow = true

// writeNow writes what the connection takes without waiting.
func writeNow(conn syscall.RawConn, out []byte) (n int, err error) {
	e := conn.Write(func(fd uintptr) bool {
		for {
			n, err = syscall.Write(int(fd), out)
			if err != syscall.EINTR {
				return true
			}
		}
	})
	if e != nil {
		return 0, e
	}
	if err == syscall.EAGAIN {
		return 0, nil
	}
	return max(n, 0), err
}

// goneNow tells whether the reader at the other end has gone, or says something, which no reader of a stream does.
func goneNow(conn syscall.RawConn) (gone bool) {
	e := conn.Control(func(fd uintptr) {
		var none [1]byte
		_, _, err := syscall.Recvfrom(int(fd), none[:], syscall.MSG_PEEK)
		gone = err != syscall.EAGAIN && err != syscall.EINTR
	})
	return gone || e != nil
}
