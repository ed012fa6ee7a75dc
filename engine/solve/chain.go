package solve

// A chain is one colour's way through the numbers 1 to 13, the other colours out of sight: its states are
// the runs that lie open, its arcs what is done with the tiles of one number. What the colours share are the
// groups and the jokers. A chain alone, with every group allowed that could be made at a number, gives a lower
// bound for what the colour costs from there on; the search over all four colours is guided by these bounds.

const (
	mostJokers = 4       // the game has two; growth is measured up to four
	never      = 1 << 28 // a cost that no position has
)

// runs are the open runs of one colour at one number: how many have one tile, two, three or more; four bits
// each.
type runs uint16

func openRuns(ones, twos, longs int) runs { return runs(ones | twos<<4 | longs<<8) }

func (r runs) ones() int  { return int(r & 15) }
func (r runs) twos() int  { return int(r >> 4 & 15) }
func (r runs) longs() int { return int(r >> 8) }

// link is a state of a chain at a number, with its arcs to the next one.
type link struct {
	runs   runs
	jokers int8  // the fewest jokers that a way here needs
	first  int32 // its arcs are chains.arcs[first:last]
	last   int32
	toGo   [mostJokers + 1]int32 // least cost from here on, by the jokers that may be used
}

// arc is one way through one number.
type arc struct {
	to     uint8 // index of the link at the next number
	jokers uint8 // jokers that stand in the colour's place
	spare  uint8 // tiles, jokers among them, that no run takes: for groups, or idle
	begun  uint8 // runs begun
	longer uint8 // long runs that go on; the short ones all do
	idle   uint8 // how many of the spare tiles may lie idle
	least  int32 // least cost of the spare tiles, and of the way on with all jokers
}

// chains are the four chains of a position.
type chains struct {
	tiles
	links [colours][numbers + 2][]link
	arcs  []arc
}

// tiles are what a search has: how many tiles of each colour and number there are, and how many of them may
// lie idle, at which cost each. Numbers 0 and above 13 hold nothing.
type tiles struct {
	have, idle [colours][numbers + 3]uint8
	cost       [numbers + 1]int32
	jokers     int
	frugal     bool               // jokers may be left over: they are placed at the end
	groups     [numbers + 1]uint8 // the most groups that the number's tiles and all jokers could make
}

func (s *chains) build() {
	for n := 1; n <= numbers; n++ {
		s.groups[n] = s.mostGroups(n)
	}
	s.arcs = s.arcs[:0]
	for c := range colours {
		s.forward(c)
		s.backward(c)
	}
}

func (s *tiles) mostGroups(n int) uint8 {
	for k := 1; ; k++ {
		total := s.jokers
		for c := range colours {
			total += min(int(s.have[c][n]), k)
		}
		if total < 3*k {
			return uint8(k - 1)
		}
	}
}

// forward finds the links that can be reached and their arcs.
func (s *chains) forward(c int) {
	links := &s.links[c]
	for n := 1; n <= numbers+1; n++ {
		links[n] = links[n][:0]
	}
	links[1] = append(links[1], link{})
	for n := 1; n <= numbers; n++ {
		for i := range links[n] {
			s.leave(c, n, i)
		}
	}
}

// leave makes the arcs of one link.
func (s *chains) leave(c, n, i int) {
	from := &s.links[c][n][i]
	from.first = int32(len(s.arcs))
	r, used := from.runs, from.jokers
	must := r.ones() + r.twos()
	have := int(s.have[c][n])
	for jokers := max(0, must-have); jokers <= s.jokers-int(used); jokers++ {
		free := have + jokers - must
		taken := 0
		if jokers > 0 && s.frugal {
			taken = free // with a tile left for a group, that tile can go here and the joker there
		}
		for ; taken <= free; taken++ {
			longer := min(r.longs(), taken)
			begun, spare := taken-longer, free-taken
			if n > numbers-2 && begun > 0 || n == numbers && r.ones() > 0 {
				break
			}
			if jokers > 0 && s.frugal && s.wasteful(c, n, jokers, longer, begun) {
				continue
			}
			idle := min(int(s.idle[c][n]), spare)
			if longer < r.longs() {
				idle = 0 // a long run takes it
			}
			if spare-idle > int(s.groups[n]) {
				continue
			}
			s.arcs = append(s.arcs, arc{jokers: uint8(jokers), spare: uint8(spare), begun: uint8(begun), longer: uint8(longer), idle: uint8(idle),
				to: s.reach(c, n+1, openRuns(begun, r.ones(), r.twos()+longer), used+int8(jokers))})
		}
	}
	s.links[c][n][i].last = int32(len(s.arcs))
}

// wasteful tells whether the jokers at a number do what fewer could do, or others elsewhere. A run begins with a
// joker only where it could not end with it; and a joker lengthens a long run only where more can follow.
func (s *chains) wasteful(c, n, jokers, longer, begun int) bool {
	have := int(s.have[c][n])
	if begun > have && n != numbers-2 {
		return true
	}
	return longer > 0 && s.have[c][n+1] == 0 && (n >= numbers-1 || s.have[c][n+2] == 0 || s.jokers-jokers < 1)
}

// reach gives the index of a link, made if it is new. Long runs that nothing can lengthen are forgotten.
func (s *chains) reach(c, n int, r runs, jokers int8) uint8 {
	if n > numbers {
		r = 0
	} else if most := max(0, int(s.have[c][n])+s.jokers-int(jokers)-r.ones()-r.twos()); r.longs() > most {
		r = openRuns(r.ones(), r.twos(), most)
	}
	links := s.links[c][n]
	for i := range links {
		if links[i].runs == r {
			links[i].jokers = min(links[i].jokers, jokers)
			return uint8(i)
		}
	}
	s.links[c][n] = append(links, link{runs: r, jokers: jokers})
	return uint8(len(links))
}

// backward computes the bounds.
func (s *chains) backward(c int) {
	for i := range s.links[c][numbers+1] {
		s.links[c][numbers+1][i].toGo = [mostJokers + 1]int32{}
	}
	for n := numbers; n >= 1; n-- {
		next := s.links[c][n+1]
		for i := range s.links[c][n] {
			at := &s.links[c][n][i]
			for k := range at.toGo {
				at.toGo[k] = never
			}
			for a := at.first; a < at.last; a++ {
				arc := &s.arcs[a]
				own := s.cost[n] * int32(max(0, int(arc.spare)-int(s.groups[n])))
				to := &next[arc.to].toGo
				arc.least = own + to[s.jokers]
				for k := int(arc.jokers); k <= s.jokers; k++ {
					at.toGo[k] = min(at.toGo[k], own+to[k-int(arc.jokers)])
				}
			}
		}
	}
}
