package solve

import (
	"math/bits"

	"meldhall/engine/tile"
)

// mostKept is how many runs of one colour there can be: 26 tiles and four jokers, three at least in each.
const mostKept = 10

// kept are the sets of the old table that a play may leave as they lie. The zero value keeps none, and costs
// nothing for it.
type kept struct {
	runs   [colours][]keptRun
	at     [numbers + 1][]keptGroup
	wanted [colours][numbers + 1]uint8 // tiles that groups of the old table hold
	broken int32                       // cost of a set that does not stay
}

// keptRun is a run of the old table: its numbers, and where jokers lie in it that may stand for anything.
type keptRun struct {
	first, last int
	jokers      uint16 // by number
	fixed       uint16 // where jokers lie in it that go on to stand for what they do, by number
	set         int    // index in the table
}

// keptGroup is a group of the old table.
type keptGroup struct {
	takes  [colours]uint8
	fixed  [colours]uint8 // how many of those are jokers
	jokers uint8          // that may stand for anything
	set    int
}

func (k *kept) clear() {
	for c := range k.runs {
		k.runs[c] = k.runs[c][:0]
	}
	for n := range k.at {
		k.at[n] = k.at[n][:0]
	}
	k.wanted = [colours][numbers + 1]uint8{}
	k.broken = 0
}

// beginning gives the runs of a colour that begin at a number, one bit each.
func (k *kept) beginning(c, n int) (begin uint32) {
	for i := range k.runs[c] {
		if k.runs[c][i].first == n {
			begin |= 1 << i
		}
	}
	return begin
}

// takes counts the tiles and the jokers that runs take at a number.
func (k *kept) takes(c, n int, on uint32) (naturals, jokers int) {
	for rest := on; rest != 0; rest &= rest - 1 {
		if k.runs[c][bits.TrailingZeros32(rest)].jokers>>n&1 == 1 {
			jokers++
		} else {
			naturals++
		}
	}
	return naturals, jokers
}

// goingOn gives those of the runs that go on at the next number.
func (k *kept) goingOn(c, n int, on uint32) (still uint32) {
	for rest := on; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros32(rest); k.runs[c][i].last > n {
			still |= 1 << i
		}
	}
	return still
}

// choose gives what the chosen groups of a number take, and how many are not chosen.
func (k *kept) choose(n int, chosen uint8) (takes [colours]uint8, jokers, broken uint8) {
	for i := range k.at[n] {
		if chosen>>i&1 == 0 {
			broken++
			continue
		}
		g := &k.at[n][i]
		jokers += g.jokers
		for c := range takes {
			takes[c] += g.takes[c]
		}
	}
	return takes, jokers, broken
}

// add enters a set of the old table. stands gives for each of its jokers the face that it must go on to stand for, and
// tile.Joker for one that may be moved. A set whose jokers cannot stand for these is not entered.
func (k *kept) add(index int, set, stands []tile.Face) bool {
	if r, ok := tile.AsRun(set); ok && fits(r, set, stands) {
		k.addRun(index, set, r, stands)
		return true
	}
	if r, ok := tile.AsGroup(set); ok && fits(r, set, stands) {
		k.addGroup(index, set, stands)
		return true
	}
	return false
}

func fits(r tile.Reading, set, stands []tile.Face) bool {
	at := 0
	for i, f := range set {
		if f != tile.Joker {
			continue
		}
		if stands[at] != tile.Joker && !r.Stands(i).Has(stands[at]) {
			return false
		}
		at++
	}
	return true
}

func (k *kept) addRun(index int, set []tile.Face, r tile.Reading, stands []tile.Face) {
	run, at := keptRun{first: r.First().Number(), set: index}, 0
	run.last = run.first + len(set) - 1
	for i, f := range set {
		if f != tile.Joker {
			continue
		}
		if stands[at] == tile.Joker {
			run.jokers |= 1 << (run.first + i)
		} else {
			run.fixed |= 1 << (run.first + i)
		}
		at++
	}
	if c := r.First().Colour(); len(k.runs[c]) < mostKept {
		k.runs[c] = append(k.runs[c], run)
	}
}

func (k *kept) addGroup(index int, set, stands []tile.Face) {
	group, n, at := keptGroup{set: index}, 0, 0
	for _, f := range set {
		joker := f == tile.Joker
		if joker {
			f = stands[at]
			at++
		}
		if f == tile.Joker {
			group.jokers++
			continue
		}
		n = f.Number()
		group.takes[f.Colour()]++
		if joker {
			group.fixed[f.Colour()]++
		}
	}
	for c, t := range group.takes {
		k.wanted[c][n] += t
	}
	k.at[n] = append(k.at[n], group)
}

func ones(mask uint32) uint8 { return uint8(bits.OnesCount32(mask)) }
