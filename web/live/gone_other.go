//go:build !linux

package live

import "syscall"

// tellGone is not implemented on this system: a goroutine waits for each reader instead.
func tellGone(syscall.RawConn, func()) (forget func(), ok bool) { return nil, false }
