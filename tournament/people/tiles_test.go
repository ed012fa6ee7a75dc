package people_test

import (
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/people"
)

// TestTilesStayWithTheTableNumber checks that a table keeps its kind of tiles in the next round if a table with a lower
// number was closed between the rounds, and that the tables around it do not get it.
func TestTilesStayWithTheTableNumber(t *testing.T) {
	c := eventtest.NewCrowd(t, 12)
	round := c.Draw()
	c.Publish(round)
	tables, err := tournament.Tables(t.Context(), c.S, round.ID)
	if err != nil || len(tables) != 3 {
		t.Fatal(tables, err)
	}
	if _, err := action.Do(t.Context(), eventtest.DeskOf(c.S), eventtest.Organizer,
		tournament.SetTableTiles{Table: tables[1].ID, Tiles: tournament.RealTiles}); err != nil {
		t.Fatal(err)
	}
	c.Play(round)
	c.Do(people.CloseTable{Tournament: c.Tour.ID, Number: 1})
	next := c.Draw()
	if tables, err = tournament.Tables(t.Context(), c.S, next.ID); err != nil || len(tables) != 3 {
		t.Fatal(tables, err)
	}
	for _, table := range tables {
		want := map[int]string{2: tournament.RealTiles}[table.Number]
		if table.Tiles != want {
			t.Errorf("table %d has the tiles %q, want %q", table.Number, table.Tiles, want)
		}
	}
}
