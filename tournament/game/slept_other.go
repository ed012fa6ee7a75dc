//go:build !linux

package game

import "time"

// slept returns 0, because the time slept is unknown on this system. No turn runs while the machine sleeps, because the
// clock for turns stops.
func slept() time.Duration { return 0 }
