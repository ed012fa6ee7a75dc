package game

import (
	"time"

	"golang.org/x/sys/unix"
)

// slept returns how long the machine has slept since it was booted: one of the system's clocks runs during sleep and
// the other does not.
func slept() time.Duration {
	var whole, awake unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &whole) != nil {
		return 0
	}
	return time.Duration(whole.Nano() - awake.Nano())
}
