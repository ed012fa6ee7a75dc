package game

import (
	"context"
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/storage/storagetest"
)

// Games of an event that was removed, of an organization that is being deleted, and of a round that nobody has started wait on, and keep the
// others from nothing; of those at a table only the first begins.
func TestGamesThatMustNotStartWaitOn(t *testing.T) {
	s := newStore(t)
	if err := s.Write.Exec(`INSERT INTO organizations (slug, name, created_at, deleting) VALUES ('o', 'O', 1, 1)`).Error; err != nil {
		t.Fatal(err)
	}
	const newest = ` = (SELECT max(id) FROM tournaments)`
	for _, waits := range []string{
		`UPDATE tournaments SET removed_at = 5 WHERE id` + newest,
		`UPDATE tournaments SET organization_id = (SELECT id FROM organizations) WHERE id` + newest,
		`UPDATE rounds SET started_at = 0 WHERE tournament_id` + newest,
	} {
		storagetest.Hall(t, s, 1, 2)
		if err := s.Write.Exec(waits).Error; err != nil {
			t.Fatal(err)
		}
	}
	games := storagetest.Hall(t, s, 2, 2)
	g := runner(t, s)
	begin(t, g)
	running, err := s.IDs(t.Context(), `SELECT id FROM games WHERE status = 'running' ORDER BY id`)
	if err != nil || !slices.Equal(running, []int64{games[0], games[2]}) {
		t.Errorf("games %v have begun, %v, want %v", running, err, []int64{games[0], games[2]})
	}
	if phase := look(t, g, games[1]).State.Phase; phase != engine.PhaseNew {
		t.Errorf("the second game at a table is %s", phase)
	}
}

// Who waits for a game may call the referee: the call is still open when the game could not start, and in the game that starts, with the tiles
// that are set for its table.
func TestACallBeforeAGameStaysOpen(t *testing.T) {
	s := newStore(t)
	games := storagetest.Hall(t, s, 1, 1)
	if err := s.Write.Exec(`UPDATE tables SET tiles = 'real'`).Error; err != nil {
		t.Fatal(err)
	}
	before := runner(t, s)
	if _, err := before.Submit(t.Context(), seatActor(look(t, before, games[0]), 0), games[0], "", engine.CallReferee{Seat: 0}); err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{`'!' || rules`, `substr(rules, 2)`} {
		if err := s.Write.Exec(`UPDATE tournaments SET rules = ` + change).Error; err != nil {
			t.Fatal(err)
		}
		g, starts := runner(t, s), change != `'!' || rules`
		if err := g.StartWaiting(t.Context(), 0); (err == nil) != starts {
			t.Errorf("rules are %s: %v", change, err)
		}
		if state := look(t, g, games[0]).State; !state.Calls[0].Open() || state.Physical != starts {
			t.Errorf("rules are %s: got %+v, with real tiles: %v", change, state.Calls, state.Physical)
		}
	}
}

// A game that was found in a transaction starts as it was found there, unless somebody was seated otherwise before it did: then as that says.
func TestTheNextGameAtATable(t *testing.T) {
	s := newStore(t)
	games := storagetest.Hall(t, s, 1, 1)
	g := runner(t, s)
	table := look(t, g, games[0]).Ref.TableID
	g.Forget(games)
	find := func() func(context.Context) error {
		start, err := g.NextAt(t.Context(), s.WriteSQL, table)
		if err != nil || start == nil {
			t.Fatalf("a game waits, got %v", err)
		}
		return start
	}
	start := find()
	if err := s.Write.Exec(`UPDATE tables SET number = 77 WHERE id = ?`, table).Error; err != nil {
		t.Fatal(err)
	}
	g.Reseat(0)
	if err := start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if snap := look(t, g, games[0]); snap.Ref.TableNumber != 77 || snap.State.Phase != engine.PhaseDealt {
		t.Errorf("%s at table %d, want dealt at table 77", snap.State.Phase, snap.Ref.TableNumber)
	}
	if start, err := g.NextAt(t.Context(), s.WriteSQL, table); start != nil || err != nil {
		t.Errorf("no game waits, got one or %v", err)
	}
	if err := start(t.Context()); err != nil {
		t.Errorf("it was started meanwhile: %v", err)
	}
}
