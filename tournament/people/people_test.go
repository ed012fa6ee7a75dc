package people_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/store"
)

// differing counts the tables that changed.
func differing(was, is map[int][]int64) int {
	n := 0
	for number, players := range is {
		if !slices.Equal(players, was[number]) {
			n++
		}
	}
	return n
}

func TestPeopleChangeADraft(t *testing.T) {
	c := eventtest.NewCrowd(t, 61)
	r := c.Draw()
	t.Run("one who leaves touches the tables that must change and no other", func(t *testing.T) {
		was := c.Placings(r)
		out := c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(9).ID, Why: "ill"})
		is := c.Placings(r)
		if got := eventtest.SizesOf(is); got != "[4 4 4 4 4 4 4 4 4 4 4 4 4 4 4]" {
			t.Errorf("60 players sit at %s", got)
		}
		if n := differing(was, is); n > 4 || !strings.Contains(eventtest.EffectKeys(out.Effects), "becomes_withdrawn") {
			t.Errorf("%d tables changed: %s", n, eventtest.EffectKeys(out.Effects))
		}
		action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, people.UndoPeople{Change: out.Change})
		if !maps.EqualFunc(c.Placings(r), was, slices.Equal) {
			t.Errorf("taken back, the tables are not as before")
		}
	})
	t.Run("one who comes sits down at a table of three", func(t *testing.T) {
		was := c.Placings(r)
		out := c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
		is := c.Placings(r)
		if got, n := eventtest.SizesOf(is), differing(was, is); got != "[3 3 4 4 4 4 4 4 4 4 4 4 4 4 4 4]" || n != 1 {
			t.Errorf("%s, %d tables changed: %s", got, n, eventtest.EffectKeys(out.Effects))
		}
	})
	t.Run("a table out of service moves as a whole", func(t *testing.T) {
		was := c.Placings(r)
		out := c.Do(people.CloseTable{Tournament: c.Tour.ID, Number: 3, Why: "wet"})
		is := c.Placings(r)
		if _, ok := is[3]; ok || !slices.Equal(is[17], was[3]) {
			t.Errorf("table 3 is at 17 as %v, was %v", is[17], was[3])
		}
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: out.Change}); err != nil ||
			!maps.EqualFunc(c.Placings(r), was, slices.Equal) {
			t.Errorf("taken back: %v", err)
		}
	})
	t.Run("a player with a fixed table sits there, drawn again too", func(t *testing.T) {
		p := c.Player(20).ID
		c.Do(people.FixTable{Tournament: c.Tour.ID, Player: p, Number: 1})
		c.Do(people.FixTable{Tournament: c.Tour.ID, Player: c.Player(21).ID, Number: 2})
		c.Do(people.CloseTable{Tournament: c.Tour.ID, Number: 4})
		for range 5 {
			at := c.Placings(r)
			if !slices.Contains(at[1], p) || !slices.Contains(at[2], c.Player(21).ID) || at[4] != nil {
				t.Fatalf("table 1 has %v, table 2 %v, table 4 %v", at[1], at[2], at[4])
			}
			r = c.Draw()
		}
	})
	t.Run("what was built on is not taken back", func(t *testing.T) {
		out := c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(30).ID})
		c.Publish(r)
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: out.Change}); !errors.Is(err,
			&refuse.Error{Kind: refuse.KindConflict, Key: "err_undo_seats"}) {
			t.Errorf("got %v", err)
		}
	})
}

