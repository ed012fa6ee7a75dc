package solve

import (
	"testing"

	"meldhall/engine/tile"
)

// A search that is lent memory needs none of its own; only the answer, one list of sets and one of tiles, is new.
func TestOpeningsCostNoMemoryButTheAnswer(t *testing.T) {
	var rack tile.Counts
	for f := range rack {
		rack[f] = uint8(f % 3 % 2)
	}
	rack[tile.Joker] = 2
	var s openings
	search := func(first bool) (best int32) {
		s.ask(Meld{Points: 30, JokerPoints: 30}, rack)
		s.first = first
		s.run()
		return s.best()
	}
	if best := search(false); best < 0 || len(s.sets(best)) == 0 {
		t.Fatal("the rack cannot open")
	}
	for _, first := range []bool{true, false} {
		if n := testing.AllocsPerRun(20, func() { search(first) }); n != 0 {
			t.Errorf("%v allocations to search, first %v", n, first)
		}
	}
	if n := testing.AllocsPerRun(20, func() { s.sets(search(false)) }); n > 2 {
		t.Errorf("%v allocations to search and answer", n)
	}
}
