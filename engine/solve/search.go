package solve

// search finds the cheapest way through all 13 numbers for the four chains together, depth first. A branch is cut
// when what it has cost, with the least that the rest must cost, is not below the best way found.
type search struct {
	chains
	best  int32 // cost of the best way so far; what is sought must be below
	bound int32 // nothing is cheaper
	limit int   // states that may be looked at; 0: any number
	work  int
	stop  bool
	known memo
	kids  []kid // of all states on the way, the last state's at the end
	way   [numbers + 1]kid
	found [numbers + 1]kid
	any   bool
}

// kid is one way through one number for all four colours.
type kid struct {
	to   [colours]uint8
	arcs [colours]int32
	left int8  // jokers
	rank int8  // among kids that promise the same, the lower is tried first
	cost int32 // of idle tiles at this number
	sum  int32 // cost so far with the least that the rest must cost
}

// run searches below the given cost; the way, if any, is in found and its cost in best.
func (s *search) run(below int32) {
	s.best, s.any, s.stop, s.work = below, false, false, 0
	s.kids = s.kids[:0]
	s.known.reset()
	root := kid{left: int8(s.jokers)}
	s.bound = s.least(&root, 1)
	if s.bound < s.best {
		s.visit(&root, 1, 0)
	}
}

// least is the lower bound for what kid k costs from number n on.
func (s *search) least(k *kid, n int) int32 {
	j := k.left
	a, b := &s.links[0][n][k.to[0]].toGo, &s.links[1][n][k.to[1]].toGo
	c, d := &s.links[2][n][k.to[2]].toGo, &s.links[3][n][k.to[3]].toGo
	switch j {
	case 0:
		return a[0] + b[0] + c[0] + d[0]
	case 1:
		sum := a[0] + b[0] + c[0] + d[0]
		return min(sum-a[0]+a[1], sum-b[0]+b[1], sum-c[0]+c[1], sum-d[0]+d[1])
	}
	best := int32(4 * never)
	for i := range j + 1 {
		ab := int32(2 * never)
		for x := range i + 1 {
			ab = min(ab, a[x]+b[i-x])
		}
		cd := int32(2 * never)
		for x := range j - i + 1 {
			cd = min(cd, c[x]+d[j-i-x])
		}
		best = min(best, ab+cd)
	}
	return best
}

func (s *search) visit(at *kid, n int, cost int32) {
	if n > numbers {
		s.best, s.any, s.found = cost, true, s.way
		s.stop = s.best <= s.bound
		return
	}
	key := at.key(n)
	slot, rest := s.known.find(key)
	if cost+rest >= s.best {
		return
	}
	s.work++
	if s.limit > 0 && s.work > s.limit {
		s.stop = true
		return
	}
	first := len(s.kids)
	e := expansion{s: s, at: at, n: n, cost: cost}
	for c := range colours {
		e.ahead[c] = s.links[c][n][at.to[c]].toGo[at.left]
	}
	e.ahead[2] += e.ahead[3]
	e.ahead[1] += e.ahead[2]
	e.ahead[0] += e.ahead[1]
	e.colour(0, cost, at.left)
	kids := s.kids[first:]
	sortKids(kids)
	for i := range kids {
		k := kids[i]
		if k.sum >= s.best {
			break
		}
		s.way[n] = k
		s.visit(&s.way[n], n+1, cost+k.cost)
		if s.stop {
			return
		}
	}
	s.kids = s.kids[:first]
	s.known.learn(slot, key, s.best-cost)
}

func sortKids(kids []kid) {
	for i := 1; i < len(kids); i++ {
		k := kids[i]
		j := i
		for ; j > 0 && (kids[j-1].sum > k.sum || kids[j-1].sum == k.sum && kids[j-1].rank > k.rank); j-- {
			kids[j] = kids[j-1]
		}
		kids[j] = k
	}
}

func (k *kid) key(n int) uint64 {
	return uint64(k.to[0]) | uint64(k.to[1])<<8 | uint64(k.to[2])<<16 | uint64(k.to[3])<<24 | uint64(k.left)<<32 | uint64(n)<<36
}