func TestPeopleOfAPublishedRound(t *testing.T) {
	c := eventtest.NewCrowd(t, 15)
	r := c.Draw()
	c.Publish(r)
	t.Run("who comes late sits at the table of three", func(t *testing.T) {
		out := c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
		if got := eventtest.SizesOf(c.Placings(r)); got != "[4 4 4 4]" ||
			c.Player(16).State != tournament.StateCheckedIn ||
			!strings.Contains(eventtest.EffectKeys(out.Effects), "enters_here") {
			t.Errorf("%s, %s: %s", got, c.Player(16).State, eventtest.EffectKeys(out.Effects))
		}
	})
	t.Run("the next one plays from the next round on", func(t *testing.T) {
		out := c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Later One"}}})
		if !strings.Contains(eventtest.EffectKeys(out.Effects), "misses_late") ||
			eventtest.SizesOf(c.Placings(r)) != "[4 4 4 4]" {
			t.Errorf("%s", eventtest.EffectKeys(out.Effects))
		}
	})
	t.Run("a no-show leaves three at the table, and misses the round", func(t *testing.T) { leavesThree(t, c, r) })
	t.Run("a substitute plays for the entry, and is named", func(t *testing.T) { playsForTheEntry(t, c, r) })
	t.Run("a substitute with own results takes the seat", func(t *testing.T) {
		p := c.Player(3)
		before := c.Placings(r)
		out := c.Do(people.Substitute{Tournament: c.Tour.ID, Player: p.ID, Keep: people.KeepPerson,
			Entries: []rosterfile.PlayerEntry{{Name: "New Entry"}}})
		if c.Player(3).State != tournament.StateSubstituted || len(out.Players) != 1 ||
			eventtest.SizesOf(c.Placings(r)) != eventtest.SizesOf(before) {
			t.Errorf("%+v: %s", out.Players, eventtest.EffectKeys(out.Effects))
		}
	})
	t.Run("history stays when the round is played", func(t *testing.T) { keepsHistory(t, c, r) })
}

func leavesThree(t *testing.T, c *eventtest.Crowd, r tournament.Round) {
	out := c.Do(people.NoShow{Tournament: c.Tour.ID, Player: c.Player(1).ID})
	if !strings.Contains(eventtest.EffectKeys(out.Effects), "misses_no_show") ||
		eventtest.SizesOf(c.Placings(r)) != "[3 4 4 4]" {
		t.Errorf("%s %s", eventtest.EffectKeys(out.Effects), eventtest.SizesOf(c.Placings(r)))
	}
	tables, err := tournament.TableCodes(t.Context(), c.S, eventtest.Organizer, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if table.Code == "" || len(table.Games) != r.Games {
			t.Errorf("table %d: code %q, %d games", table.Number, table.Code, len(table.Games))
		}
		for i, seat := range table.Seats {
			if seat.Seat != i || seat.Code == "" {
				t.Errorf("table %d: seat %d is %+v", table.Number, i, seat)
			}
		}
	}
}

