package solve_test

import (
	"slices"
	"sync"

	"meldhall/engine/tile"
)

// validSet is a set as laid, with its numbered faces and jokers.
type validSet struct {
	set      []tile.Face
	numbered tile.FaceSet
	jokers   int
}

// everySet lists every valid set as laid with at most two jokers: runs of 3 to 13 tiles with jokers in any places, and
// groups with jokers at their end.
var everySet = sync.OnceValue(func() (all []validSet) {
	offer := func(natural []tile.Face, jokersAt uint) {
		s := validSet{set: slices.Clone(natural)}
		for i, f := range natural {
			if f == tile.Joker || jokersAt>>i&1 == 1 {
				s.set[i] = tile.Joker
				s.jokers++
			} else {
				s.numbered |= 1 << f
			}
		}
		if tile.Valid(s.set) {
			all = append(all, s)
		}
	}
	for c := range tile.Colour(4) {
		for from := 1; from <= 11; from++ {
			run := []tile.Face{tile.NewFace(c, from), tile.NewFace(c, from+1)}
			for to := from + 2; to <= 13; to++ {
				run = append(run, tile.NewFace(c, to))
				jokerPlaces(len(run), func(at uint) { offer(run, at) })
			}
		}
	}
	for n := 1; n <= 13; n++ {
		for mask := 1; mask < 16; mask++ {
			var group []tile.Face
			for c := range 4 {
				if mask>>c&1 == 1 {
					group = append(group, tile.NewFace(tile.Colour(c), n))
				}
			}
			for jokers := range 3 {
				offer(append(slices.Clone(group), []tile.Face{tile.Joker, tile.Joker}[:jokers]...), 0)
			}
		}
	}
	return all
})

// jokerPlaces calls f with every choice of at most two of n places.
func jokerPlaces(n int, f func(places uint)) {
	f(0)
	for a := range n {
		f(1 << a)
		for b := range a {
			f(1<<a | 1<<b)
		}
	}
}

// countKept counts the sets of before that lie unchanged in after: the same tiles and, in a run, in the same order.
func countKept(before, after [][]tile.Face) (kept int) {
	lies := map[string]int{}
	for _, set := range after {
		lies[asItLies(set)]++
	}
	for _, set := range before {
		if key := asItLies(set); lies[key] > 0 {
			lies[key]--
			kept++
		}
	}
	return kept
}

func asItLies(set []tile.Face) string {
	if _, group := tile.AsGroup(set); group {
		set = slices.Sorted(slices.Values(set))
	}
	text := make([]byte, len(set))
	for i, f := range set {
		text[i] = byte(f)
	}
	return string(text)
}
