package main

import (
	"errors"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// atTheMachine is the actor recorded for actions that a command of this program performs.
var atTheMachine = rights.Staff(rights.RoleOrganizer, "the server's machine")

// atDesk opens a database that no server uses, calls do with a desk for it, and closes it.
func atDesk(path string, do func(d *action.Desk) error) (err error) {
	db, err := store.OpenAlone(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	log := game.OpenLog(db)
	defer log.Close()
	games := result.NewGames(db, log)
	defer games.Close()
	return do(action.NewDesk(db, games))
}
