package people_test

import (
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
)

// TestCorrectAName checks that a misspelt name can be corrected at any time, with a preview, a record and an undo,
// without blocking other undos.
func TestCorrectAName(t *testing.T) {
	c := eventtest.NewCrowd(t, 8)
	r := c.Draw()
	c.Publish(r)
	c.Play(r)
	before, err := ranking.StandingsOf(t.Context(), c.S, c.Tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Player(3)
	left := c.Do(people.LeaveEvent{Tournament: c.Tour.ID, Player: p.ID})
	right := rosterfile.PlayerEntry{Name: "Zoë Łoś", Country: "PL", Club: "Żory"}
	corrected := c.Do(people.CorrectPlayer{Tournament: c.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{right},
		Why:     "misread"})
	if text := eventtest.EffectKeys(corrected.Effects); text != "is_written" {
		t.Errorf("it says %s", text)
	}
	if got := c.Player(3); got.Name != right.Name || got.Country != "PL" || got.Club != "Żory" ||
		got.NameKey != spelling.Fold(right.Name) || got.State != tournament.StateWithdrawn {
		t.Errorf("got %+v", got)
	}
	entries, err := action.Records(t.Context(), c.S, eventtest.Organizer, c.Tour.ID, 1)
	if err != nil || len(entries) != 1 || entries[0].Kind != "people.correct" ||
		eventtest.ToldBefore(entries[0]) != "[{ map[text:"+p.Name+"]}]" ||
		eventtest.ToldAfter(entries[0]) != "[{ map[text:Zoë Łoś, PL, Żory]}]" || entries[0].Why != "misread" {
		t.Errorf("the log has %+v, %v", entries, err)
	}
	after, err := ranking.StandingsOf(t.Context(), c.S, c.Tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range after.Rows {
		if was := before.Rows[i]; row.Player != was.Player || row.Total != was.Total || row.Wins != was.Wins {
			t.Errorf("place %d: %+v, was %+v", i+1, row, was)
		}
	}
	c.Refused(people.CorrectPlayer{Tournament: c.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: c.Player(4).Name}}}, "err_player_entered")
	c.Refused(people.CorrectPlayer{Tournament: c.Tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: " "}}},
		"err_player_no_name")
	c.Refused(people.CorrectPlayer{Tournament: c.Tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: strings.Repeat("x", 81)}}}, "err_player_field_long")
	for _, step := range []struct {
		change int64
		name   string
		state  string
	}{{left.Change, right.Name, tournament.StateRegistered}, {corrected.Change, p.Name, tournament.StateRegistered}} {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: step.change}); err != nil {
			t.Fatal(err)
		}
		if got := c.Player(3); got.Name != step.name || got.State != step.state {
			t.Errorf("taken back: %s is %s, want %s %s", got.Name, got.State, step.name, step.state)
		}
	}
}
