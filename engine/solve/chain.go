package solve

import "slices"

// A chain is one colour's way through the numbers 1 to 13 with the other colours out of sight. Its links are the
// sets of runs that can lie open at a number, its arcs what can be done with the tiles of that number. The four
// chains share the groups and the jokers, nothing else.

const (
	mostJokers = 4 // the game has two; how time grows is measured up to four
	mostCopies = 8 // of one face: two tiles, and jokers
	mostLinks  = 1 << 16
	mostStates = 1 << 10 // of one colour at one number
	never      = 1 << 28 // more than any way costs
	far        = never / 2
	unit       = 16 // costs are multiples of it, so that prices can be fractions
)

// tiles are what a search has to lay. Numbers above 13 hold nothing.
type tiles struct {
	have      [colours][numbers + 3]uint8 // jokers that must stay what they stand for among them
	idle      [colours][numbers + 3]uint8 // how many of them may stay on the rack
	fixed     [colours][numbers + 3]uint8 // how many of them are jokers
	rackTiles [colours][numbers + 3]uint8 // how many of them are on the rack
	cost      [numbers + 1]int32          // of a tile that stays on the rack
	total     int                         // of them all
	jokers    int                         // that may stand for anything
	rack      int                         // how many of them may stay on the rack
	jokerCost int32                       // of one that does
	thrift    bool                        // jokers are used where they are needed only; those left over are laid at the end
	turned    bool                        // number n is 14-n
	host      bool                        // a released joker's set must hold a tile of the rack, but for as many sets as jokers are on the rack
	kept      kept
	groups    [numbers + 1]uint8 // the most groups that a number's tiles and all jokers could make
}

// runs are the open runs of one colour at one number: how many have one tile, two, and three or more, four bits
// each; above them one bit for each run of the old table that is being kept; above these what host.go says.
type runs uint64

const keptShift = 12

func openRuns(ones, twos, longs int, kept uint32) runs {
	return runs(ones|twos<<4|longs<<8) | runs(kept)<<keptShift
}

func (r runs) ones() int    { return int(r & 15) }
func (r runs) twos() int    { return int(r >> 4 & 15) }
func (r runs) longs() int   { return int(r >> 8 & 15) }
func (r runs) kept() uint32 { return uint32(r >> keptShift & (1<<mostKept - 1)) }

// link is a state of a chain at a number.
type link struct {
	runs   runs
	used   int8      // the fewest jokers with which it is reached
	rank   int8      // how much its runs ask for
	better [3]uint16 // by compare, 0 for none: links of the same place whose runs can do all that its runs can, and more
	first  int32     // its arcs are chains.arcs[first:last]
	last   int32
}

// toGo is the least cost from a link on, by the jokers that may be used, behind as many places that say never.
type toGo [2*mostJokers + 1]int32

// at gives it for some jokers; below none it is never.
func (t *toGo) at(jokers int) int32 { return t[mostJokers+jokers] }

// arc is one way through one number.
type arc struct {
	from, to  uint16 // links
	fee       int32  // what it costs beside spare tiles, a joker at its price
	slot      uint8  // index of what its spare tiles cost
	jokers    uint8  // used in runs
	spare     uint8  // tiles that no run takes: for groups, or idle
	idle      uint8  // how many of the spare tiles may lie idle
	longer    uint8  // long runs that go on; the short ones all do
	begun     uint8  // runs begun
	broken    uint8  // runs of the old table that could have been kept and are not
	leastIdle uint8  // how many must
	waits     uint8  // runs that end with a joker and without a tile of the rack
	claims    uint8  // tiles of the rack among the spare ones
	plan      uint32 // what each open run gets, then each one begun, where jokers need hosts
}

// place is one colour at one number: its links and its arcs, sorted by where they come from. A quiet one has no tile and no
// open run, so that nothing can happen: it shares its only link with the next place, and has no arcs.
type place struct {
	quiet           bool
	links, linksEnd int32 // chains.links[links:linksEnd]
	arcs, arcsEnd   int32 // chains.arcs[arcs:arcsEnd]
}

// chains are the four chains of a position. Their memory is used again.
type chains struct {
	tiles
	places [colours][numbers + 2]place
	links  []link
	arcs   []arc
	joker  int32                  // price of a joker
	skip   [numbers + 1]bool      // nothing can be laid there
	plain  [1 << keptShift]uint16 // the newest link of plain runs, none of them kept

	// by link
	behind []int32 // least cost of a way there, at the prices
	ahead  []int32 // and from there on
	toGo   []toGo
}

// build makes the chains, and tells whether each of them has a way at all.
func (s *chains) build() bool {
	s.links, s.arcs = s.links[:0], append(s.arcs[:0], arc{}) // the first one stands for what is done at quiet places
	s.total = 0
	for n := 1; n <= numbers; n++ {
		s.total += int(s.have[0][n]) + int(s.have[1][n]) + int(s.have[2][n]) + int(s.have[3][n])
		s.groups[n] = s.mostGroups(n)
	}
	for c := range colours {
		if !s.buildChain(c) {
			return false
		}
	}
	if len(s.links) >= mostLinks {
		panic("solve: more than 65535 states of all colours at all numbers")
	}
	s.behind = slices.Grow(s.behind[:0], len(s.links))[:len(s.links)]
	s.ahead = slices.Grow(s.ahead[:0], len(s.links))[:len(s.links)]
	for len(s.toGo) < len(s.links) {
		s.toGo = append(s.toGo, toGo{never, never, never, never})
	}
	for n := 1; n <= numbers; n++ {
		s.skip[n] = s.places[0][n].quiet && s.places[1][n].quiet && s.places[2][n].quiet && s.places[3][n].quiet && s.groups[n] == 0
	}
	for c := range colours {
		end := s.places[c][numbers+1].links
		s.ahead[end], s.toGo[end] = 0, toGo{never, never, never, never}
	}
	return true
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
		if next.links == int32(len(s.links)) {
			return false
		}
	}
	return true
}

// compare finds the links that are better than others of the same place: a long run may do what a shorter one must, and a run of two
// has less to do than one of one.
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
	r, found := l.runs, 0
	for k, better := range [3]runs{r.with(plain, 3, 1), r.with(plain, 3, 1).with(plain, 2, -1), r.with(plain, 2, 1).with(plain, 1, -1)} {
		if k == 1 && r.twos() == 0 || k == 2 && r.ones() == 0 {
			continue
		}
		if at := slices.IndexFunc(among, func(l link) bool { return l.runs == better }); at >= 0 {
			l.better[found] = uint16(first) + uint16(at)
			found++
		}
	}
}

// nothingAt tells whether a place is quiet: jokers alone do nothing there under thrift but begin a last run.
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
