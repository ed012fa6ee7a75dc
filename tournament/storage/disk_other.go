//go:build !linux && !darwin

package storage

// DiskFree is not known here.
func DiskFree(string) (bytes uint64, known bool) { return 0, false }
