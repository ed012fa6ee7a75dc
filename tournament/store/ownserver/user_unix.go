//go:build unix

package ownserver

import (
	"os"
	"syscall"
)

// asServer returns the attributes for running a program as the server's user, apart from this process's signals. It
// makes that user the owner of the folder.
func asServer(folder string) (*syscall.SysProcAttr, error) {
	uid, gid, err := unprivileged()
	if err != nil {
		return nil, err
	}
	as := &syscall.SysProcAttr{Setpgid: true}
	if uid == os.Getuid() {
		return as, nil
	}
	as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return as, os.Chown(folder, uid, gid)
}
