package storagetest

import (
	"errors"
	"syscall"
)

func asServer(string) (*syscall.SysProcAttr, error) {
	return nil, errors.New("the tests start PostgreSQL on Unix alone")
}
