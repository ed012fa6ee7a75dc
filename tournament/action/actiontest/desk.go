// Package actiontest gives tests of the packages above package tournament their own Desk.
package actiontest

import (
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/store/storetest"
)

// Desk returns a Desk on a new test database, with its games.
func Desk(t testing.TB) *action.Desk {
	t.Helper()
	db := storetest.New(t)
	log := game.OpenLog(db)
	t.Cleanup(log.Close)
	games := result.NewGames(db, log)
	t.Cleanup(games.Close)
	return action.NewDesk(db, games)
}
