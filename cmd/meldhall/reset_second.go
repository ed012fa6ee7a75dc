package main

import (
	"context"
	"fmt"
	"os"

	"meldhall/tournament/door"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
)

// resetSecondCmd is meldhall reset-second: for the organizer whom no other can help, by whoever has the machine.
type resetSecondCmd struct {
	Name string `arg:"" help:"The account's name."`
	DB   string `help:"The database: a file, or postgres://user:password@host/name. No server may be running on it." env:"MELDHALL_DB"`
}

// Run lets the account sign in with the password alone.
func (c resetSecondCmd) Run() error {
	if c.DB == "" {
		c.DB = defaultDB()
	}
	if _, err := os.Stat(c.DB); err != nil && !storage.IsServer(c.DB) {
		return fmt.Errorf("open the database: %w", err)
	}
	return atDesk(c.DB, func(d *door.Desk) error {
		account, err := resetSecond(context.Background(), d, c.Name)
		if err == nil {
			fmt.Printf("%s now signs in with the password alone.\n", account.Name)
		}
		return err
	})
}

func resetSecond(ctx context.Context, d *door.Desk, name string) (staff.Account, error) {
	id, err := staff.AccountNamed(ctx, d.DB, name)
	if err != nil {
		return staff.Account{}, err
	}
	account, err := door.Do(ctx, d, atTheMachine, staff.ResetSecond{Account: id})
	if err != nil {
		return account, err
	}
	noted := security.Open(d.DB, nil)
	noted.Note(security.Entry{Kind: security.Rights, Name: atTheMachine.Name, What: "account.second_reset", About: account.Name})
	noted.Close()
	return account, nil
}
