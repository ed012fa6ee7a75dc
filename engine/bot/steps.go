package bot

import (
	"slices"

	"meldhall/engine/tile"
)

// lengthen adds a rack tile to either end of a run, or to a group of three. It reports whether it did.
func (h *hand) lengthen() bool {
	for _, f := range (h.seen.rack & h.seen.ends).List() {
		for i, set := range h.sets {
			if longer := lengthened(set, f); longer != nil && h.lay(with(h.sets, i, longer), f) {
				return true
			}
		}
	}
	return false
}

// lengthened returns the set with the face added, or nil.
func lengthened(set []tile.Face, f tile.Face) []tile.Face {
	if run, ok := tile.AsRun(set); ok {
		first, last := ends(run, set)
		switch {
		case f+1 == first && first.Number() > 1:
			return append([]tile.Face{f}, set...)
		case f == last+1 && last.Number() < tile.Highest:
			return append(slices.Clip(set), f)
		}
	}
	if group, ok := tile.AsGroup(set); ok && len(set) == 3 && group.Stands(0).Has(f) {
		return append(slices.Clip(set), f)
	}
	return nil
}

// split makes two runs from one, around a second copy of an inner tile. It reports whether it did.
func (h *hand) split() bool {
	for _, f := range (h.seen.rack & h.seen.inner).List() {
		for i, set := range h.sets {
			run, ok := tile.AsRun(set)
			if !ok {
				continue
			}
			for k := 2; k < len(set)-2; k++ {
				if run.Stands(k).Has(f) && h.lay(with(h.sets, i, append(slices.Clip(set[:k]), f), set[k:]), f) {
					return true
				}
			}
		}
	}
	return false
}

// combine makes a new set from rack tiles and spare tiles of the table, with two rack tiles if possible. It reports
// whether it did.
func (h *hand) combine() bool {
	for _, rackTiles := range []int{2, 1} {
		for _, f := range h.seen.rack.List() {
			for _, set := range triples(f) {
				own := 0
				for _, g := range set {
					if h.seen.rack.Has(g) {
						own++
					} else if !h.seen.spare.Has(g) {
						own = -3
					}
				}
				if own == rackTiles && h.layCombined(set) {
					return true
				}
			}
		}
	}
	return false
}

func (h *hand) layCombined(set [3]tile.Face) bool {
	sets := h.sets
	var used []tile.Face
	for _, g := range set {
		if h.seen.rack.Has(g) {
			used = append(used, g)
		} else if sets = taken(sets, g); sets == nil {
			return false
		}
	}
	return h.lay(append(slices.Clip(sets), set[:]), used...)
}

// triples lists the sets of three that hold the face.
func triples(f tile.Face) (sets [][3]tile.Face) {
	n := f.Number()
	for from := max(1, n-2); from <= min(n, tile.Highest-2); from++ {
		first := tile.NewFace(f.Colour(), from)
		sets = append(sets, [3]tile.Face{first, first + 1, first + 2})
	}
	for without := tile.Black; without <= tile.Orange; without++ {
		if without == f.Colour() {
			continue
		}
		var group [3]tile.Face
		at := 0
		for c := tile.Black; c <= tile.Orange; c++ {
			if c != without {
				group[at] = tile.NewFace(c, n)
				at++
			}
		}
		sets = append(sets, group)
	}
	return sets
}

// taken returns the table without one tile of the face, or nil if that would leave an invalid set.
func taken(sets [][]tile.Face, f tile.Face) [][]tile.Face {
	for i, set := range sets {
		k := slices.Index(set, f)
		if k < 0 {
			continue
		}
		rest := slices.Concat(set[:k], set[k+1:])
		if _, ok := tile.AsGroup(set); ok && len(set) == 4 {
			return with(sets, i, rest)
		}
		if _, ok := tile.AsRun(set); !ok || !removable(k, len(set)-1-k) {
			continue
		}
		if k == 0 || k == len(set)-1 {
			if len(rest) >= 3 {
				return with(sets, i, rest)
			}
			continue
		}
		return with(sets, i, set[:k:k], set[k+1:])
	}
	return nil
}

