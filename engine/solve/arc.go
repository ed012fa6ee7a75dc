package solve

// This file makes the arcs of the chains. At a number, each open run of one or two tiles takes a tile. Each other tile
// lengthens a long run, begins a run, is spare for a group, or lies idle. An arc is one way to divide the tiles like
// this. It leads to the link with the runs that are open afterwards.
//
// Invariant: an arc is left out only if its runs cannot be finished, or if another way is at least as good.

// leave makes the arcs that leave link i at number n of colour c, for every choice of old runs to keep.
func (s *chains) leave(c, n int, i int32) {
	from := s.links[i]
	going := from.runs.kept()
	begin := s.kept.beginning(c, n)
	for sub := begin; ; sub = (sub - 1) & begin {
		on := going | sub
		naturals, jokers := s.kept.takes(c, n, on)
		still := s.kept.goingOn(c, n, on)
		if naturals <= int(s.have[c][n]) && int(from.used)+jokers <= s.jokers &&
			(still == 0 || s.jokers > 0 || s.have[c][n+1] > 0) {
			by, have := arc{from: uint16(i), jokers: uint8(jokers), broken: ones(begin &^ sub)},
				int(s.have[c][n])-naturals
			if s.host {
				s.leaveHosting(c, n, from, by, have, still)
			} else {
				s.leaveKeeping(c, n, by, have, still)
			}
		}
		if sub == 0 {
			return
		}
	}
}

// leaveKeeping makes the arcs of one link at number n of colour c. by is an arc with the jokers that the kept runs use.
// have is the number of tiles that the kept runs leave, and on has a bit for each kept run that continues.
func (s *chains) leaveKeeping(c, n int, by arc, have int, on uint32) {
	from := &s.links[by.from]
	used := int(from.used) + int(by.jokers)
	ones, twos, longs := from.runs.ones(), from.runs.twos(), from.runs.longs()
	must, most := ones+twos, s.jokers-used
	above, further := int(s.have[c][n+1]), int(s.have[c][n+2])
	ends := n == numbers || s.jokers == 0 && above == 0
	if ends && ones > 0 {
		return
	}
	if have == 0 && must == 0 && most == 0 {
		by.to = s.reach(c, n+1, openRuns(0, 0, 0, on), int8(used))
		s.add(&by, false)
		return
	}
	mostBegun := have + most
	if n > numbers-2 || ends {
		mostBegun = 0
	}
	wanted, mayIdle, groups := int(s.kept.wanted[c][n]), int(s.idle[c][n]), int(s.groups[n])
	for jokers := max(0, must-have); jokers <= most; jokers++ {
		free := have + jokers - must
		taken := max(0, free-groups-mayIdle) // groups and the rack cannot take more
		if jokers > 0 && s.thrift {
			taken = max(0, free-wanted) // a spare tile for a new group could go here, and the joker there
		}
		for ; taken <= free; taken++ {
			longer := min(longs, taken)
			begun, spare := taken-longer, free-taken
			if begun > mostBegun || max(0, begun+ones-above)+max(0, begun-further) > most-jokers {
				break // the runs cannot be finished
			}
			idle := min(mayIdle, spare)
			if longer < longs {
				idle = 0 // a long run takes the tile instead
			}
			if spare-idle > groups || jokers > 0 && s.thrift && s.wasteful(c, n, have, jokers, longer, begun) {
				continue
			}
			by.to = s.reach(c, n+1, openRuns(begun, ones, twos+longer, on), int8(used+jokers))
			s.arcs = append(s.arcs, by)
			a := &s.arcs[len(s.arcs)-1]
			a.jokers += uint8(jokers)
			a.spare, a.idle, a.longer, a.begun = uint8(spare), uint8(idle), uint8(longer), uint8(begun)
			s.charge(a, false)
		}
	}
}

// wasteful reports whether fewer jokers than those used at a number could do the same, or the same jokers could do it
// at another number. A run begins with a joker only if it could not end with it. A joker lengthens a long run only if
// more tiles can follow.
func (s *chains) wasteful(c, n, have, jokers, longer, begun int) bool {
	if begun > have && n != numbers-2 {
		return true
	}
	return longer > 0 && s.have[c][n+1] == 0 && (n >= numbers-1 || s.have[c][n+2] == 0 || s.jokers == jokers)
}

// reach returns the index of the link with the given open runs at number n of colour c, and creates the link if it is
// new. It drops long runs that nothing can lengthen. used is the number of jokers used so far. If there are too many
// links, reach sets tooMany, and its result is useless.
func (s *chains) reach(c, n int, open runs, used int8) uint16 {
	if n > numbers {
		open = 0
	} else if most := max(0, int(s.have[c][n])+s.jokers-int(used)-open.ones()-open.twos()); open.longs() > most {
		open = open.with(plain, 3, most-open.longs())
	}
	first := int(s.places[c][n].links)
	at := s.find(first, open)
	if at < len(s.links) {
		s.links[at].used = min(s.links[at].used, used)
		return uint16(at)
	}
	if at-first >= s.mostStates {
		s.tooMany = true
		return uint16(first)
	}
	s.newLink(link{runs: open, used: used, rank: int8(2*open.ones() + open.twos() - 2*open.longs())})
	return uint16(at)
}

// find returns the index of the link with the given runs, searching from first on, or the number of links if there is
// none.
func (s *chains) find(first int, open runs) int {
	if open < 1<<keptShift {
		if at := int(s.plain[open]); first <= at && at < len(s.links) && s.links[at].runs == open {
			return at
		}
		return len(s.links)
	}
	for at := len(s.links) - 1; at >= first; at-- {
		if s.links[at].runs == open {
			return at
		}
	}
	return len(s.links)
}

func (s *chains) newLink(l link) {
	if l.runs < 1<<keptShift {
		s.plain[l.runs] = uint16(len(s.links))
	}
	s.links = append(s.links, l)
}

// add appends an arc and sets its cost.
func (s *chains) add(a *arc, exactly bool) {
	s.arcs = append(s.arcs, *a)
	s.charge(&s.arcs[len(s.arcs)-1], exactly)
}

// charge sets the cost of an arc.
func (s *chains) charge(a *arc, exactly bool) {
	a.fee = int32(a.jokers)*s.joker + int32(a.broken)*s.kept.broken
	a.setSlot(exactly)
}
