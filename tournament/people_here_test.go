package tournament

import (
	"maps"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/rosterfile"
)

// TestWhoIsHere checks that a player counts as present without check-in if entered late, joined by a device or having
// played, and is not removed with the absent. A late self-registration counts as absent.
func TestWhoIsHere(t *testing.T) {
	c := newCrowd(t, 8)
	c.do(SetPeopleSettings{Tournament: c.tour.ID, Settings: PeopleSettingsOf{RegistrationOpen: true,
		NoShowMinutes: 10}})
	absent := func(want int) {
		t.Helper()
		if got, err := Absent(t.Context(), c.s, c.tour.ID); err != nil || len(got) != want {
			t.Errorf("%d are not here, want %d: %v", len(got), want, err)
		}
	}
	r := c.draw()
	absent(8)
	c.publish(r)
	tables, err := TableCodes(t.Context(), c.s, organizer, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := joinBy(c.s, tables[0].Seats[0].Code, 0); err != nil {
		t.Fatal(err)
	}
	absent(7)
	c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
	absent(7)
	c.play(r)
	absent(0)
	c.refused(RemoveAbsent{Tournament: c.tour.ID}, "err_nobody_absent")
	away, err := c.register("From Home")
	if err != nil {
		t.Fatal(err)
	}
	c.do(RemoveAbsent{Tournament: c.tour.ID})
	for n := range 10 {
		want := StateRegistered
		switch n + 1 {
		case 9:
			want = StateCheckedIn
		case away.Number:
			want = StateNoShow
		}
		if got := c.player(n + 1).State; got != want {
			t.Errorf("player %d is %s, want %s", n+1, got, want)
		}
	}
	c.do(CheckOut{Tournament: c.tour.ID, Player: c.player(9).ID}) // until an official checks the player out
	absent(1)
}

// TestTheResultOfAMissedRound checks that the charge for a missed round can be corrected like any result: with a
// preview, in the standings, undone, and never shown as minus zero.
func TestTheResultOfAMissedRound(t *testing.T) {
	c := newCrowd(t, 8)
	r := c.draw()
	c.publish(r)
	c.play(r)
	late := c.do(EnterPlayers{Tournament: c.tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}}).Players[0]
	total := func() engine.Twelfth {
		t.Helper()
		board, err := StandingsOf(t.Context(), c.s, c.tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range board.Rows {
			if row.Player == late.ID {
				return row.Total
			}
		}
		t.Fatal("the late player is not in the standings")
		return 0
	}
	was := c.people()
	set := SetMissed{Tournament: c.tour.ID, Player: late.ID, Number: 1, Points: 30, Why: "as announced"}
	if seen, err := action.Preview(t.Context(), deskOf(c.s), organizer, set); err != nil ||
		effectKeys(seen.Effects) != "misses_costs" || total() != 0 {
		t.Errorf("looked at: %v, %v, total %s", seen.Effects, err, total())
	}
	out := c.do(set)
	if total() != -engine.Whole(30) {
		t.Errorf("the total is %s", total())
	}
	entries, err := action.Records(t.Context(), c.s, organizer, c.tour.ID, 3)
	if err != nil || entries[0].Kind != "people.missed" || entries[0].About().Name != "Late One" ||
		toldAfter(entries[0]) != "[{log.is.of map[name:Late One text:{people.missed.late map[points:30 round:1]}]}]" {
		t.Errorf("the log says %+v, %v", entries, err)
	}
	for _, e := range entries {
		if strings.Contains(toldBefore(e)+toldAfter(e), "points:0") {
			t.Errorf("minus nothing: %+v", e)
		}
	}
	if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: out.Change}); err != nil ||
		!maps.Equal(c.people(), was) || total() != 0 {
		t.Errorf("taken back: %v, total %s", err, total())
	}
	set.Points = missedMost + 1
	c.refused(set, "err_missed_points")
	c.refused(SetMissed{Tournament: c.tour.ID, Player: c.player(1).ID, Number: 1, Points: 5}, "err_missed_none")
}

// TestEverybodyIsHere checks that one action checks in all absent players and only them, that it can be previewed, and
// that undoing it leaves the players who were present before as they were.
func TestEverybodyIsHere(t *testing.T) {
	c := newCrowd(t, 8)
	c.do(CheckIn{Tournament: c.tour.ID, Player: c.player(1).ID})
	c.do(LeaveEvent{Tournament: c.tour.ID, Player: c.player(2).ID})
	r := c.draw()
	states := func() (list string) {
		for n := range 8 {
			list += c.player(n + 1).State[:1]
		}
		return list
	}
	out, err := action.Preview(t.Context(), deskOf(c.s), organizer, EverybodyHere{Tournament: c.tour.ID})
	if err != nil || len(out.Effects) != 6 || out.Change != 0 || states() != "cwrrrrrr" {
		t.Fatalf("looked at: %d effects, change %d, %s: %v", len(out.Effects), out.Change, states(), err)
	}
	done := c.do(EverybodyHere{Tournament: c.tour.ID, Why: "roll call"})
	if absent, err := Absent(t.Context(), c.s, c.tour.ID); err != nil || len(absent) != 0 || states() != "cwcccccc" {
		t.Errorf("%d are not here, %s: %v", len(absent), states(), err)
	}
	c.refused(EverybodyHere{Tournament: c.tour.ID}, "err_nobody_absent")
	c.do(UndoPeople{Change: done.Change})
	if states() != "cwrrrrrr" {
		t.Errorf("taken back: %s", states())
	}
	c.publish(r)
}
