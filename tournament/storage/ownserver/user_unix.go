//go:build unix

package ownserver

import (
	"os"
	"syscall"
)

// asServer lets a program run as the user whose folder this becomes, apart from the signals of this one.
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
