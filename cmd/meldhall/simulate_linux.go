package main

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// processorOf is the processor time that f took; what else ran on the machine meanwhile does not count.
func processorOf(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := ownThread()
	f()
	return ownThread() - began
}

// ownThread is the thread's processor time to the nanosecond; getrusage counts it in ticks of the clock.
func ownThread() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, failed := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); failed != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
