//go:build !linux

package game

import "time"

// slept is unknown on this system and returns 0. No turn runs while the machine sleeps, because the clock for turns
// stops.
func slept() time.Duration { return 0 }
