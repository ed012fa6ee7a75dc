//go:build !unix

package live

import "syscall"

// writesNow is false outside Unix: streams are then written by a goroutine per reader.
const writesNow = false

// writeNow is not called, because writesNow is false.
func writeNow(syscall.RawConn, []byte) (int, error) { return 0, nil }

func goneNow(syscall.RawConn) bool { return false }
