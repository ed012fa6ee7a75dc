package solve

import (
	"errors"
	"slices"
)

// A chain is one colour's path through the numbers 1 to 13, without the other colours. Its links are the sets of runs
// that can be open at a number. Its arcs are what can be done with the tiles of that number. The four chains share only
// the groups and the jokers.
//
// Invariant: a chain may use any group that could be made, so the cheapest paths of the four chains together never cost
// more than a real way.
//
// In the files of the search, c is a colour (0 to 3) and n a number (1 to 13).

const (
	mostJokers = 4       // the game has two; running times are measured with up to four
	mostCopies = 8       // of one face: two tiles, and jokers
	mostStates = 1 << 10 // of one colour at one number: ten bits of a key (search.go)
	mostSeated = 4       // new groups of one number that seatGroups can handle (host.go)
	never      = 1 << 28 // more than any way costs
	far        = never / 2
	unit       = 16 // costs are multiples of unit, so that prices can be fractions
)

// tiles holds what a search has to lay. Numbers above 13 are empty.
type tiles struct {
	have      [colours][numbers + 3]uint8 // by colour and number, including jokers that must keep their face
	idle      [colours][numbers + 3]uint8 // how many of them may stay on the rack
	fixed     [colours][numbers + 3]uint8 // how many of them are jokers
	rackTiles [colours][numbers + 3]uint8 // how many of them are on the rack
	cost      [numbers + 1]int32          // cost of a tile that stays on the rack, by number
	total     int                         // sum of have
	jokers    int                         // jokers that may stand for anything
	rack      int                         // jokers that may stay on the rack
	jokerCost int32                       // cost of a joker that stays there
	thrift    bool                        // use jokers only where they are needed; lay the others at the end
	turned    bool                        // number n stands for 14-n
	host      bool                        // a released joker's set must hold a rack tile; see host.go
	kept      kept
	groups    [numbers + 1]uint8 // the most groups that a number's tiles and all jokers could make
}

// runs are the open runs of one colour at one number. Three fields of four bits each count the runs with one tile, with
// two, and with three or more. Above them is one bit for each kept run of the old table, and above those the bits of
// host.go.
type runs uint64

const keptShift = 12

func openRuns(ones, twos, longs int, kept uint32) runs {
	return runs(ones|twos<<4|longs<<8) | runs(kept)<<keptShift
}

func (r runs) ones() int { return int(r & 15) }

func (r runs) twos() int { return int(r >> 4 & 15) }

func (r runs) longs() int { return int(r >> 8 & 15) }

func (r runs) kept() uint32 { return uint32(r >> keptShift & (1<<mostKept - 1)) }

// link is a state of a chain at a number.
type link struct {
	runs   runs
	used   int8      // the fewest jokers used to reach it
	rank   int8      // how much its runs still need
	better [3]uint16 // set by compare: links of the place with better runs; 0: none
	first  int32     // its arcs are chains.arcs[first:last]
	last   int32
}

// toGo is the least cost from a link to the end, by the number of jokers that may be used. The entries for negative
// numbers come first and hold never.
type toGo [2*mostJokers + 1]int32

// at returns the cost with the given number of jokers; below 0 it is never.
func (t *toGo) at(jokers int) int32 { return t[mostJokers+jokers] }

// arc is one way through one number.
type arc struct {
	from, to  uint16 // indices of links
	fee       int32  // cost without spare tiles, each joker at its price
	slot      uint8  // index of the cost of its spare tiles
	jokers    uint8  // used in runs
	spare     uint8  // tiles that no run takes: for groups, or idle
	idle      uint8  // how many of the spare tiles may lie idle
	longer    uint8  // long runs that continue; the short ones all do
	begun     uint8  // runs begun
	broken    uint8  // runs of the old table that could have been kept but are not
	leastIdle uint8  // how many of the spare tiles must lie idle
	waits     uint8  // runs that end with a joker and without a rack tile
	claims    uint8  // rack tiles among the spare ones
	plan      uint32 // with hosts: what each open run gets, then each run begun
}

// place is one colour at one number: its links, and its arcs sorted by the link that they leave. A quiet place has no
// tile and no open run, so nothing can happen there: it shares its only link with the next place, and has no arcs.
type place struct {
	quiet           bool
	links, linksEnd int32 // chains.links[links:linksEnd]
	arcs, arcsEnd   int32 // chains.arcs[arcs:arcsEnd]
}

// limits holds the largest position that the chains can handle: the states of one colour at one number, and the new
// groups of one number where jokers need hosts.
type limits struct{ mostStates, mostSeated int }

// chains holds the four chains of a position. Its memory is reused.
type chains struct {
	tiles
	places  [colours][numbers + 2]place
	links   []link
	arcs    []arc
	joker   int32                  // price of a joker
	limits                         // limits that the position must not exceed
	tooMany bool                   // the position exceeds them
	skip    [numbers + 1]bool      // nothing can be laid at the number
	plain   [1 << keptShift]uint16 // the newest link of each set of plain runs, none of them kept

	// These are indexed by link.
	behind []int32 // least cost of a way to the link, at the prices
	ahead  []int32 // least cost from the link to the end
	toGo   []toGo
}

