package tournament

import (
	"slices"
	"testing"
)

// Two processes on one database file: what one does about people at a table that waits, the other shows within a heartbeat, and
// asks again who sits where.
func TestAnotherProcessChangesSeats(t *testing.T) {
	ctx := t.Context()
	c := newCrowd(t, 8)
	round := c.draw()
	c.publish(round)
	tables, err := c.s.Tables(ctx, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	game, out := tables[1].Games[0].ID, tables[1].Seats[1].PlayerID

	other, err := Open(c.s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	g, told, moved := runner(t, other), 0, []int64{}
	other.Reseated = func() { told++ }
	g.Moved = func(game int64) { moved = append(moved, game) }
	lookElsewhere := func() {
		t.Helper()
		if err := g.lookElsewhere(ctx); err != nil {
			t.Fatal(err)
		}
	}
	lookElsewhere()
	if was := look(t, g, game).Ref.Players; len(was) != 4 {
		t.Fatalf("at the table are %v", was)
	}
	told = 0
	for range 2 { // the other's heartbeat alone is nothing to look at
		if err := c.s.beat(ctx, 1); err != nil {
			t.Fatal(err)
		}
		lookElsewhere()
	}
	if told != 0 {
		t.Errorf("a heartbeat woke everybody %d times", told)
	}

	seatings := other.Seatings()
	c.do(PeopleAction{Kind: PeopleNoShow, Player: out})
	lookElsewhere()
	if now := look(t, g, game).Ref.Players; len(now) != 3 || slices.Contains(now, out) {
		t.Errorf("at the table are %v, and %d has gone", now, out)
	}
	if told != 1 || other.Seatings() == seatings || !slices.Contains(moved, game) {
		t.Errorf("told %d times, counted %d after %d, moved %v", told, other.Seatings(), seatings, moved)
	}

	told = 0 // what this process does itself it has told already
	if _, err := g.ChangePeople(ctx, organizer, c.tour.ID, PeopleAction{Kind: PeopleEnter, Entries: []PlayerEntry{{Name: "Late One"}}}); err != nil {
		t.Fatal(err)
	}
	lookElsewhere()
	if told != 0 {
		t.Errorf("told %d times of its own action", told)
	}
}

// A look that could not be finished is taken again.
func TestAFailedLookElsewhereIsRepeated(t *testing.T) {
	ctx := t.Context()
	c := newCrowd(t, 8)
	round := c.draw()
	c.publish(round)
	tables, err := c.s.Tables(ctx, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	game, out := tables[1].Games[0].ID, tables[1].Seats[1].PlayerID
	other, err := Open(c.s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	g := runner(t, other)
	if err := g.lookElsewhere(ctx); err != nil {
		t.Fatal(err)
	}
	look(t, g, game)
	c.do(PeopleAction{Kind: PeopleNoShow, Player: out})
	for _, rename := range []string{"ALTER TABLE seats RENAME TO lost", "ALTER TABLE lost RENAME TO seats"} {
		if _, err := c.s.writeSQL.Exec(rename); err != nil {
			t.Fatal(err)
		}
		if err := g.lookElsewhere(ctx); (err == nil) != (rename[12:16] == "lost") {
			t.Errorf("after %s: %v", rename, err)
		}
	}
	if now := look(t, g, game).Ref.Players; len(now) != 3 || slices.Contains(now, out) {
		t.Errorf("at the table are %v, and %d has gone", now, out)
	}
}
