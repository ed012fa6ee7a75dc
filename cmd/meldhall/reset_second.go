package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
)

// resetSecondCmd is meldhall reset-second: for the organizer whom no other can help, by whoever has the machine.
type resetSecondCmd struct {
	Name string `arg:"" help:"The account's name."`
	DB   string `help:"The database: a file, or postgres://user:password@host/name. No server may be running on it." env:"MELDHALL_DB"`
}

// atTheMachine is who the records say has done it.
var atTheMachine = rights.Staff(rights.RoleOrganizer, "the server's machine")

// Run lets the account sign in with the password alone.
func (c resetSecondCmd) Run() (err error) {
	if c.DB == "" {
		c.DB = defaultDB()
	}
	if _, err := os.Stat(c.DB); err != nil && !storage.IsServer(c.DB) {
		return fmt.Errorf("open the database: %w", err)
	}
	store, err := storage.OpenAlone(c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	account, err := resetSecond(context.Background(), store, c.Name)
	if err == nil {
		fmt.Printf("%s now signs in with the password alone.\n", account.Name)
	}
	return err
}

func resetSecond(ctx context.Context, store *storage.DB, name string) (staff.Account, error) {
	id, err := staff.AccountNamed(ctx, store, name)
	if err != nil {
		return staff.Account{}, err
	}
	log := game.OpenLog(store)
	defer log.Close()
	games := tournament.NewGames(store, log)
	defer games.Close()
	account, err := door.Do(ctx, door.NewDesk(store, games), atTheMachine, staff.ResetSecond{Account: id})
	if err != nil {
		return account, err
	}
	noted := security.Open(store, nil)
	noted.Note(security.Entry{Kind: security.Rights, Name: atTheMachine.Name, What: "account.second_reset", About: account.Name})
	noted.Close()
	return account, nil
}
