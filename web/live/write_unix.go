//go:build unix

package live

import "syscall"

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
