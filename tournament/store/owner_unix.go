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

// sameOwner gives files the owner of another one, so that a command run by root leaves them to the server's user. For
// other users the files already have the right owner.
func sameOwner(as os.FileInfo, paths ...string) {
	if of, ok := as.Sys().(*syscall.Stat_t); ok {
		for _, path := range paths {
			_ = os.Chown(path, int(of.Uid), int(of.Gid))
		}
	}
}