// free puts a rack tile in the place of a joker, if the function use then finds a legal place for the joker. It reports
// whether it did.
func (h *hand) free(use func(h *hand, sets [][]tile.Face, i int, f tile.Face) bool) bool {
	for _, f := range (h.seen.rack & h.seen.stands).List() {
		for i, set := range h.sets {
			k, ok := standsFor(set, f)
			if !ok {
				continue
			}
			replaced := slices.Clone(set)
			replaced[k] = f
			if use(h, with(h.sets, i, replaced), i, f) {
				return true
			}
		}
	}
	return false
}

// useWithPair lays the joker that f freed with two more rack tiles, as a new set. It reports whether it did.
func (h *hand) useWithPair(sets [][]tile.Face, _ int, f tile.Face) bool {
	rest := h.rack
	rest[f]--
	for _, pair := range pairs(rest) {
		if h.lay(append(slices.Clip(sets), withJoker(pair)), f, pair[0], pair[1]) {
			return true
		}
	}
	return false
}

// useAlong lays the joker that f freed from set i at an end of the same set. It reports whether it did.
func (h *hand) useAlong(sets [][]tile.Face, i int, f tile.Face) bool {
	for _, longer := range jokerAdded(sets[i]) {
		if h.lay(with(sets, i, longer), f) {
			return true
		}
	}
	return false
}

// standsFor returns the index of a joker of the set that stands for the face in some reading; ok is false if there is
// none.
func standsFor(set []tile.Face, f tile.Face) (k int, ok bool) {
	for _, reading := range tile.Readings(set) {
		for k, g := range set {
			if g == tile.Joker && reading.Stands(k).Has(f) {
				return k, true
			}
		}
	}
	return 0, false
}

// pairs lists the pairs of rack tiles that make a set with a joker, high numbers first.
func pairs(rack tile.Counts) (found [][2]tile.Face) {
	for n := tile.Highest; n >= 1; n-- {
		for c := tile.Black; c <= tile.Orange; c++ {
			f := tile.NewFace(c, n)
			if rack[f] == 0 {
				continue
			}
			for d := c + 1; d <= tile.Orange; d++ {
				if g := tile.NewFace(d, n); rack[g] > 0 {
					found = append(found, [2]tile.Face{f, g})
				}
			}
			for below := 1; below <= min(2, n-1); below++ {
				if g := f - tile.Face(below); rack[g] > 0 {
					found = append(found, [2]tile.Face{g, f})
				}
			}
		}
	}
	return found
}

// withJoker returns the set of a pair and a joker.
func withJoker(pair [2]tile.Face) []tile.Face {
	a, b := pair[0], pair[1]
	switch {
	case a.Colour() == b.Colour() && b == a+2:
		return []tile.Face{a, tile.Joker, b}
	case a.Colour() == b.Colour() && b.Number() == tile.Highest:
		return []tile.Face{tile.Joker, a, b}
	}
	return []tile.Face{a, b, tile.Joker}
}

// jokerAdded returns the sets that result from adding a joker to the set.
func jokerAdded(set []tile.Face) (longer [][]tile.Face) {
	for _, l := range [][]tile.Face{append(slices.Clip(set), tile.Joker), append([]tile.Face{tile.Joker}, set...)} {
		if tile.Valid(l) {
			longer = append(longer, l)
		}
	}
	return longer
}

// spendOnPair lays a joker of the rack with two other tiles of the rack. It reports whether it did.
func (h *hand) spendOnPair() bool {
	for _, pair := range pairs(h.rack) {
		if h.lay(append(slices.Clip(h.sets), withJoker(pair)), tile.Joker, pair[0], pair[1]) {
			return true
		}
	}
	return false
}

// spendAnywhere adds a joker of the rack to a set on the table, if the rack holds only jokers. It reports whether it
// did.
func (h *hand) spendAnywhere() bool {
	if h.left > int(h.rack[tile.Joker]) {
		return false
	}
	for i, set := range h.sets {
		for _, longer := range jokerAdded(set) {
			if h.lay(with(h.sets, i, longer), tile.Joker) {
				return true
			}
		}
	}
	return false
}
