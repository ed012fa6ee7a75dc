package referee

import (
	"slices"
	"sync"

	"meldhall/engine/tile"
)

// meaning is one way to read tiles in their order: as a run or as a group.
type meaning struct {
	run    bool
	worth  int
	stands []uint64 // for each position, a bit for each face a joker may stand for
}

// whole holds all sets of one length without jokers: the runs in ascending order, the groups by colour.
type whole struct{ runs, groups [][]tile.Face }

var allSets = sync.OnceValue(func() map[int]whole {
	all := map[int]whole{}
	for colour := range tile.Colour(4) {
		for first := 1; first <= tile.Highest; first++ {
			var run []tile.Face
			for number := first; number <= tile.Highest; number++ {
				if run = append(run, tile.NewFace(colour, number)); len(run) >= 3 {
					sets := all[len(run)]
					sets.runs = append(sets.runs, slices.Clone(run))
					all[len(run)] = sets
				}
			}
		}
	}
	for number := 1; number <= tile.Highest; number++ {
		for without := range tile.Colour(5) { // the fifth leaves none out
			var group []tile.Face
			for colour := range tile.Colour(4) {
				if colour != without {
					group = append(group, tile.NewFace(colour, number))
				}
			}
			sets := all[len(group)]
			sets.groups = append(sets.groups, group)
			all[len(group)] = sets
		}
	}
	return all
})

// known caches the meanings of sets, because the same sets appear again and again.
var known sync.Map // from string to []meaning

// meanings reads tiles in their order. No meaning: not a set; two: both a run and a group.
func meanings(set []tile.Face) []meaning {
	text := make([]byte, len(set))
	for i, f := range set {
		text[i] = byte(f)
	}
	if before, ok := known.Load(string(text)); ok {
		return before.([]meaning)
	}
	found := read(set)
	if len(found) > 0 { // invalid sets are too many to cache
		known.Store(string(text), found)
	}
	return found
}

// read compares the tiles with every set of the game.
func read(set []tile.Face) (found []meaning) {
	if !slices.ContainsFunc(set, func(f tile.Face) bool { return f != tile.Joker }) {
		return nil // jokers alone are not a set
	}
	sets := allSets()[len(set)]
	for _, run := range sets.runs {
		if !slices.EqualFunc(set, run, func(f, is tile.Face) bool { return f == tile.Joker || f == is }) {
			continue
		}
		one := meaning{run: true}
		for _, f := range run {
			one.stands = append(one.stands, 1<<f)
			one.worth += f.Number()
		}
		found = append(found, one)
	}
	group := meaning{stands: make([]uint64, len(set))}
	for _, whole := range sets.groups {
		missing, ok := missingOf(whole, set)
		if !ok {
			continue
		}
		group.worth = len(whole) * whole[0].Number()
		for i := range set {
			group.stands[i] |= missing
		}
	}
	if group.worth > 0 {
		found = append(found, group)
	}
	return found
}

// missingOf returns the tiles of a whole group that set lacks, which its jokers stand for. ok is false if set contains
// a tile outside the group, or one twice.
func missingOf(whole, set []tile.Face) (missing uint64, ok bool) {
	for _, f := range whole {
		missing |= 1 << f
	}
	for _, f := range set {
		if f == tile.Joker {
			continue
		}
		if missing>>f&1 == 0 {
			return 0, false
		}
		missing &^= 1 << f
	}
	return missing, true
}
