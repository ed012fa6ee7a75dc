package main

import (
	"runtime"
	"syscall"
	"time"
)

// processorOf is the processor time that f took; what else ran on the machine meanwhile does not count.
func processorOf(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := ownThread()
	f()
	return ownThread() - began
}

func ownThread() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_THREAD, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
