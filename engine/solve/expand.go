package solve

// expansion makes the kids of one state, colour by colour.
type expansion struct {
	s     *search
	at    *kid
	n     int
	cost  int32
	ahead [colours + 1]int32 // least cost of this colour and the later ones, and of the groups, from this number on
	arcs  [colours]int32
}

func (s *search) expand(at *kid, n int, cost int32) {
	e := expansion{s: s, at: at, n: n, cost: cost}
	e.ahead[colours] = s.earn[n][at.left]
	for c := colours - 1; c >= 0; c-- {
		e.ahead[c] = e.ahead[c+1] + s.links[c][n][at.to[c]].toGo[at.left]
	}
	e.colour(0, cost, at.left)
}

func (e *expansion) colour(c int, sum int32, left int8) {
	if c == colours {
		e.group(left)
		return
	}
	s := e.s
	link := &s.links[c][e.n][e.at.to[c]]
	for i := link.first; i < link.last; i++ {
		a := &s.arcs[i]
		if int8(a.jokers) > left || sum+a.least+e.ahead[c+1] > s.best-unit {
			continue
		}
		e.arcs[c] = i
		e.colour(c+1, sum+a.least, left-int8(a.jokers))
	}
}

// group keeps groups of the old table in every way, and makes new ones of what is spare.
func (e *expansion) group(left int8) {
	s := e.s
	var spare [colours]int
	for c := range colours {
		spare[c] = int(s.arcs[e.arcs[c]].spare)
	}
	old := s.kept.at[e.n]
	if len(old) == 0 {
		e.new(&spare, 0, 0, left)
		return
	}
choices:
	for chosen := 1<<len(old) - 1; chosen >= 0; chosen-- {
		takes, jokers, broken := s.kept.choose(e.n, uint8(chosen))
		rest := spare
		for c := range colours {
			if rest[c] -= int(takes[c]); rest[c] < 0 {
				continue choices
			}
		}
		if left >= int8(jokers) {
			e.new(&rest, uint8(chosen), broken, left-int8(jokers))
		}
	}
}

// new makes new groups: as many as the spare tiles allow, and more of them with jokers. More groups never leave more
// tiles of any colour idle.
func (e *expansion) new(spare *[colours]int, chosen, broken uint8, left int8) {
	all := spare[0] + spare[1] + spare[2] + spare[3]
	for k := 0; ; k++ {
		total, next := 0, 0
		for _, t := range spare {
			total += min(t, k)
			next += min(t, k+1)
		}
		need := max(0, 3*k-total)
		if need > int(left) || total < k {
			return
		}
		if need > 0 || next < 3*(k+1) || next == total {
			e.keep(spare, k, need, chosen, broken, left)
			if !e.s.thrift {
				for more := need + 1; more <= int(left) && total+more <= 4*k; more++ {
					e.keep(spare, k, more, chosen, broken, left)
				}
			}
		}
		if total == all && e.s.thrift {
			return
		}
	}
}

// keep makes a kid of the arcs chosen, with k new groups that hold so many jokers.
func (e *expansion) keep(spare *[colours]int, groups, jokers int, chosen, broken uint8, left int8) {
	s := e.s
	k := kid{arcs: e.arcs, groups: uint8(groups), used: uint8(jokers), chosen: chosen, left: left - int8(jokers)}
	k.rank = -4 * k.left
	for c := range colours {
		a := &s.arcs[e.arcs[c]]
		k.to[c] = a.to
		broken += a.broken
		if idle := spare[c] - groups; idle > 0 {
			if idle > int(a.idle) || idle < int(a.leastIdle) {
				return
			}
			k.cost += int32(idle) * s.cost[e.n]
		} else if a.leastIdle > 0 {
			return
		}
		r := s.links[c][e.n+1][a.to].runs
		k.rank += int8(4*r.ones()+2*r.twos()) - int8(r.longs())
	}
	if s.host && !e.hosted(&k, spare) {
		return
	}
	k.cost += int32(broken) * s.kept.broken
	if k.sum = e.cost + k.cost + s.least(&k, e.n+1); k.sum <= s.best-unit {
		s.kids = append(s.kids, k)
	}
}

// hosted counts the sets that end here with a joker and without a tile of the rack, and tells whether there can be so many.
func (e *expansion) hosted(k *kid, spare *[colours]int) bool {
	k.waits = e.at.waits
	var takes, claims [colours]uint8
	for c := range colours {
		a := &e.s.arcs[e.arcs[c]]
		k.waits += int8(a.waits)
		takes[c] = uint8(min(spare[c], int(k.groups)))
		claims[c] = min(a.claims, takes[c])
	}
	if k.used > 0 {
		seats, ok := seatGroups(int(k.groups), int(k.used), takes, claims)
		if !ok {
			return false
		}
		k.waits += int8(seats.waits)
	}
	return int(k.waits) <= e.s.rack
}
