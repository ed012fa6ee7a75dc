package solve

// Under joker_release: with_rack_tile, a released joker must end in a set with a tile played in this turn; a joker from
// the rack counts. So it matters which run takes which tile. A run is plain, waiting (it holds a joker that may be a
// released one, and no rack tile yet), or hosting (it holds a rack tile that no other set claims). A set that ends
// waiting is legal if one of its jokers came from the rack. So at most as many sets may end waiting as jokers are laid
// from the rack.
//
// Invariant: each rack tile is claimed by at most one set.

const (
	plain = iota
	waiting
	hosting
)

// The choices for a run at a number.
const (
	ends = iota
	getsTile
	getsRackTile // a rack tile, which it claims
	getsJoker
)

const (
	hostShift = 22 // above the kept runs: waiting runs, then hosts, 3 bits per length
	planBits  = 2  // of an arc's plan, for what one run gets; an arc has at most maxCopies+maxJokers runs
)

// of returns the number of open runs of a kind and length; 3 means three or more tiles.
func (r runs) of(kind, length int) int {
	if kind == plain {
		return int(r >> (4 * (length - 1)) & 15)
	}
	return int(r >> (hostShift + 9*(kind-1) + 3*(length-1)) & 7)
}

func (r runs) with(kind, length, more int) runs {
	if kind == plain {
		return r + runs(more)<<(4*(length-1))
	}
	return r + runs(more)<<(hostShift+9*(kind-1)+3*(length-1))
}

// hosts is an arc in the making, of one link at one number of one colour, if jokers need hosts.
type hosts struct {
	chains *chains
	colour int
	number int
	used   int8 // jokers used before the number
	open   runs // runs still to be decided
	next   runs
	by     arc
	have   int // tiles left
	claims int // rack tiles not claimed yet
	jokers int
	plan   uint32
	steps  int
	ended  bool // a long run has ended here
}

func (s *chains) leaveHosting(c, n int, from link, by arc, have int, on uint32) {
	for idle := 0; idle <= min(int(s.idle[c][n]), have); idle++ {
		h := hosts{chains: s, colour: c, number: n, used: from.used, by: by, have: have - idle,
			claims: int(s.rackTiles[c][n]) - idle, jokers: s.jokers - int(from.used) - int(by.jokers),
			open: from.runs &^ (1<<hostShift - 1<<keptShift), next: openRuns(0, 0, 0, on)}
		h.by.idle, h.by.leastIdle = uint8(idle), uint8(idle)
		h.decide(plain, 1, ends)
	}
}

// decide tries each choice for the next open run. Equal runs get their choices in ascending order, so that each
// combination is tried only once.
func (h hosts) decide(kind, length, from int) {
	for h.open.of(kind, length) == 0 {
		from = ends
		if length++; length > 3 {
			kind, length = kind+1, 1
		}
		if kind > hosting {
			h.begin(getsTile)
			return
		}
	}
	h.open = h.open.with(kind, length, -1)
	for gets := from; gets <= getsJoker; gets++ {
		next, becomes := h, kind
		switch {
		case gets == ends:
			if length < 3 || h.by.idle > 0 {
				continue // an idle tile could lengthen it
			}
			next.ended = true
			if kind == waiting {
				next.by.waits++
			}
		case !next.give(gets, &becomes):
			continue
		}
		if gets != ends {
			next.next = next.next.with(becomes, min(length+1, 3), 1)
		}
		next.note(gets)
		next.decide(kind, length, gets)
	}
}

// give takes from the stock what a run gets and updates the kind of the run. It reports whether that is allowed: the
// stock must have it, and a hosting run claims no second rack tile.
func (h *hosts) give(gets int, kind *int) bool {
	if gets == getsJoker {
		if *kind == plain {
			*kind = waiting
		}
		h.jokers--
		h.by.jokers++
		return h.jokers >= 0
	}
	if gets == getsRackTile {
		if *kind == hosting {
			return false
		}
		*kind = hosting
		h.claims--
	}
	h.have--
	return h.have >= 0 && h.claims >= 0
}

