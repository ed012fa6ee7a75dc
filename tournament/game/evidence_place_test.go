package game

import (
	"context"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

// TestNotesOfDevicesFindTheirGame checks that notes about a device belong to the game that its table plays and cost one
// query per game. Once a game is over and confirmed, they belong to the next one.
func TestNotesOfDevicesFindTheirGame(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 1, 2)
	g := runner(t, s)
	begin(t, g)
	readyAll(t, g, games[0])
	me := seatActor(look(t, g, games[0]), 0)
	unasked, cancel := context.WithCancel(t.Context())
	cancel() // from here on every query fails
	gap := []note{{row: Evidence{Seat: me.Seat, Kind: EvidenceBack}, table: me.Table, data: Gap{Since: 400}}}
	placed := func(ctx context.Context) (game int64) {
		for _, row := range g.Notes.rows(ctx, gap) {
			game = row.GameID
		}
		return game
	}
	if got := placed(unasked); got != 0 {
		t.Fatalf("the first note is at game %d without the database", got)
	}
	if got := placed(t.Context()); got != games[0] {
		t.Errorf("the first note is at game %d, want %d", got, games[0])
	}
	if got := placed(unasked); got != games[0] {
		t.Errorf("the second note is at game %d, want %d without asking the database", got, games[0])
	}
	if _, err := g.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), games[0], "",
		engine.CallTime{Grounds: engine.Grounds{Reason: "late"}}); err != nil {
		t.Fatal(err)
	}
	for snap := look(t, g, games[0]); snap.State.Phase == engine.PhasePlaying; snap = look(t, g, games[0]) {
		turn := snap.State.Turn
		if _, err := g.Submit(t.Context(), seatActor(snap, turn.Seat), games[0], "",
			engine.Draw{Seat: turn.Seat, Turn: turn.Number}); err != nil {
			t.Fatal(err)
		}
	}
	if got := placed(t.Context()); got != games[0] {
		t.Errorf("while the count is open a note is at game %d, want %d", got, games[0])
	}
	if err := s.Write.Exec(`INSERT INTO results (game_id, rev, status, ending, actor, why, at) VALUES (?, 2, 'confirmed', 'time', 'Ann', '', 2)`, games[0]).Error; err != nil {
		t.Fatal(err)
	}
	if got := placed(t.Context()); got != games[1] {
		t.Errorf("after the count a note is at game %d, want %d", got, games[1])
	}
}

// TestNotesOfAGameThatIsGoneKeepNobodyWaiting checks that notes of other games are still written after a round was
// taken back. Its games are deleted, but another program or a waiting note may still refer to them.
func TestNotesOfAGameThatIsGoneKeepNobodyWaiting(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 1, 2)
	g := runner(t, s)
	begin(t, g)
	if err := s.Write.Exec(`DELETE FROM games WHERE id = ?`, games[1]).Error; err != nil {
		t.Fatal(err)
	}
	for _, game := range []int64{games[0], games[1], games[0]} {
		g.Notes.add(note{row: Evidence{GameID: game, Kind: EvidenceBack}, data: Gap{Since: 400}})
	}
	if kept := evidenceOf(t, g, games[0], EvidenceBack); len(kept) != 2 {
		t.Errorf("%d notes of the game that is played are kept, want 2", len(kept))
	}
	g.Notes.mu.Lock()
	defer g.Notes.mu.Unlock()
	if n := len(g.Notes.waiting); n != 0 {
		t.Errorf("%d notes wait for a game that is gone", n)
	}
}
