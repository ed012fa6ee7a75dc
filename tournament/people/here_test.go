package people_test

import (
	"maps"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rosterfile"
)

// TestWhoIsHere checks that a player counts as present without check-in if entered late, joined by a device or having
// played, and is not removed with the absent. A late self-registration counts as absent.
func TestWhoIsHere(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	c.Do(people.SetPeopleSettings{Tournament: c.Tour.ID, Settings: tournament.PeopleSettingsOf{RegistrationOpen: true,
		NoShowMinutes: 10}})
	absent := func(want int) {
		t.Helper()
		if got, err := tournament.Absent(t.Context(), c.S, c.Tour.ID); err != nil || len(got) != want {
			t.Errorf("%d are not here, want %d: %v", len(got), want, err)
		}
	}
	r := c.Draw()
	absent(8)
	c.Publish(r)
	tables, err := tournament.TableCodes(t.Context(), c.S, eventtest.Organizer, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := joinBy(c.S, tables[0].Seats[0].Code, 0); err != nil {
		t.Fatal(err)
	}
	absent(7)
	c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}})
	absent(7)
	c.Play(r)
	absent(0)
	c.Refused(people.RemoveAbsent{Tournament: c.Tour.ID}, "err_nobody_absent")
	away, err := c.Register("From Home")
	if err != nil {
		t.Fatal(err)
	}
	c.Do(people.RemoveAbsent{Tournament: c.Tour.ID})
	for n := range 10 {
		want := tournament.StateRegistered
		switch n + 1 {
		case 9:
			want = tournament.StateCheckedIn
		case away.Number:
			want = tournament.StateNoShow
		}
		if got := c.Player(n + 1).State; got != want {
			t.Errorf("player %d is %s, want %s", n+1, got, want)
		}
	}
	c.Do(people.CheckOut{Tournament: c.Tour.ID, Player: c.Player(9).ID}) // until an official checks the player out
	absent(1)
}

// TestTheResultOfAMissedRound checks that the charge for a missed round can be corrected like any result: with a
// preview, in the standings, undone, and never shown as minus zero.
func TestTheResultOfAMissedRound(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	r := c.Draw()
	c.Publish(r)
	c.Play(r)
	late := c.Do(people.EnterPlayers{Tournament: c.Tour.ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Late One"}}}).Players[0]
	total := func() score.Twelfth {
		t.Helper()
		board, err := ranking.StandingsOf(t.Context(), c.S, c.Tour.ID)
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
	was := c.People()
	set := people.SetMissed{Tournament: c.Tour.ID, Player: late.ID, Number: 1, Points: 30, Why: "as announced"}
	if seen, err := action.Preview(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, set); err != nil ||
		eventtest.EffectKeys(seen.Effects) != "misses_costs" || total() != 0 {
		t.Errorf("looked at: %v, %v, total %s", seen.Effects, err, total())
	}
	out := c.Do(set)
	if total() != -score.Whole(30) {
		t.Errorf("the total is %s", total())
	}
	entries, err := action.Records(t.Context(), c.S, eventtest.Organizer, c.Tour.ID, 3)
	if err != nil || entries[0].Kind != "people.missed" || entries[0].About().Name != "Late One" ||
		eventtest.ToldAfter(entries[0]) !=
			"[{log.is.of map[name:Late One text:{people.missed.late map[points:30 round:1]}]}]" {
		t.Errorf("the log says %+v, %v", entries, err)
	}
	for _, e := range entries {
		if strings.Contains(eventtest.ToldBefore(e)+eventtest.ToldAfter(e), "points:0") {
			t.Errorf("minus nothing: %+v", e)
		}
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		people.UndoPeople{Change: out.Change}); err != nil ||
		!maps.Equal(c.People(), was) || total() != 0 {
		t.Errorf("taken back: %v, total %s", err, total())
	}
	set.Points = people.MissedMost + 1
	c.Refused(set, "err_missed_points")
	c.Refused(people.SetMissed{Tournament: c.Tour.ID, Player: c.Player(1).ID, Number: 1, Points: 5}, "err_missed_none")
}

// TestEverybodyIsHere checks that one action checks in all absent players and only them, that it can be previewed, and
// that undoing it leaves the players who were present before as they were.
func TestEverybodyIsHere(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	c.Do(people.CheckIn{Tournament: c.Tour.ID, Player: c.Player(1).ID})
	c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: c.Player(2).ID})
	r := c.Draw()
	states := func() (list string) {
		for n := range 8 {
			list += c.Player(n + 1).State[:1]
		}
		return list
	}
	out, err := action.Preview(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		people.EverybodyHere{Tournament: c.Tour.ID})
	if err != nil || len(out.Effects) != 6 || out.Change != 0 || states() != "cwrrrrrr" {
		t.Fatalf("looked at: %d effects, change %d, %s: %v", len(out.Effects), out.Change, states(), err)
	}
	done := c.Do(people.EverybodyHere{Tournament: c.Tour.ID, Why: "roll call"})
	if absent, err := tournament.Absent(t.Context(), c.S, c.Tour.ID); err != nil || len(absent) != 0 ||
		states() != "cwcccccc" {
		t.Errorf("%d are not here, %s: %v", len(absent), states(), err)
	}
	c.Refused(people.EverybodyHere{Tournament: c.Tour.ID}, "err_nobody_absent")
	c.Do(people.UndoPeople{Change: done.Change})
	if states() != "cwrrrrrr" {
		t.Errorf("taken back: %s", states())
	}
	c.Publish(r)
}
