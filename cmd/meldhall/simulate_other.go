//go:build !linux

package main

import "time"

// processorOf is the time that f took, where the system does not tell a thread's processor time.
func processorOf(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}
