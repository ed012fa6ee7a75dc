package main

import (
	"syscall"
	"time"
	"unsafe"
)

// threadTime is how long the processor has worked for this thread. On a machine that is busy with other things it
// tells more than the clock on the wall.
func threadTime() (d time.Duration, ok bool) {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), errno == 0
}
