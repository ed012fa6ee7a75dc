//go:build unix

package store

import (
	"os"
	"syscall"
)

// lock locks a whole file for this process. The lock ends with the process.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch err {
	case syscall.EWOULDBLOCK:
		return errLocked
	case syscall.ENOTSUP, syscall.ENOLCK, syscall.EINVAL, syscall.ENOSYS:
		return errNoLocks
	}
	return err
}

// unlock releases the lock of the file, even if a forked process shares it.
func unlock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
}
