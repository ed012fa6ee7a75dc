//go:build unix

package main

import (
	"syscall"
	"time"
)

// ownProcessor is this process's time on the processor so far.
func ownProcessor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
