package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"meldhall/tournament/storage"
)

// defaultDB is where the database is by default: in data/ of a checkout, else in the folder
// that the program was started in.
func defaultDB() string {
	if _, err := os.Stat(filepath.Join("data", "rules")); err == nil {
		return filepath.Join("data", "meldhall.db")
	}
	return "meldhall.db"
}

// openExisting opens a database that is there; tools that only read must not make a new one.
func openExisting(path string) (*storage.DB, error) {
	if path == "" {
		path = defaultDB()
	}
	return storage.OpenExisting(path)
}

// backupCmd is meldhall backup.
type backupCmd struct {
	To string `arg:"" help:"The file to write. It must not exist."`
	DB string `help:"The database: a file, or postgres://user:password@host/name." env:"MELDHALL_DB"`
}

// Run copies the database while the server may be running, and checks the copy.
func (c backupCmd) Run() error {
	store, err := openExisting(c.DB)
	if err != nil {
		return err
	}
	if err := errors.Join(store.Backup(context.Background(), c.To), store.Close()); err != nil {
		return err
	}
	info, err := os.Stat(c.To)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, integrity ok\n", c.To, info.Size())
	return nil
}