// expansion makes the kids of one state, colour by colour.
type expansion struct {
	s     *search
	at    *kid
	n     int
	cost  int32
	ahead [colours + 1]int32 // least cost of this colour and the later ones from this number on
	arcs  [colours]int32
}

func (e *expansion) colour(c int, sum int32, left int8) {
	if c == colours {
		e.finish(left)
		return
	}
	s := e.s
	link := &s.links[c][e.n][e.at.to[c]]
	for i := link.first; i < link.last; i++ {
		a := &s.arcs[i]
		if int8(a.jokers) > left || sum+a.least+e.ahead[c+1] >= s.best {
			continue
		}
		e.arcs[c] = i
		e.colour(c+1, sum+a.least, left-int8(a.jokers))
	}
}

// finish makes the groups: as many as the spare tiles allow, and more of them with jokers. More groups never leave
// more tiles of any colour idle.
func (e *expansion) finish(left int8) {
	s := e.s
	var spare [colours]int
	all := 0
	for c := range colours {
		spare[c] = int(s.arcs[e.arcs[c]].spare)
		all += spare[c]
	}
	if all == 0 {
		e.keep(&spare, 0, left)
		return
	}
	plain := true
	for k := 0; ; k++ {
		total := 0
		for _, t := range spare {
			total += min(t, k)
		}
		need := max(0, 3*k-total)
		if need > int(left) || total < k {
			return
		}
		if need == 0 && plain {
			// only the most groups without a joker count
			next := 0
			for _, t := range spare {
				next += min(t, k+1)
			}
			if next >= 3*(k+1) {
				continue
			}
			plain = false
		}
		e.keep(&spare, k, left-int8(need))
		if total == all {
			return
		}
	}
}

// keep makes a kid of the arcs chosen, with k groups.
func (e *expansion) keep(spare *[colours]int, groups int, left int8) {
	s := e.s
	k := kid{arcs: e.arcs, left: left}
	for c := range colours {
		a := &s.arcs[e.arcs[c]]
		k.to[c] = a.to
		if idle := spare[c] - groups; idle > 0 {
			if idle > int(a.idle) {
				return
			}
			k.cost += int32(idle) * s.cost[e.n]
		}
	}
	k.sum = e.cost + k.cost + s.least(&k, e.n+1)
	if k.sum >= s.best {
		return
	}
	k.rank = -4 * left
	for c := range colours {
		r := s.links[c][e.n+1][k.to[c]].runs
		k.rank += int8(4*r.ones()+2*r.twos()) - int8(r.longs())
	}
	s.kids = append(s.kids, k)
}

// memo remembers for states a lower bound of what they cost from there on, in a table of open addressing.
type memo struct {
	slots []memoSlot
	used  int
	round uint32
}

type memoSlot struct {
	key   uint64
	round uint32
	rest  int32
}

func (m *memo) reset() {
	if m.slots == nil {
		m.slots = make([]memoSlot, 1<<10)
	}
	m.round++
	m.used = 0
}

func (m *memo) find(key uint64) (slot int, rest int32) {
	mask := len(m.slots) - 1
	at := int(key*0x9E3779B97F4A7C15>>40) & mask
	for m.slots[at].round == m.round {
		if m.slots[at].key == key {
			return at, m.slots[at].rest
		}
		at = (at + 1) & mask
	}
	return at, 0
}

func (m *memo) learn(slot int, key uint64, rest int32) {
	at := &m.slots[slot]
	if at.round != m.round || at.key != key {
		slot, _ = m.find(key)
		at = &m.slots[slot]
	}
	if at.round != m.round {
		m.used++
	}
	*at = memoSlot{key, m.round, rest}
	if 2*m.used > len(m.slots) {
		m.grow()
	}
}

func (m *memo) grow() {
	old := m.slots
	m.slots = make([]memoSlot, 4*len(old))
	for _, o := range old {
		if o.round == m.round {
			slot, _ := m.find(o.key)
			m.slots[slot] = o
		}
	}
}
