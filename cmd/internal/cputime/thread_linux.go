package cputime

import (
	"syscall"
	"time"
	"unsafe"
)

// Thread is the processor time of the calling thread so far, to the nanosecond; getrusage counts it in ticks of the clock.
// It is not ok where the system does not tell.
func Thread() (d time.Duration, ok bool) {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0)
	return time.Duration(t.Nano()), errno == 0
}