func (h *hosts) note(gets int) {
	h.plan |= uint32(gets) << (planBits * h.steps)
	h.steps++
}

// begin makes the arc, then tries to begin further runs.
func (h hosts) begin(from int) {
	h.finish()
	if h.ended || h.number > numbers-2 {
		return
	}
	for gets := from; gets <= getsJoker; gets++ {
		next, becomes := h, plain
		if !next.give(gets, &becomes) {
			continue
		}
		next.next = next.next.with(becomes, 1, 1)
		next.by.begun++
		next.note(gets)
		next.begin(gets)
	}
}

func (h *hosts) finish() {
	chains := h.chains
	if h.number == numbers {
		for kind := plain; kind <= hosting; kind++ {
			if h.next.of(kind, 1)+h.next.of(kind, 2) > 0 {
				return
			}
		}
		h.by.waits += uint8(h.next.of(waiting, 3))
		h.next = 0
	}
	if h.have > int(chains.groups[h.number]) {
		return
	}
	a := h.by
	a.spare, a.claims, a.plan = uint8(h.have)+a.idle, uint8(min(h.claims, h.have)), h.plan
	a.to = chains.reach(h.colour, h.number+1, h.next, h.used+int8(a.jokers))
	chains.add(&a, true)
}

// seating distributes tiles and jokers among up to four new groups of a number.
type seating struct {
	takes  [mostSeated][colours]bool
	jokers [mostSeated]int
	waits  int // groups with a joker that can claim no rack tile
}

// seatGroups distributes tiles and jokers among groups so that the fewest groups wait. takes holds the number of tiles
// by colour, claims the unclaimed rack tiles among them. ok is false if they cannot be distributed.
func seatGroups(groups, jokers int, takes, claims [colours]uint8) (best seating, ok bool) {
	best.waits = groups + 1
	var at seating
	var colour func(c int)
	colour = func(c int) {
		if c == colours {
			if s, fits := at.withJokers(groups, jokers, claims); fits && s.waits < best.waits {
				best = s
			}
			return
		}
		for mask := range 1 << groups {
			if ones(uint32(mask)) != takes[c] {
				continue
			}
			for g := range groups {
				at.takes[g][c] = mask>>g&1 == 1
			}
			colour(c + 1)
		}
	}
	colour(0)
	return best, best.waits <= groups
}

func (s seating) withJokers(groups, jokers int, claims [colours]uint8) (seating, bool) {
	var tiles [mostSeated]int
	for g := range groups {
		for c := range colours {
			if s.takes[g][c] {
				tiles[g]++
			}
		}
		if tiles[g] == 0 {
			return s, false
		}
		for ; tiles[g] < 3; tiles[g]++ {
			s.jokers[g]++
			jokers--
		}
	}
	for jokers > 0 { // a joker goes best beside another joker or a tile to claim
		at := -1
		for g := range groups {
			if tiles[g] < 4 && (at < 0 || s.worth(g, claims) > s.worth(at, claims)) {
				at = g
			}
		}
		if at < 0 {
			return s, false
		}
		s.jokers[at]++
		tiles[at]++
		jokers--
	}
	if jokers < 0 {
		return s, false
	}
	s.waits = s.count(0, groups, claims)
	return s, true
}

func (s *seating) worth(g int, claims [colours]uint8) int {
	if s.jokers[g] > 0 {
		return 2
	}
	for c := range colours {
		if s.takes[g][c] && claims[c] > 0 {
			return 1
		}
	}
	return 0
}

// count returns the smallest possible number of groups, from index g on, that hold a joker and claim no tile.
func (s *seating) count(g, groups int, claims [colours]uint8) int {
	if g == groups {
		return 0
	}
	if s.jokers[g] == 0 {
		return s.count(g+1, groups, claims)
	}
	fewest := 1 + s.count(g+1, groups, claims)
	for c := range colours {
		if s.takes[g][c] && claims[c] > 0 {
			rest := claims
			rest[c]--
			fewest = min(fewest, s.count(g+1, groups, rest))
		}
	}
	return fewest
}
