//go:build linux || darwin

package copies

import (
	"os"
	"syscall"
)

// sameDisk reports whether two folders are on the same disk; a missing folder is on none.
func sameDisk(a, b string) bool {
	device := func(folder string) (uint64, bool) {
		info, err := os.Stat(folder)
		if err != nil {
			return 0, false
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return 0, false
		}
		return uint64(stat.Dev), true
	}
	of, ok := device(a)
	other, also := device(b)
	return ok && also && of == other
}
