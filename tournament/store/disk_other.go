//go:build !linux && !darwin

package store

// DiskFree is unknown on this system.
func DiskFree(string) (bytes uint64, known bool) { return 0, false }
