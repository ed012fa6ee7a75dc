package people_test

import (
	"slices"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/people"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// besides opens a crowd's database in a second process, which has loaded a waiting game. The result out is a player at
// its table.
func besides(t *testing.T) (c *eventtest.Crowd, g *game.Games, game, out int64) {
	t.Helper()
	c = eventtest.NewCrowd(t, 8)
	round := c.Draw()
	c.Publish(round)
	tables, err := tournament.Tables(t.Context(), c.S, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	other, err := store.Open(c.S.File())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close() })
	g, game = eventtest.Runner(t, other), tables[1].Games[0].ID
	if err := eventtest.DeskOf(g.DB).Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if was := gametest.Look(t, g, game).Ref.Players; len(was) != 4 {
		t.Fatalf("at the table are %v", was)
	}
	return c, g, game, tables[1].Seats[1].PlayerID
}

// TestAnotherProcessChangesSeats checks that when one process changes the people at a waiting table, a second process
// on the same database shows it within a heartbeat and reads the seats again.
func TestAnotherProcessChangesSeats(t *testing.T) {
	ctx := t.Context()
	c, g, gameID, out := besides(t)
	told, moved, tour := 0, []int64{}, c.Tour.ID
	eventtest.DeskOf(g.DB).OnChanged(func(c action.Changed) {
		if c.Tournament != tour {
			t.Errorf("told of event %d", c.Tournament)
		}
		told++
	})
	g.Moved = func(ref game.Ref, _ game.Step) { moved = append(moved, ref.ID) }
	poll := func() {
		t.Helper()
		if err := eventtest.DeskOf(g.DB).Poll(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // a heartbeat alone is no change
		if err := c.S.Write.Exec(`INSERT INTO heartbeat (id, at) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET at = excluded.at`).Error; err != nil {
			t.Fatal(err)
		}
		poll()
	}
	if told != 0 {
		t.Errorf("a heartbeat woke everybody %d times", told)
	}

	seatings := g.Seatings.All()
	c.Do(people.NoShow{Tournament: c.Tour.ID, Player: out})
	poll()
	if now := gametest.Look(t, g, gameID).Ref.Players; len(now) != 3 || slices.Contains(now, out) {
		t.Errorf("at the table are %v, and %d has gone", now, out)
	}
	if told != 1 || g.Seatings.All() == seatings || !slices.Contains(moved, gameID) {
		t.Errorf("told %d times, counted %d after %d, moved %v", told, g.Seatings.All(), seatings, moved)
	}

	told = 0 // a process reports its own action once
	if _, err := action.Do(ctx, eventtest.DeskOf(g.DB), eventtest.Organizer, people.EnterPlayers{Tournament: c.Tour.ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}}); err != nil {
		t.Fatal(err)
	}
	poll()
	if told != 1 {
		t.Errorf("told %d times of its own action", told)
	}
}

// TestAFailedPollIsRepeated checks that a failed check for changes is repeated.
func TestAFailedPollIsRepeated(t *testing.T) {
	c, g, game, out := besides(t)
	c.Do(people.NoShow{Tournament: c.Tour.ID, Player: out})
	rename := func(from, to string) {
		t.Helper()
		if _, err := c.S.WriteSQL.Exec("ALTER TABLE " + from + " RENAME TO " + to); err != nil {
			t.Fatal(err)
		}
	}
	rename("seats", "lost")
	if err := eventtest.DeskOf(g.DB).Poll(t.Context()); err == nil {
		t.Error("there are no seats, and nothing is said")
	}
	rename("lost", "seats")
	if err := eventtest.DeskOf(g.DB).Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if now := gametest.Look(t, g, game).Ref.Players; len(now) != 3 || slices.Contains(now, out) {
		t.Errorf("at the table are %v, and %d has gone", now, out)
	}
}
