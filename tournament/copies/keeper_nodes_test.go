package copies

import (
	"errors"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/result"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestKeeperAtANodeThatRests checks that a node that no longer makes the copies reports no fault: the node that makes
// them does.
func TestKeeperAtANodeThatRests(t *testing.T) {
	s, err := store.OpenNode(storetest.Server(t, storetest.Fresh))
	if err != nil {
		t.Fatal(err)
	}
	log := game.OpenLog(s)
	games := result.NewGames(s, log)
	cluster.New(games)
	t.Cleanup(func() {
		games.Close()
		log.Close()
		_ = s.Close()
	})
	k := NewKeeper(action.NewDesk(s, games))
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