func playsForTheEntry(t *testing.T, c *eventtest.Crowd, r tournament.Round) {
	p := c.Player(2)
	out := c.Do(people.Substitute{Tournament: c.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Aunt Mary"}}})
	if seatName(t, c.S, r, p.ID) != "Aunt Mary" || c.Player(2).State != tournament.StateRegistered {
		t.Errorf("%s sits there: %s", seatName(t, c.S, r, p.ID), eventtest.EffectKeys(out.Effects))
	}
	c.Do(people.ReturnInPerson{Tournament: c.Tour.ID, Player: p.ID})
	if seatName(t, c.S, r, p.ID) != p.Name {
		t.Errorf("%s sits there again", seatName(t, c.S, r, p.ID))
	}
	c.Do(people.Substitute{Tournament: c.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Cousin Ann"}}})
	out = c.Do(people.Substitute{Tournament: c.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Cousin Joe"}}})
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		people.UndoPeople{Change: out.Change}); err != nil ||
		seatName(t, c.S, r, p.ID) != "Cousin Ann" {
		t.Errorf("another substitute taken back: %v, %s sits there", err, seatName(t, c.S, r, p.ID))
	}
	c.Do(people.Substitute{Tournament: c.Tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: "Uncle Bob"}}})
}

func keepsHistory(t *testing.T, c *eventtest.Crowd, r tournament.Round) {
	c.Play(r)
	p := c.Player(4)
	was, err := ranking.StandingsOf(t.Context(), c.S, c.Tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: p.ID, Now: true})
	is, err := ranking.StandingsOf(t.Context(), c.S, c.Tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	of := func(st ranking.Standings) ranking.StandingsRow {
		return st.Rows[slices.IndexFunc(st.Rows, func(r ranking.StandingsRow) bool { return r.Player == p.ID })]
	}
	if a, b := of(was), of(is); a.Points != b.Points || a.Place != b.Place || !b.Withdrawn {
		t.Errorf("was %+v, is %+v", a, b)
	}
	if got := seatName(t, c.S, r, c.Player(2).ID); got != "Uncle Bob" {
		t.Errorf("%s played there", got)
	}
	next := c.Draw()
	if got := len(slices.Concat(slices.Collect(maps.Values(c.Placings(next)))...)); got != 15 {
		t.Errorf("%d players sit in the next round", got)
	}
	c.Publish(next)
	missed, err := people.Missed(t.Context(), c.S, c.Tour.ID)
	if err != nil || !slices.ContainsFunc(missed, func(m tournament.MissedRound) bool {
		return m.PlayerID == p.ID && m.Round == next.Number && m.Reason == tournament.MissedLeft
	}) {
		t.Errorf("missed: %+v, %v", missed, err)
	}
}

func seatName(t testing.TB, s *store.DB, r tournament.Round, player int64) string {
	t.Helper()
	tables, err := tournament.Tables(context.Background(), s, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, seat := range table.Seats {
			if seat.PlayerID == player {
				return seat.Player.Name
			}
		}
	}
	return ""
}

func TestWaitingList(t *testing.T) {
	c := eventtest.NewCrowd(t, 6)
	settings := tournament.PeopleSettingsOf{RegistrationOpen: true, Capacity: 8, NoShowMinutes: 10}
	c.Do(people.SetPeopleSettings{Tournament: c.Tour.ID, Settings: settings})
	c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Ann"}, {Name: "Ben"},
		{Name: "Cid"}, {Name: "Dot"}}})
	if c.Player(8).State != tournament.StateRegistered || c.Player(9).State != tournament.StateWaiting ||
		c.Player(10).State != tournament.StateWaiting {
		t.Fatalf("%s %s %s", c.Player(8).State, c.Player(9).State, c.Player(10).State)
	}
	players, err := tournament.Players(t.Context(), c.S, c.Tour.ID)
	if err != nil || len(players) != 8 {
		t.Errorf("%d players, %v", len(players), err)
	}
	t.Run("the first who waits takes a free place", func(t *testing.T) {
		out := c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(1).ID})
		if c.Player(9).State != tournament.StateRegistered || c.Player(10).State != tournament.StateWaiting ||
			!strings.Contains(eventtest.EffectKeys(out.Effects), "moves_up") {
			t.Errorf("%s", eventtest.EffectKeys(out.Effects))
		}
	})
	t.Run("all who are not checked in are removed at once", func(t *testing.T) {
		for _, n := range []int{2, 3, 4, 5} {
			c.Do(people.CheckIn{Tournament: c.Tour.ID, Player: c.Player(n).ID})
		}
		was := c.People()
		out := c.Do(people.RemoveAbsent{Tournament: c.Tour.ID})
		if c.Player(6).State != tournament.StateNoShow || c.Player(5).State != tournament.StateCheckedIn ||
			c.Player(10).State != tournament.StateRegistered {
			t.Errorf("%s", eventtest.EffectKeys(out.Effects))
		}
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: out.Change}); err != nil ||
			!maps.Equal(c.People(), was) {
			t.Errorf("taken back: %v", err)
		}
	})
	c.Refused(people.CheckIn{Tournament: c.Tour.ID, Player: c.Player(10).ID}, "err_check_in_state")
	c.Refused(people.MoveUp{Tournament: c.Tour.ID, Player: c.Player(2).ID}, "err_not_waiting")
}
