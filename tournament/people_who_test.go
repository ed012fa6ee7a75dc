package tournament

import (
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
)

// TestCorrectAName checks that a misspelt name can be corrected at any time, with a preview, a record and an undo,
// without blocking other undos.
func TestCorrectAName(t *testing.T) {
	c := newCrowd(t, 8)
	r := c.draw()
	c.publish(r)
	c.play(r)
	before, err := StandingsOf(t.Context(), c.s, c.tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	p := c.player(3)
	left := c.do(LeaveEvent{Tournament: c.tour.ID, Player: p.ID})
	right := rosterfile.PlayerEntry{Name: "Zoë Łoś", Country: "PL", Club: "Żory"}
	corrected := c.do(CorrectPlayer{Tournament: c.tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{right},
		Why: "misread"})
	if text := effectKeys(corrected.Effects); text != "is_written" {
		t.Errorf("it says %s", text)
	}
	if got := c.player(3); got.Name != right.Name || got.Country != "PL" || got.Club != "Żory" ||
		got.NameKey != spelling.Fold(right.Name) || got.State != StateWithdrawn {
		t.Errorf("got %+v", got)
	}
	entries, err := action.Records(t.Context(), c.s, organizer, c.tour.ID, 1)
	if err != nil || len(entries) != 1 || entries[0].Kind != "people.correct" ||
		toldBefore(entries[0]) != "[{ map[text:"+p.Name+"]}]" ||
		toldAfter(entries[0]) != "[{ map[text:Zoë Łoś, PL, Żory]}]" || entries[0].Why != "misread" {
		t.Errorf("the log has %+v, %v", entries, err)
	}
	after, err := StandingsOf(t.Context(), c.s, c.tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range after.Rows {
		if was := before.Rows[i]; row.Player != was.Player || row.Total != was.Total || row.Wins != was.Wins {
			t.Errorf("place %d: %+v, was %+v", i+1, row, was)
		}
	}
	c.refused(CorrectPlayer{Tournament: c.tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: c.player(4).Name}}}, "err_player_entered")
	c.refused(CorrectPlayer{Tournament: c.tour.ID, Player: p.ID, Entries: []rosterfile.PlayerEntry{{Name: " "}}},
		"err_player_no_name")
	c.refused(CorrectPlayer{Tournament: c.tour.ID, Player: p.ID,
		Entries: []rosterfile.PlayerEntry{{Name: strings.Repeat("x", 81)}}}, "err_player_field_long")
	for _, step := range []struct {
		change int64
		name   string
		state  string
	}{{left.Change, right.Name, StateRegistered}, {corrected.Change, p.Name, StateRegistered}} {
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: step.change}); err != nil {
			t.Fatal(err)
		}
		if got := c.player(3); got.Name != step.name || got.State != step.state {
			t.Errorf("taken back: %s is %s, want %s %s", got.Name, got.State, step.name, step.state)
		}
	}
}
