package solve

import (
	"math/rand/v2"
	"testing"

	"meldhall/engine/tile"
)

// TestOpeningsCostNoMemoryButTheAnswer checks that a search with lent memory allocates only the answer: one list of
// sets and one of tiles.
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
		return s.search()
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

// TestOpeningsOfManyTiles checks that the answers for many tiles are the same without the floor.
func TestOpeningsOfManyTiles(t *testing.T) {
	shuffle := rand.New(rand.NewPCG(11, 3))
	var s openings
	better, most := 0, 0
	for i := range 60 {
		var rack tile.Counts
		rack[tile.Joker] = uint8(i % 3)
		for _, n := range shuffle.Perm(104)[:38+i/3] {
			rack[tile.Tile(n).Face()]++
		}
		for _, aim := range []Aim{MostTiles, HighestPoints, MostValue} {
			m := Meld{Points: 20 * (i % 9), Relief: i%5 == 0, JokerPoints: 30, Aim: aim}
			s.ask(m, rack)
			whole := int64(-1)
			if best := s.run(); best >= 0 {
				whole = s.nodes[best].key
			}
			s.ask(m, rack)
			got := int64(-1)
			if best := s.search(); best >= 0 {
				got = s.nodes[best].key
			}
			if got>>wantedBits != whole>>wantedBits {
				t.Errorf("%v, %+v: key %x, without a floor %x", rack.List(), m, got, whole)
			}
			if s.floor > 0 {
				better++
			} else if whole >= 0 {
				most++
			}
		}
	}
	if better == 0 || most == 0 {
		t.Errorf("%d times more than the few states reached, %d times as much", better, most)
	}
}
