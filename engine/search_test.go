package engine

import "meldhall/engine/tile"

// These functions find legal plays for the random games. They are simple and do not use engine/solve or engine/bot, so
// that the laws do not rest on the code that they test.

// rackSets returns runs and groups that the rack holds. Each joker fills at most one gap.
func rackSets(have tile.Counts) [][]tile.Face {
	var found [][]tile.Face
	for c := tile.Black; c <= tile.Orange; c++ {
		for first := 1; first <= 11; first++ {
			found = append(found, runsFrom(have, c, first)...)
		}
	}
	for n := 1; n <= tile.Highest; n++ {
		var group []tile.Face
		for c := tile.Black; c <= tile.Orange; c++ {
			if f := tile.NewFace(c, n); have[f] > 0 {
				group = append(group, f)
			}
		}
		if len(group) == 4 {
			found = append(found, group, group[:3])
		}
		if len(group) == 3 {
			found = append(found, group)
		}
		if len(group) == 2 && have[tile.Joker] > 0 {
			found = append(found, append(group, tile.Joker))
		}
	}
	return found
}

// runsFrom returns the runs of three or more tiles that start at a number.
func runsFrom(have tile.Counts, c tile.Colour, first int) (found [][]tile.Face) {
	var run []tile.Face
	jokers := have[tile.Joker]
	naturals := 0
	for n := first; n <= tile.Highest; n++ {
		f := tile.NewFace(c, n)
		switch {
		case have[f] > 0:
			naturals++
		case jokers > 0:
			jokers--
			f = tile.Joker
		default:
			return found
		}
		run = append(run, f)
		if len(run) >= 3 && naturals > 0 {
			found = append(found, append([]tile.Face(nil), run...))
		}
	}
	return found
}

// newSets lays sets from the rack, the most valuable first, until no more fit.
func newSets(have tile.Counts, skip func() bool) (laid []tile.LaidFaces) {
	for {
		best, worth := []tile.Face(nil), 0
		for _, set := range rackSets(have) {
			if v := tile.Value(set); v > worth && !skip() {
				best, worth = set, v
			}
		}
		if best == nil {
			return laid
		}
		have = have.Minus(tile.CountFaces(best))
		laid = append(laid, tile.LaidFaces{At: tile.SomewhereFree, Faces: best})
	}
}

// extend adds rack tiles to the ends of table sets and to groups of three, and splits long runs
// around a second copy of a middle tile.
func extend(table []tile.LaidFaces, have tile.Counts) []tile.LaidFaces {
	out := append([]tile.LaidFaces(nil), table...)
	for f := tile.Face(0); f < tile.Faces; f++ {
		for have[f] > 0 && extendBy(&out, f) {
			have[f]--
		}
	}
	return out
}

func extendBy(table *[]tile.LaidFaces, f tile.Face) bool {
	for i, set := range *table {
		for _, longer := range [][]tile.Face{append([]tile.Face{f}, set.Faces...),
			append(append([]tile.Face(nil), set.Faces...), f)} {
			if tile.Valid(longer) {
				(*table)[i] = tile.LaidFaces{At: tile.SomewhereFree, Faces: longer}
				return true
			}
		}
		for at := 2; at+2 < len(set.Faces); at++ {
			head := append(append([]tile.Face(nil), set.Faces[:at]...), f)
			tail := append([]tile.Face(nil), set.Faces[at:]...)
			if set.Faces[at] == f && tile.Valid(head) && tile.Valid(tail) {
				(*table)[i] = tile.LaidFaces{At: tile.SomewhereFree, Faces: head}
				*table = append(*table, tile.LaidFaces{At: tile.SomewhereFree, Faces: tail})
				return true
			}
		}
	}
	return false
}

// freeJokers replaces a joker of a table run by its own tile from the rack, and lays the joker with rack tiles.
func freeJokers(table []tile.LaidFaces, have tile.Counts) []tile.LaidFaces {
	for i, set := range table {
		reading, ok := tile.AsRun(set.Faces)
		if !ok {
			continue
		}
		for j, f := range set.Faces {
			if f != tile.Joker {
				continue
			}
			own := reading.Stands(j).List()[0]
			if have[own] == 0 {
				continue
			}
			left := have
			left[own]--
			left[tile.Joker]++
			for _, fresh := range rackSets(left) {
				if tile.CountFaces(fresh)[tile.Joker] == 0 {
					continue
				}
				out := append([]tile.LaidFaces(nil), table...)
				mended := append([]tile.Face(nil), set.Faces...)
				mended[j] = own
				out[i] = tile.LaidFaces{At: set.At, Faces: mended}
				return append(out, tile.LaidFaces{At: tile.SomewhereFree, Faces: fresh})
			}
		}
	}
	return nil
}

// findPlay returns a legal play for the seat to move, if it finds one. skip makes it overlook sets at random.
func findPlay(s State, skip func() bool) (Play, bool) {
	seat := s.Turn.Seat
	have := tile.CountFaces(tile.FacesOf(s.Racks[seat]))
	table := s.Table.Laid()
	fresh := newSets(have, skip)
	candidates := [][]tile.LaidFaces{append(append([]tile.LaidFaces(nil), table...), fresh...)}
	if s.Opened[seat] {
		rest := have
		for _, set := range fresh {
			rest = rest.Minus(tile.CountFaces(set.Faces))
		}
		if freed := freeJokers(table, have); freed != nil {
			candidates = append([][]tile.LaidFaces{freed}, candidates...)
		}
		candidates = append([][]tile.LaidFaces{extend(candidates[len(candidates)-1], rest)}, candidates...)
		candidates = append(candidates, extend(table, have))
	}
	for _, after := range candidates {
		p := Play{Seat: seat, Turn: s.Turn.Number, Table: after}
		if JudgePlay(s, p).Legal {
			return p, true
		}
	}
	return Play{}, false
}
