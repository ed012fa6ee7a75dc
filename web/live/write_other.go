//go:build !unix

package live

import "syscall"

// writesNow tells that writeNow and goneNow cannot do it.
const writesNow = false

// writeNow writes nothing where it is not known how to write without waiting.
func writeNow(syscall.RawConn, []byte) (int, error) { return 0, nil }

func goneNow(syscall.RawConn) bool { return false }