// errTooMany reports that a position exceeds a limit of the chains. That has been seen only with more tiles than the
// game has, in positions where jokers need hosts. With the game's tiles, a colour has at most 460 states at a number.
var errTooMany = errors.New("too many states or groups for the chains")

// The index of a link has 16 bits. This constant, the most links that all colours can have, must fit.
const _ = uint16(colours * (numbers + 1) * mostStates)

// build makes the four chains, and reports whether each of them has a way to the end. The error is errTooMany.
func (s *chains) build() (possible bool, err error) {
	s.links, s.arcs = s.links[:0], append(s.arcs[:0], arc{}) // arc 0 stands for the step at quiet places
	s.total = 0
	for n := 1; n <= numbers; n++ {
		s.total += int(s.have[0][n]) + int(s.have[1][n]) + int(s.have[2][n]) + int(s.have[3][n])
		if s.groups[n] = s.mostGroups(n); s.host && int(s.groups[n]) > s.mostSeated {
			return false, errTooMany
		}
	}
	s.tooMany = false
	for c := range colours {
		switch possible := s.buildChain(c); {
		case s.tooMany:
			return false, errTooMany
		case !possible:
			return false, nil
		}
	}
	s.behind = slices.Grow(s.behind[:0], len(s.links))[:len(s.links)]
	s.ahead = slices.Grow(s.ahead[:0], len(s.links))[:len(s.links)]
	for len(s.toGo) < len(s.links) {
		s.toGo = append(s.toGo, toGo{never, never, never, never})
	}
	for n := 1; n <= numbers; n++ {
		s.skip[n] = s.places[0][n].quiet && s.places[1][n].quiet && s.places[2][n].quiet && s.places[3][n].quiet &&
			s.groups[n] == 0
	}
	for c := range colours {
		end := s.places[c][numbers+1].links
		s.ahead[end], s.toGo[end] = 0, toGo{never, never, never, never}
	}
	return true, nil
}

func (s *chains) buildChain(c int) bool {
	s.places[c][1].links = int32(len(s.links))
	s.newLink(link{})
	for n := 1; n <= numbers; n++ {
		at, next := &s.places[c][n], &s.places[c][n+1]
		at.linksEnd, at.arcs, at.arcsEnd = int32(len(s.links)), int32(len(s.arcs)), int32(len(s.arcs))
		if at.quiet = s.nothingAt(c, n); at.quiet {
			next.links = at.links
			continue
		}
		next.links = at.linksEnd
		for i := at.links; i < at.linksEnd; i++ {
			first := int32(len(s.arcs))
			if s.host || s.kept.broken > 0 {
				s.leave(c, n, i)
			} else {
				s.leaveKeeping(c, n, arc{from: uint16(i)}, int(s.have[c][n]), 0)
			}
			s.links[i].first, s.links[i].last = first, int32(len(s.arcs))
		}
		at.arcsEnd = int32(len(s.arcs))
		if next.links == int32(len(s.links)) || s.tooMany {
			return false
		}
	}
	return true
}

// compare finds for each link the better links of the same place: a long run may do what a shorter run must do, and a
// run of two tiles needs less than a run of one.
func (s *chains) compare() {
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			at := &s.places[c][n]
			for i := at.links; i < at.linksEnd; i++ {
				s.compareLink(i, s.links[at.links:at.linksEnd], at.links)
			}
		}
	}
}

func (s *chains) compareLink(i int32, among []link, first int32) {
	l := &s.links[i]
	l.better = [3]uint16{}
	open, found := l.runs, 0
	for k, better := range [3]runs{open.with(plain, 3, 1), open.with(plain, 3, 1).with(plain, 2, -1),
		open.with(plain, 2, 1).with(plain, 1, -1)} {
		if k == 1 && open.twos() == 0 || k == 2 && open.ones() == 0 {
			continue
		}
		if at := slices.IndexFunc(among, func(l link) bool { return l.runs == better }); at >= 0 {
			l.better[found] = uint16(first) + uint16(at)
			found++
		}
	}
}

// nothingAt reports whether a place is quiet. With thrift, jokers alone begin a run only at 11, the last number at
// which a run can begin.
func (s *chains) nothingAt(c, n int) bool {
	at := &s.places[c][n]
	return s.have[c][n] == 0 && at.linksEnd == at.links+1 && s.links[at.links].runs == 0 &&
		(s.jokers == 0 || s.thrift && s.kept.broken == 0 && n != numbers-2)
}

func (s *tiles) mostGroups(n int) uint8 {
	a, b, c, d := int(s.have[0][n]), int(s.have[1][n]), int(s.have[2][n]), int(s.have[3][n])
	for k := 1; ; k++ {
		if min(a, k)+min(b, k)+min(c, k)+min(d, k)+s.jokers < 3*k {
			return uint8(k - 1)
		}
	}
}
