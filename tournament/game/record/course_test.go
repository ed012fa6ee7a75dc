package record

import (
	"testing"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// TestCourse checks that a course counts the turns of a game, those that timed out and the penalties that still stand,
// and that time with a stopped clock does not count.
func TestCourse(t *testing.T) {
	turns := []PublicTurn{
		{Number: 1, Seat: 0, At: 11_000, Kind: "tiles_played", Played: make(tile.List, 3)},
		{Number: 2, Seat: 1, At: 71_000, Kind: "turn_expired"},
		{Number: 3, Seat: 2, At: 191_000, Kind: "tiles_played", Played: make(tile.List, 5)},
		{Number: 4, Seat: 3, At: 200_000, Kind: "tiles_played", Played: make(tile.List, 5)},
	}
	state := engine.State{At: 210_000}
	got := newCourse(state, turns, 1_000, []stop{{since: 80_000, until: 180_000}, {since: 205_000}})
	want := Course{Turns: 4, TimeOuts: 1, Longest: CourseTurn{Number: 2, Seat: 1, Took: 60_000},
		Most: CourseTurn{Number: 3, Seat: 2, Took: 20_000, Laid: 5}, Last: 210_000}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
