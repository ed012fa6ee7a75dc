package store

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock locks a file for this process. The lock ends with the process. It covers a byte far beyond the text, because
// Windows lets no other process read locked bytes.
func lock(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, behind())
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return errLocked
	}
	return err
}

// unlock releases the lock of the file.
func unlock(f *os.File) error {
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, behind())
}

// behind returns the position of the locked byte.
func behind() *windows.Overlapped { return &windows.Overlapped{Offset: 1 << 30} }

// sameOwner does nothing: on Windows, files inherit the rights of their folder.
func sameOwner(os.FileInfo, ...string) {}
