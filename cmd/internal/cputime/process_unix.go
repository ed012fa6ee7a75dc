//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Process returns the processor time that this process has used so far, or 0 on error.
func Process() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
