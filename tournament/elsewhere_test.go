package tournament

import (
	"slices"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/storage"
)

// besides opens the database of a crowd in a second process, which knows a game that waits for its start, with out at its table.
func besides(t *testing.T) (c *crowd, g *game.Games, game, out int64) {
	t.Helper()
	c = newCrowd(t, 8)
	round := c.draw()
	c.publish(round)
	tables, err := Tables(t.Context(), c.s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	other, err := storage.Open(c.s.File())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	g, game = runner(t, other), tables[1].Games[0].ID
	if err := deskOf(g.DB).LookElsewhere(t.Context()); err != nil {
		t.Fatal(err)
	}
	if was := gametest.Look(t, g, game).Ref.Players; len(was) != 4 {
		t.Fatalf("at the table are %v", was)
	}
	return c, g, game, tables[1].Seats[1].PlayerID
}

// Two processes on one database file: what one does about people at a table that waits, the other shows within a heartbeat, and
// asks again who sits where.
func TestAnotherProcessChangesSeats(t *testing.T) {
	ctx := t.Context()
	c, g, gameID, out := besides(t)
	told, moved, tour := 0, []int64{}, c.tour.ID
	deskOf(g.DB).OnChanged(func(c door.Changed) {
		if c.Tournament != tour {
			t.Errorf("told of event %d", c.Tournament)
		}
		told++
	})
	g.Moved = func(ref game.Ref, _ game.Step) { moved = append(moved, ref.ID) }
	lookElsewhere := func() {
		t.Helper()
		if err := deskOf(g.DB).LookElsewhere(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the other's heartbeat alone is nothing to look at
		if err := c.s.Write.Exec(`INSERT INTO heartbeat (id, at) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`).Error; err != nil {
			t.Fatal(err)
		}
		lookElsewhere()
	}
	if told != 0 {
		t.Errorf("a heartbeat woke everybody %d times", told)
	}

	seatings := g.Seatings()
	c.do(NoShow{Tournament: c.tour.ID, Player: out})
	lookElsewhere()
	if now := gametest.Look(t, g, gameID).Ref.Players; len(now) != 3 || slices.Contains(now, out) {
		t.Errorf("at the table are %v, and %d has gone", now, out)
	}
	if told != 1 || g.Seatings() == seatings || !slices.Contains(moved, gameID) {
		t.Errorf("told %d times, counted %d after %d, moved %v", told, g.Seatings(), seatings, moved)
	}

	told = 0 // what this process does itself it tells once
	if _, err := door.Do(ctx, deskOf(g.DB), organizer, EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}}); err != nil {
		t.Fatal(err)
	}
	lookElsewhere()
	if told != 1 {
		t.Errorf("told %d times of its own action", told)
	}
}

// A look that could not be finished is taken again.
func TestAFailedLookElsewhereIsRepeated(t *testing.T) {
	c, g, game, out := besides(t)
	c.do(NoShow{Tournament: c.tour.ID, Player: out})
	rename := func(from, to string) {
		t.Helper()
		if _, err := c.s.WriteSQL.Exec("ALTER TABLE " + from + " RENAME TO " + to); err != nil {
			t.Fatal(err)
		}
	}
	rename("seats", "lost")
	if err := deskOf(g.DB).LookElsewhere(t.Context()); err == nil {
		t.Error("there are no seats, and nothing is said")
	}
	rename("lost", "seats")
	if err := deskOf(g.DB).LookElsewhere(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := gametest.Look(t, g, game).Ref.Players; len(now) != 3 || slices.Contains(now, out) {
		t.Errorf("at the table are %v, and %d has gone", now, out)
	}
}
