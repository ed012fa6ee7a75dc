// Package doortest gives tests of the rooms above package tournament a desk of their own.
package doortest

import (
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/storage/storagetest"
)

// Desk is the desk over a new database of the test, with the games that it runs.
func Desk(t testing.TB) *door.Desk {
	t.Helper()
	db := storagetest.New(t)
	log := game.OpenLog(db)
	t.Cleanup(log.Close)
	games := tournament.NewGames(db, log)
	t.Cleanup(games.Close)
	return door.NewDesk(db, games)
}
