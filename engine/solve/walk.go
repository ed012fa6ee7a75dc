package solve

import "meldhall/engine/tile"

// This file finds the ways from one number to the next for an opening. Invariant: a way is left out only if it cannot
// be completed or if a better one is sure to exist. In this file, c is a colour, n a number, and s a state.

const (
	colours     = 4
	maxJokers   = 2
	tableCopies = 2
	maxCopies   = 4 // the game has two; counted racks may say more
	numbers     = tile.Highest
)

// state is what the numbers below leave behind: for each colour, in 9 bits, how many open runs have one, two, and three
// or more tiles (3 bits each); then 2 bits for the jokers left.
type state uint64

const (
	runBits    = 9
	jokerShift = colours * runBits
)

func (s state) runs(c int) (ones, twos, longs int) {
	r := s >> (c * runBits)
	return int(r & 7), int(r >> 3 & 7), int(r >> 6 & 7)
}

func (s state) jokers() int { return int(s >> jokerShift & 3) }

func withJokers(jokers int) state { return state(jokers) << jokerShift }

// step is one way through one number, with the state that it leaves to the numbers above.
type step struct {
	next   state
	tiles  uint8 // tiles and jokers used at this number
	jokers uint8 // jokers among them
	groups uint8
	choice [colours]choice
}

// sets returns the number of sets that begin at this number.
func (s *step) sets() uint8 {
	sets := s.groups
	for _, c := range s.choice {
		sets += c.begun
	}
	return sets
}

// choice is what happens to one colour at one number: jokers used there, long runs that go on, runs that begin. Open
// runs of one or two tiles always go on.
type choice struct{ jokers, longer, begun uint8 }

// walk holds the tiles of one search, counted by colour and number, and finds the ways through a number. Index 0 and
// the numbers above 13 are empty.
type walk struct {
	have      [colours][numbers + 3]uint8
	jokers    int
	groupable [numbers + 3]bool // a group of this number is possible
	frugal    bool              // no joker is used where a tile lies idle, because that is no better
	ways      ways
	steps     []step
}

// fill takes the tiles of a rack, except those that no set can hold.
func (w *walk) fill(rack tile.Counts) {
	w.jokers = int(min(rack[tile.Joker], maxJokers))
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			w.have[c][n] = min(rack[tile.NewFace(tile.Colour(c), n)], maxCopies)
		}
	}
	least := uint8(3 - w.jokers) // tiles besides jokers in a set of just three
	var inRun, inGroup [numbers + 3]uint8
	for n := 1; n <= numbers; n++ {
		for c := range colours {
			inGroup[n] += min(w.have[c][n], 1)
		}
		w.groupable[n] = inGroup[n] >= least
	}
	for c := range colours {
		have := &w.have[c]
		for n := 1; n <= numbers-2; n++ {
			inRun[n] = min(have[n], 1) + min(have[n+1], 1) + min(have[n+2], 1)
		}
		for n := 1; n <= numbers; n++ {
			run := max(inRun[n], inRun[max(1, n-1)], inRun[max(1, n-2)])
			if run < least && inGroup[n] < least {
				have[n] = 0
			}
		}
	}
}

// through returns every way through number n from state s that can still be completed.
func (w *walk) through(s state, n int) []step {
	w.steps = w.steps[:0]
	left := uint8(s.jokers())
	var list [colours][]way
	for c := range colours {
		list[c] = w.ways.of(w, s, n, c)
	}
	var four [colours]*way
	for i := range list[0] {
		if four[0] = &list[0][i]; four[0].cost > left {
			break
		}
		for i := range list[1] {
			if four[1] = &list[1][i]; four[0].cost+four[1].cost > left {
				break
			}
			for i := range list[2] {
				if four[2] = &list[2][i]; four[0].cost+four[1].cost+four[2].cost > left {
					break
				}
				for i := range list[3] {
					if four[3] = &list[3][i]; four[0].cost+four[1].cost+four[2].cost+four[3].cost > left {
						break
					}
					w.finish(&four, left)
				}
			}
		}
	}
	return w.steps
}

// finish makes groups of the tiles that no run took, and keeps the step unless a better one is sure to exist.
func (w *walk) finish(four *[colours]*way, left uint8) {
	groups, grouped := groupsOf([colours]uint8{four[0].spare, four[1].spare, four[2].spare, four[3].spare})
	by := step{tiles: grouped, groups: groups}
	for c, way := range four {
		if way.spare > groups+way.unused {
			return
		}
		by.choice[c] = way.choice
		by.tiles += way.tiles
		by.jokers += way.choice.jokers
	}
	left -= by.jokers
	for c, way := range four {
		by.next |= state(way.next[left]) << (c * runBits)
	}
	by.next |= withJokers(int(left))
	w.steps = append(w.steps, by)
}

// groupsOf returns the largest number of groups that tiles of one number can make, and how many tiles these groups
// take. With k groups each colour gives at most k tiles, and the groups can be balanced if there are 3k tiles in all.
// More groups never take fewer tiles of any colour.
func groupsOf(spare [colours]uint8) (groups, tiles uint8) {
	for k := uint8(1); ; k++ {
		total := uint8(0)
		for _, s := range spare {
			total += min(s, k)
		}
		if total < 3*k {
			return groups, tiles
		}
		groups, tiles = k, total
	}
}
