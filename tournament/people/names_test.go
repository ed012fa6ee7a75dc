package people_test

import (
	"bytes"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
)

// TestTwoOfOneName checks that players with the same name are distinguished wherever names are shown, by the mark, else
// by club, country or number, and that unique names are shown unchanged.
func TestTwoOfOneName(t *testing.T) {
	c := &eventtest.Crowd{T: t, S: eventtest.NewStore(t)}
	c.Tour = eventtest.NewTournament(t, c.S, "open", 7)
	anna := rosterfile.PlayerEntry{Name: "Anna Rossi", Country: "Italy"}
	c.Do(c.Enters(anna, rosterfile.PlayerEntry{Name: "Bob"}))
	c.Refused(c.Enters(rosterfile.PlayerEntry{Name: "ANNA ROSSI", Country: "IT"}), "err_player_entered")
	c.Refused(c.Enters(rosterfile.PlayerEntry{Name: "Cid", Mark: "x"}, rosterfile.PlayerEntry{Name: "cid", Mark: "X"}),
		"err_player_twice")
	c.Refused(c.Enters(rosterfile.PlayerEntry{Name: "Cid", Mark: strings.Repeat("x", rosterfile.MarkMost+1)}),
		"err_player_field_long")
	if got := c.Names(); got != "Anna Rossi, Bob" {
		t.Fatalf("got %s", got)
	}
	second := c.Do(c.Enters(rosterfile.PlayerEntry{Name: "Anna Rossi", Country: "ITA", Club: "Genova",
		Mark: "the younger"}))
	if text := eventtest.EffectKeys(second.Effects); text != "enters shown" {
		t.Errorf("it says %s", text)
	}
	if got := c.Names(); got != "Anna Rossi (#1), Bob, Anna Rossi (the younger)" {
		t.Errorf("got %s", got)
	}
	c.Do(c.Enters(rosterfile.PlayerEntry{Name: "anna rossi", Country: "France", Club: "Lyon"}))
	c.Do(people.CorrectPlayer{Tournament: c.Tour.ID, Player: c.Player(1).ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Anna Rossi", Country: "IT", Club: "Torino"}}})
	if got := c.Names(); got != "Anna Rossi (Torino), Bob, Anna Rossi (the younger), anna rossi (Lyon)" {
		t.Errorf("got %s", got)
	}
	c.Refused(people.CorrectPlayer{Tournament: c.Tour.ID, Player: c.Player(2).ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Anna Rossi", Country: "IT"}}}, "err_player_entered")
	for _, undo := range []int64{second.Change + 2, second.Change + 1, second.Change} {
		if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
			people.UndoPeople{Change: undo}); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Names(); got != "Anna Rossi, Bob" {
		t.Errorf("taken back: %s", got)
	}
}

// TestImportTwoOfOneName checks that a file with two players of the same name is accepted if one has a mark or is left
// out, and that an exported roster can be imported again.
func TestImportTwoOfOneName(t *testing.T) {
	c := &eventtest.Crowd{T: t, S: eventtest.NewStore(t)}
	c.Tour = eventtest.NewTournament(t, c.S, "open", 7)
	list := people.ImportRoster{Tournament: c.Tour.ID,
		File: "name,country\nAnna Rossi,IT\nBob,NL\nAnna Rossi,Italy\nBob,NL\n"}
	roster, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, list)
	if !eventtest.IsRefused(err, refuse.KindInvalid, "err_roster_problems") || len(roster.Problems) != 2 ||
		c.Names() != "" {
		t.Fatalf("%v, %+v", err, roster.Problems)
	}
	list.Mends = []rosterfile.Mend{{Line: 4, Cells: map[string]string{"mark": "Genova"}}, {Line: 5, Out: true}}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, list); err != nil {
		t.Fatal(err)
	}
	if got := c.Names(); got != "Anna Rossi (#1), Bob, Anna Rossi (Genova)" {
		t.Errorf("got %s", got)
	}
	list.Mends = []rosterfile.Mend{{Line: 2, Out: true}, {Line: 3, Out: true},
		{Line: 4, Cells: map[string]string{"mark": "genova"}}}
	if roster, err = action.Preview(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer, list); err != nil ||
		len(roster.Problems) != 0 || len(roster.Entered) != 2 {
		t.Errorf("entered already: %v, %+v, %+v", err, roster.Problems, roster.Entered)
	}
	players, err := tournament.PlayersFull(t.Context(), c.S, eventtest.Organizer, c.Tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := rosterfile.Write(&file, tournament.EntriesOf(players)); err != nil {
		t.Fatal(err)
	}
	before := c.Names()
	c.Tour = eventtest.NewTournament(t, c.S, "open", 7)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		people.ImportRoster{Tournament: c.Tour.ID, File: file.String()}); err != nil || c.Names() != before {
		t.Errorf("read again: %s, %v", c.Names(), err)
	}
}
