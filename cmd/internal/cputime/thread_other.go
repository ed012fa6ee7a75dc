//go:build !linux

package cputime

import "time"

// Thread returns false, because this system does not report the processor time of a thread.
func Thread() (d time.Duration, ok bool) { return 0, false }
