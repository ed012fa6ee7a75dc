package cputime

import (
	"syscall"
	"time"
	"unsafe"
)

// Thread returns the processor time that the calling thread has used so far, in nanoseconds; getrusage only counts
// clock ticks. ok is false if the system does not report it.
func Thread() (d time.Duration, ok bool) {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), errno == 0
}
