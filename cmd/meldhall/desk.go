package main

import (
	"errors"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// atTheMachine is who the records say has done what a command did.
var atTheMachine = rights.Staff(rights.RoleOrganizer, "the server's machine")

// atDesk opens a database that no server has, for something to be done at its desk, and closes it.
func atDesk(path string, do func(d *door.Desk) error) (err error) {
	store, err := storage.OpenAlone(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := game.OpenLog(store)
	defer log.Close()
	games := tournament.NewGames(store, log)
	defer games.Close()
	return do(door.NewDesk(store, games))
}
