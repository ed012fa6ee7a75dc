package game

import (
	"context"
	"slices"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// TestGamesThatMustNotStartWaitOn checks that games of a removed tournament, of an organization that is being deleted,
// and of a round that has not been started keep waiting and do not block others. Of several games at a table only the
// first begins.
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
		storetest.Hall(t, s, 1, 2)
		if err := s.Write.Exec(waits).Error; err != nil {
			t.Fatal(err)
		}
	}
	games := storetest.Hall(t, s, 2, 2)
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

// TestACallBeforeAGameStaysOpen checks that players may call the referee before a game. The call is still open if the
// game could not start, and in the started game, which uses the tiles set for its table.
func TestACallBeforeAGameStaysOpen(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 1, 1)
	if err := s.Write.Exec(`UPDATE tables SET tiles = 'real'`).Error; err != nil {
		t.Fatal(err)
	}
	before := runner(t, s)
	if _, err := before.Submit(t.Context(), seatActor(look(t, before, games[0]), 0), games[0], "",
		engine.CallReferee{Seat: 0}); err != nil {
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

// TestTheNextGameAtATable checks that a game found in a transaction starts with the data found there, once. If players
// were reseated before the start, the new seats count. In a program that is closing it does not start.
func TestTheNextGameAtATable(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 3, 1)
	g := runner(t, s)
	tables, err := s.IDs(t.Context(), `SELECT table_id FROM games ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	starts := make([]func(context.Context) error, len(tables))
	for i, table := range tables {
		if starts[i], err = g.NextAt(t.Context(), s.WriteSQL, table); err != nil || starts[i] == nil {
			t.Fatalf("table %d: a game waits, got %v", i, err)
		}
	}
	for range 2 {
		if err := starts[0](t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Write.Exec(`UPDATE tables SET number = 77 WHERE id = ?`, tables[1]).Error; err != nil {
		t.Fatal(err)
	}
	g.Seatings.Changed(0)
	if err := starts[1](t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, err := g.NextAt(t.Context(), s.WriteSQL, tables[1]); next != nil || err != nil {
		t.Errorf("no game waits, got one or %v", err)
	}
	g.Close()
	if err := starts[2](t.Context()); err != nil {
		t.Error(err)
	}
	for i, phase := range []engine.Phase{engine.PhaseDealt, engine.PhaseDealt, engine.PhaseNew} {
		if snap := look(t, g, games[i]); snap.State.Phase != phase || i == 1 && snap.Ref.TableNumber != 77 {
			t.Errorf("game %d is %s at table %d, want %s", i, snap.State.Phase, snap.Ref.TableNumber, phase)
		}
	}
}

// TestAGameBeginsWithout checks that a game begins without players who have left or were disqualified, and that the
// players are not queried if there are none.
func TestAGameBeginsWithout(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 4, 1)
	g := runner(t, s)
	var without []int64
	g.BeganWithout = func(_ context.Context, ref Ref) error {
		without = append(without, ref.ID)
		return nil
	}
	const at = `(SELECT s.player_id FROM seats s JOIN games g ON g.table_id = s.table_id WHERE g.id = ? AND s.seat = 1)`
	for game, change := range map[int64]string{
		games[1]: `UPDATE players SET gone = 1 WHERE id = ` + at,
		games[2]: `INSERT INTO sanctions (tournament_id, player_id, round, kind, points, rule, reason, actor, at) SELECT tournament_id, id, 1, 'disqualification', 0, '', 'left', 'a', 1 FROM players WHERE id = ` + at,
		games[3]: `INSERT INTO sanctions (tournament_id, player_id, round, kind, points, rule, reason, actor, at) SELECT tournament_id, id, 1, 'points', 5, '', 'late', 'a', 1 FROM players WHERE id = ` + at,
	} {
		if err := s.Write.Exec(change, game).Error; err != nil {
			t.Fatal(err)
		}
	}
	for i, game := range games {
		if err := g.StartWaiting(t.Context(), look(t, g, game).Ref.TableID); err != nil ||
			look(t, g, game).State.Phase != engine.PhaseDealt {
			t.Errorf("game %d has not begun: %v", i, err)
		}
	}
	if !slices.Equal(without, games[1:3]) {
		t.Errorf("games %v have begun without somebody, want %v", without, games[1:3])
	}
}
