package tournament

import (
	"fmt"
	"maps"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/rosterfile"
)

// TestTableCodesStayGood checks that a table's printed code works as long as the round is on, even if players come
// late, leave or change seats, and even if all its players already have a device.
func TestTableCodesStayGood(t *testing.T) {
	for _, row := range []struct{ joined, playing bool }{{}, {joined: true}, {playing: true},
		{joined: true, playing: true}} {
		t.Run(fmt.Sprintf("%+v", row), func(t *testing.T) {
			c := newCrowd(t, 7)
			round := c.draw()
			c.publish(round)
			printed, err := TableCodes(t.Context(), c.s, organizer, round.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, table := range printed {
				for _, seat := range table.Seats {
					if !row.joined {
						break
					}
					if _, err := joinBy(c.s, table.Code, seat.PlayerID); err != nil {
						t.Fatal(err)
					}
				}
			}
			if row.playing { // the full table, so that the other one has a free chair
				if _, err := action.Do(t.Context(), deskOf(c.s), organizer,
					StartTable{Table: printed[0].ID}); err != nil {
					t.Fatal(err)
				}
			}
			c.codesHold(printed, "as printed")
			c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
			late := c.player(8).ID
			c.codesHold(printed, "after a late entry")
			if joined, err := joinBy(c.s, printed[1].Code, late); err != nil || joined.Actor.Table != printed[1].ID {
				t.Fatalf("who came late: %+v, %v", joined, err)
			}
			_, err = joinBy(c.s, printed[1].Code, late)
			if full := map[bool]string{true: "err_table_full",
				false: "err_seat_taken"}[row.joined]; errorKey(err) != full {
				t.Errorf("a second time: %v, want %s", err, full)
			}
			c.do(LeaveEvent{Tournament: c.tour.ID, Player: late})
			c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Later Still"}}})
			c.codesHold(printed, "after another one took the chair")
			if !row.playing {
				if _, err := action.Do(t.Context(), deskOf(c.s), organizer,
					SwapSeats{Round: round.ID, A: printed[0].Seats[0].PlayerID, B: printed[1].Seats[0].PlayerID,
						Why: "so"}); err != nil {
					t.Fatal(err)
				}
				c.codesHold(printed, "after a swap")
			}
		})
	}
}

// codesHold checks that each table's printed code leads to its table, unless all its players have a device.
func (c *crowd) codesHold(printed []Table, when string) {
	c.t.Helper()
	for _, table := range printed {
		now, err := findTable(c.s.Read, table.ID)
		if err != nil {
			c.t.Fatal(err)
		}
		inv, err := FindInvitation(c.t.Context(), c.s, table.Code)
		if key := errorKey(err); now.Full() && key != "err_table_full" || !now.Full() &&
			(err != nil || inv.Table.Number != table.Number) {
			c.t.Errorf("%s: %s opens table %d, %v; printed for table %d", when, table.Code, inv.Table.Number, err,
				table.Number)
		}
	}
}

// TestCodesComeBack checks that undoing a departure that dissolved a table makes the printed cards valid again: the
// table's code and its seats' codes.
func TestCodesComeBack(t *testing.T) {
	c := newCrowd(t, 9)
	round := c.draw()
	c.publish(round)
	codes := func() map[string]string {
		tables, err := TableCodes(t.Context(), c.s, organizer, round.ID)
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
	leaver := c.player(9)
	out := c.do(LeaveEvent{Tournament: c.tour.ID, Player: leaver.ID})
	if got := sizesOf(c.placings(round)); got != "[4 4]" {
		t.Fatalf("no table was dissolved: %s", got)
	}
	undo := func() {
		t.Helper()
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer,
			UndoPeople{Change: out.Change, Why: "a mistake"}); err != nil {
			t.Fatal(err)
		}
	}
	undo()
	if after := codes(); len(before) != 12 || !maps.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	joined, err := joinBy(c.s, before[fmt.Sprint("player ", leaver.ID)], 0)
	if err != nil || joined.Actor.Player != leaver.ID {
		t.Errorf("by the card at the seat: %+v, %v", joined, err)
	}
	// A used card stays used: the seat gets another one.
	out = c.do(LeaveEvent{Tournament: c.tour.ID, Player: leaver.ID})
	undo()
	if _, err := joinBy(c.s, before[fmt.Sprint("player ", leaver.ID)], 0); errorKey(err) != "err_code_wrong" {
		t.Errorf("by a card that was used: %v", err)
	}
	var kept []string
	if err := c.s.Read.Raw("SELECT codes FROM people_changes WHERE codes <> '{}'").Scan(&kept).Error; err != nil ||
		len(kept) != 2 {
		t.Errorf("%q, %v", kept, err)
	}
}
