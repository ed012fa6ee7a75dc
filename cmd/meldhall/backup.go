package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"meldhall/tournament/store"
)

// defaultDB returns the default path of the database: in data/ of a checkout, otherwise in the current folder.
func defaultDB() string {
	if _, err := os.Stat(filepath.Join("data", "rules")); err == nil {
		return filepath.Join("data", "meldhall.db")
	}
	return "meldhall.db"
}

// openExisting opens an existing database; an empty path stands for the default one. Tools that only read must not
// create a database.
func openExisting(path string) (*store.DB, error) {
	if path == "" {
		path = defaultDB()
	}
	return store.OpenExisting(path)
}

// backupCmd is the command meldhall backup.
type backupCmd struct {
	To string `arg:"" help:"The file to write. It must not exist."`
	DB string `help:"The database: a file, or postgres://user:password@host/name." env:"MELDHALL_DB"`
}

// Run copies the database, also while a server runs, and checks the copy.
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
