//go:build !linux

package cputime

import "time"

// Thread is not supported on this system.
func Thread() (d time.Duration, ok bool) { return 0, false }
