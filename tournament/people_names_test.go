package tournament

import (
	"bytes"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rosterfile"
)

// names returns the displayed names of the players, by start number.
func (c *crowd) names() string {
	players, err := PlayersFull(c.t.Context(), c.s, organizer, c.tour.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	names := make([]string, len(players))
	for i, p := range players {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

func (c *crowd) enters(entries ...rosterfile.PlayerEntry) EnterPlayers {
	return EnterPlayers{Tournament: c.tour.ID, Entries: entries}
}

// TestTwoOfOneName checks that players with the same name are distinguished wherever names are shown, by the mark, else
// by club, country or number, and that unique names are shown unchanged.
func TestTwoOfOneName(t *testing.T) {
	c := &crowd{t: t, s: newStore(t)}
	c.tour = newTournament(t, c.s, "open", 7)
	anna := rosterfile.PlayerEntry{Name: "Anna Rossi", Country: "Italy"}
	c.do(c.enters(anna, rosterfile.PlayerEntry{Name: "Bob"}))
	c.refused(c.enters(rosterfile.PlayerEntry{Name: "ANNA ROSSI", Country: "IT"}), "err_player_entered")
	c.refused(c.enters(rosterfile.PlayerEntry{Name: "Cid", Mark: "x"}, rosterfile.PlayerEntry{Name: "cid", Mark: "X"}),
		"err_player_twice")
	c.refused(c.enters(rosterfile.PlayerEntry{Name: "Cid", Mark: strings.Repeat("x", rosterfile.MarkMost+1)}),
		"err_player_field_long")
	if got := c.names(); got != "Anna Rossi, Bob" {
		t.Fatalf("got %s", got)
	}
	second := c.do(c.enters(rosterfile.PlayerEntry{Name: "Anna Rossi", Country: "ITA", Club: "Genova",
		Mark: "the younger"}))
	if text := effectKeys(second.Effects); text != "enters shown" {
		t.Errorf("it says %s", text)
	}
	if got := c.names(); got != "Anna Rossi (#1), Bob, Anna Rossi (the younger)" {
		t.Errorf("got %s", got)
	}
	c.do(c.enters(rosterfile.PlayerEntry{Name: "anna rossi", Country: "France", Club: "Lyon"}))
	c.do(CorrectPlayer{Tournament: c.tour.ID, Player: c.player(1).ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Anna Rossi", Country: "IT", Club: "Torino"}}})
	if got := c.names(); got != "Anna Rossi (Torino), Bob, Anna Rossi (the younger), anna rossi (Lyon)" {
		t.Errorf("got %s", got)
	}
	c.refused(CorrectPlayer{Tournament: c.tour.ID, Player: c.player(2).ID,
		Entries: []rosterfile.PlayerEntry{{Name: "Anna Rossi", Country: "IT"}}}, "err_player_entered")
	for _, undo := range []int64{second.Change + 2, second.Change + 1, second.Change} {
		if _, err := action.Do(t.Context(), deskOf(c.s), organizer, UndoPeople{Change: undo}); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.names(); got != "Anna Rossi, Bob" {
		t.Errorf("taken back: %s", got)
	}
}

// TestImportTwoOfOneName checks that a file with two players of the same name is accepted if one has a mark or is left
// out, and that an exported roster can be imported again.
func TestImportTwoOfOneName(t *testing.T) {
	c := &crowd{t: t, s: newStore(t)}
	c.tour = newTournament(t, c.s, "open", 7)
	list := ImportRoster{Tournament: c.tour.ID, File: "name,country\nAnna Rossi,IT\nBob,NL\nAnna Rossi,Italy\nBob,NL\n"}
	roster, err := action.Do(t.Context(), deskOf(c.s), organizer, list)
	if !isRefused(err, refuse.KindInvalid, "err_roster_problems") || len(roster.Problems) != 2 || c.names() != "" {
		t.Fatalf("%v, %+v", err, roster.Problems)
	}
	list.Mends = []rosterfile.Mend{{Line: 4, Cells: map[string]string{"mark": "Genova"}}, {Line: 5, Out: true}}
	if _, err := action.Do(t.Context(), deskOf(c.s), organizer, list); err != nil {
		t.Fatal(err)
	}
	if got := c.names(); got != "Anna Rossi (#1), Bob, Anna Rossi (Genova)" {
		t.Errorf("got %s", got)
	}
	list.Mends = []rosterfile.Mend{{Line: 2, Out: true}, {Line: 3, Out: true},
		{Line: 4, Cells: map[string]string{"mark": "genova"}}}
	if roster, err = action.Preview(t.Context(), deskOf(c.s), organizer, list); err != nil ||
		len(roster.Problems) != 2 || roster.Problems[0].Err.Key != "err_roster_entered" {
		t.Errorf("entered already: %v, %+v", err, roster.Problems)
	}
	players, err := PlayersFull(t.Context(), c.s, organizer, c.tour.ID)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := rosterfile.Write(&file, EntriesOf(players)); err != nil {
		t.Fatal(err)
	}
	before := c.names()
	c.tour = newTournament(t, c.s, "open", 7)
	if _, err := action.Do(t.Context(), deskOf(c.s), organizer,
		ImportRoster{Tournament: c.tour.ID, File: file.String()}); err != nil || c.names() != before {
		t.Errorf("read again: %s, %v", c.names(), err)
	}
}
