package practice

import (
	"errors"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/game/cluster"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestShareAmongNodes checks that a reader gets at most their share of the last practice tables, whichever nodes open
// them, and that finished tables do not count.
func TestShareAmongNodes(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	var desks []*action.Desk
	for range 2 {
		s, err := store.OpenNode(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		log := game.OpenLog(s)
		t.Cleanup(log.Close)
		games := result.NewGames(s, log)
		t.Cleanup(games.Close)
		cluster.New(games)
		desks = append(desks, action.NewDesk(s, games))
	}
	events := storetest.Hall(t, desks[0].DB, 1, 1)
	if err := desks[0].Games.StartWaiting(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	rules := gametest.Look(t, desks[0].Games, events[0]).State.Rules
	open := func(at int, reader string) (Place, error) {
		return action.Do(t.Context(), desks[at%2], rights.Public(),
			OpenTable{Strength: "club", Rules: rules, Name: "Practice", Person: "You",
				Bots: []string{"Ada", "Emmy", "Kurt"}, Reader: reader})
	}
	var first Place
	for i := range Most - Last {
		reader := "one"
		if i >= Each {
			reader = "another"
		}
		at, err := open(i, reader)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = at
		}
	}
	for at := range desks {
		if _, err := open(at, "one"); !errors.Is(err, refuse.ErrTooMany) {
			t.Errorf("one more of the last at node %d: %v", at, err)
		}
		if _, err := open(at, "a third one"); err != nil {
			t.Errorf("the first of a third reader at node %d: %v", at, err)
		}
		if _, err := open(at, ""); err != nil {
			t.Errorf("of one whose address is not known, at node %d: %v", at, err)
		}
	}
	if _, err := desks[1].DB.WriteSQL.Exec(`UPDATE tournaments SET status = $1 WHERE id = $2`,
		tournament.StatusFinished,
		first.Me.Tournament); err != nil {
		t.Fatal(err)
	}
	if _, err := open(1, "one"); err != nil {
		t.Errorf("after one of its tables is over: %v", err)
	}
}
