//go:build !unix

package live

import "syscall"

// writesNow reports that writeNow and goneNow are not implemented on this system.
const writesNow = false

// writeNow writes nothing: non-blocking writes are not implemented on this system.
func writeNow(syscall.RawConn, []byte) (int, error) { return 0, nil }

func goneNow(syscall.RawConn) bool { return false }
