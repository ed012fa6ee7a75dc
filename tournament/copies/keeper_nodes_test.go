package copies

import (
	"errors"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/storage"
	"meldhall/tournament/storage/storagetest"
)

// A node that does not make the copies any more tells no fault of them: whoever makes them does.
func TestKeeperAtANodeThatRests(t *testing.T) {
	s, err := storage.OpenNode(storagetest.Server(t, storagetest.Fresh))
	if err != nil {
		t.Fatal(err)
	}
	log := game.OpenLog(s)
	games := tournament.NewGames(s, log)
	t.Cleanup(func() {
		games.Close()
		log.Close()
		_ = s.Close()
	})
	k := NewKeeper(door.NewDesk(s, games))
	told := 0
	k.Moved = func() { told++ }
	k.fault, k.looked = errors.New("the stick was pulled"), true
	if err := k.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if k.fault != nil || k.looked || told != 1 {
		t.Errorf("it goes on telling %v; it takes it to have looked: %t; told %d times", k.fault, k.looked, told)
	}
}
