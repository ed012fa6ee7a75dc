//go:build !linux && !darwin

package store

// DiskFree returns false, because the free space is not known on this system.
func DiskFree(string) (bytes uint64, known bool) { return 0, false }
