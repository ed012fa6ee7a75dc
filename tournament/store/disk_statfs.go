//go:build linux || darwin

package store

import "syscall"

// DiskFree returns how many bytes are free on the disk of a folder; known is false if that cannot be read.
func DiskFree(folder string) (bytes uint64, known bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true
}
