//go:build linux || darwin

package venue

import "syscall"

// diskFree is how many bytes may yet be written to the disk of a folder.
func diskFree(folder string) (bytes uint64, known bool) {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(folder, &fs); err != nil {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true
}
