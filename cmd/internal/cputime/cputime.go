// Package cputime measures processor time, so that other load on the machine does not distort measurements.
package cputime

import (
	"runtime"
	"time"
)

// Of returns the processor time that f uses on its thread, or the wall-clock time where the system does not report it.
// Goroutines started by f are not counted.
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
