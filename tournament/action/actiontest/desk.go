// Package actiontest gives tests of the packages above package tournament their own Desk.
package actiontest

import (
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// Desk returns a Desk on a new test database, with its games.
func Desk(t testing.TB) *action.Desk {
	t.Helper()
	return over(t, storetest.New(t))
}

// ServedDesk is like Desk on a database that the test serves, as the server does, so that it has transparency logs.
func ServedDesk(t testing.TB) *action.Desk {
	t.Helper()
	db, err := store.OpenAlone(storetest.At(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return over(t, db)
}

func over(t testing.TB, db *store.DB) *action.Desk {
	log := game.OpenLog(db)
	t.Cleanup(log.Close)
	games := result.NewGames(db, log)
	t.Cleanup(games.Close)
	return action.NewDesk(db, games)
}
