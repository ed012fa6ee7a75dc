package ownserver

import (
	"errors"
	"syscall"
)

func asServer(string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("PostgreSQL is started on Unix alone")
}
