package ownserver

import (
	"errors"
	"syscall"
)

func asServer(string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("starting PostgreSQL is only supported on Unix")
}
