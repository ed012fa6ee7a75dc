// Package cputime tells how long a processor has worked, for measurements: what else runs on the machine does not count.
package cputime

import (
	"runtime"
	"time"
)

// Of is the processor time that f takes on its thread, or the time on the wall where the system does not tell. What f starts
// in other goroutines does not count.
func Of(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	wall := time.Now()
	began, known := Thread()
	f()
	if !known {
		return time.Since(wall)
	}
	ended, _ := Thread()
	return ended - began
}
