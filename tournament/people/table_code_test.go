package people_test

import (
	"fmt"
	"maps"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/rosterfile"
)

// TestTableCodesStayGood checks that a table's printed code works as long as the round is on, even if players come
// late, leave or change seats, and even if all its players already have a device.
func TestTableCodesStayGood(t *testing.T) {
	for _, row := range []struct{ joined, playing bool }{{}, {joined: true}, {playing: true},
		{joined: true, playing: true}} {
		t.Run(fmt.Sprintf("%+v", row), func(t *testing.T) {
			c := eventtest.NewCrowd(t, 7)
			round := c.Draw()
			c.Publish(round)
			printed, err := tournament.TableCodes(t.Context(), c.S, eventtest.Organizer, round.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range printed {
				for _, seat := range table.Seats {
					if !row.joined {
						break
					}
					if _, err := joinBy(c.S, table.Code, seat.PlayerID); err != nil {
						t.Fatal(err)
					}
				}
			}
			if row.playing { // the full table, so that the other one has a free chair
				if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
					draw.StartTable{Table: printed[0].ID}); err != nil {
					t.Fatal(err)
				}
			}
			c.CodesHold(printed, "as printed")
			c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
			late := c.Player(8).ID
			c.CodesHold(printed, "after a late entry")
			if joined, err := joinBy(c.S, printed[1].Code, late); err != nil || joined.Actor.Table != printed[1].ID {
				t.Fatalf("who came late: %+v, %v", joined, err)
			}
			_, err = joinBy(c.S, printed[1].Code, late)
			if full := map[bool]string{true: "err_table_full",
				false: "err_seat_taken"}[row.joined]; eventtest.ErrorKey(err) != full {
				t.Errorf("a second time: %v, want %s", err, full)
			}
			c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: late})
			c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Later Still"}}})
			c.CodesHold(printed, "after another one took the chair")
			if !row.playing {
				if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
					people.SwapSeats{Round: round.ID, A: printed[0].Seats[0].PlayerID, B: printed[1].Seats[0].PlayerID,
						Why: "so"}); err != nil {
					t.Fatal(err)
				}
				c.CodesHold(printed, "after a swap")
			}
		})
	}
}

// TestCodesComeBack checks that undoing a departure that dissolved a table makes the printed cards valid again: the
// table's code and its seats' codes.
func TestCodesComeBack(t *testing.T) {
	c := eventtest.NewCrowd(t, 9)
	round := c.Draw()
	c.Publish(round)
	codes := func() map[string]string {
		tables, err := tournament.TableCodes(t.Context(), c.S, eventtest.Organizer, round.ID)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]string{}
		for _, table := range tables {
			all[fmt.Sprint("table ", table.ID)] = table.Code
			for _, seat := range table.Seats {
				all[fmt.Sprint("player ", seat.PlayerID)] = seat.Code
			}
		}
		return all
	}
	before := codes()
	leaver := c.Player(9)
	out := c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: leaver.ID})
	if got := eventtest.SizesOf(c.Placings(round)); got != "[4 4]" {
		t.Fatalf("no table was dissolved: %s", got)
	}
	undo := func() {
		t.Helper()
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: out.Change, Why: "a mistake"}); err != nil {
			t.Fatal(err)
		}
	}
	undo()
	if after := codes(); len(before) != 12 || !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	joined, err := joinBy(c.S, before[fmt.Sprint("player ", leaver.ID)], 0)
	if err != nil || joined.Actor.Player != leaver.ID {
		t.Errorf("by the card at the seat: %+v, %v", joined, err)
	}
	// A used card stays used: the seat gets another one.
	out = c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: leaver.ID})
	undo()
	if _, err := joinBy(c.S, before[fmt.Sprint("player ", leaver.ID)], 0); eventtest.ErrorKey(err) != "err_code_wrong" {
		t.Errorf("by a card that was used: %v", err)
	}
	var kept []string
	if err := c.S.Read.Raw("SELECT codes FROM people_changes WHERE codes <> '{}'").Scan(&kept).Error; err != nil ||
		len(kept) != 2 {
		t.Errorf("%q, %v", kept, err)
	}
}
