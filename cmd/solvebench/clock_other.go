//go:build !linux

package main

import "time"

// threadTime is not known on this system.
func threadTime() (d time.Duration, ok bool) { return 0, false }
