package main

import (
	"context"
	"fmt"
	"os"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/security"
	"meldhall/tournament/store"
)

// resetSecondCmd is the command meldhall reset-second. It helps an organizer whom no other organizer can help, and
// requires access to the machine.
type resetSecondCmd struct {
	Name string `arg:"" help:"The account's name."`
	DB   string `help:"The database: a file, or postgres://user:password@host/name. No server may be running on it." env:"MELDHALL_DB"`
}

// Run turns off two-step sign-in for the account.
func (c resetSecondCmd) Run() error {
	if c.DB == "" {
		c.DB = defaultDB()
	}
	if _, err := os.Stat(c.DB); err != nil && !store.IsServer(c.DB) {
		return fmt.Errorf("open the database: %w", err)
	}
	return atDesk(c.DB, func(d *action.Desk) error {
		account, err := resetSecond(context.Background(), d, c.Name)
		if err == nil {
			fmt.Printf("%s now signs in with the password only.\n", account.Name)
		}
		return err
	})
}

func resetSecond(ctx context.Context, d *action.Desk, name string) (account.Account, error) {
	id, err := account.AccountNamed(ctx, d.DB, name)
	if err != nil {
		return account.Account{}, err
	}
	acc, err := action.Do(ctx, d, atTheMachine, account.ResetSecond{Account: id})
	if err != nil {
		return acc, err
	}
	noted := security.Open(d.DB, nil)
	noted.Note(security.Entry{Kind: security.Rights, Name: atTheMachine.Name, What: "account.second_reset",
		About: acc.Name})
	noted.Close()
	return acc, nil
}
