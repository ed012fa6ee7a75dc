//go:build !linux

package game

import "time"

// slept is not known here. No turn runs while the machine sleeps: the clock that they run by does not.
func slept() time.Duration { return 0 }
