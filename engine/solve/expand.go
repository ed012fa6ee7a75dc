package solve

// entry is one way of one colour through a number: an arc, and what it gives to groups.
type entry struct {
	arc    int32
	cost   int32 // of tiles that lie idle and of old runs that do not stay
	bound  int32 // cost, and the least of the colour from the next number on
	to     uint16
	jokers uint8
	gives  uint8
}

// expansion makes the kids of one state: for each way to make groups at its number, the ways of the four colours that
// give just what these take. Its memory is used again.
type expansion struct {
	entries [colours][]entry
	least   [colours][mostCopies + 1]int32 // least bound, by what is given to groups
	at      *kid
	meld    *grouping
	n       int
	cost    int32
	most    int32 // what a kid may promise
	kid     kid   // colours chosen so far
}

func (s *search) expand(at *kid, n int, cost int32) {
	x := &s.growing
	x.at, x.n, x.cost, x.most = at, n, cost, s.best-unit
	ahead := cost + s.earn[n][at.left]
	for c := range colours {
		ahead += s.links[c][n][at.to[c]].toGo[at.left]
	}
	for c := range colours {
		s.enter(c, x.most-ahead+s.links[c][n][at.to[c]].toGo[at.left])
	}
	for i := s.from[n]; i < s.from[n+1]; i++ {
		m := &s.melds[i]
		left := at.left - int8(m.jokers)
		if left < 0 {
			continue
		}
		sum := cost + int32(m.broken)*s.kept.broken + s.earn[n+1][left] +
			x.least[0][m.takes[0]] + x.least[1][m.takes[1]] + x.least[2][m.takes[2]] + x.least[3][m.takes[3]]
		if sum <= x.most {
			x.meld, x.kid.meld = m, i
			s.choose(0, sum, left)
		}
	}
}

// enter lists the ways of a colour that may cost no more than most, prices for groups among it.
func (s *search) enter(c int, most int32) {
	x := &s.growing
	n, left := x.n, x.at.left
	list, least := x.entries[c][:0], &x.least[c]
	for g := range s.most[c][n] + 1 {
		least[g] = never
	}
	link, next := &s.links[c][n][x.at.to[c]], s.links[c][n+1]
	price, barred := &s.price[c][n], s.barred[c][n]
	for i := link.first; i < link.last; i++ {
		a := &s.arcs[i]
		rest := left - int8(a.jokers)
		if rest < 0 {
			continue
		}
		toGo := next[a.to].toGo[rest]
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			g := a.spare - idle
			if g > s.most[c][n] || barred>>g&1 == 1 {
				continue
			}
			cost := int32(idle)*s.chains.cost[n] + int32(a.broken)*s.kept.broken
			if cost+toGo+price[g] > most {
				continue
			}
			list = append(list, entry{i, cost, cost + toGo, a.to, a.jokers, g})
			least[g] = min(least[g], cost+toGo)
		}
	}
	x.entries[c] = list
}

// choose takes the ways of colour c and those after it. sum is the least that can come of it.
func (s *search) choose(c int, sum int32, left int8) {
	x := &s.growing
	gives := x.meld.takes[c]
	sum -= x.least[c][gives]
	for i := range x.entries[c] {
		e := &x.entries[c][i]
		if e.gives != gives || int8(e.jokers) > left || sum+e.bound > x.most {
			continue
		}
		x.kid.arcs[c], x.kid.to[c] = e.arc, e.to
		before := x.kid.cost
		x.kid.cost += e.cost
		if c < colours-1 {
			s.choose(c+1, sum+e.bound, left-int8(e.jokers))
		} else {
			s.keep(left - int8(e.jokers))
		}
		x.kid.cost = before
	}
}

// keep adds the kid that has been chosen if it promises enough.
func (s *search) keep(left int8) {
	x := &s.growing
	k := x.kid
	k.left = left
	k.cost += int32(x.meld.broken) * s.kept.broken
	if k.sum = x.cost + k.cost + s.least(&k, x.n+1); k.sum > x.most {
		return
	}
	if s.roomy {
		s.addRoom(&k)
	}
	if s.host && !s.hosted(&k) {
		return
	}
	k.rank = -4 * k.left
	for c := range colours {
		k.rank += s.links[c][x.n+1][k.to[c]].rank
	}
	s.kids = append(s.kids, k)
}

// addRoom counts the jokers that could be put into the sets made here: a run takes any number, a group of three one.
func (s *search) addRoom(k *kid) {
	room := int(s.growing.at.room) + int(s.growing.meld.room)
	for c := range colours {
		if s.arcs[k.arcs[c]].begun > 0 {
			room += mostJokers
		}
	}
	k.room = int8(min(room, int(k.left)))
}

// hosted counts the sets that end here with a joker and without a tile of the rack, and tells whether there can be so many.
func (s *search) hosted(k *kid) bool {
	x := &s.growing
	m := x.meld
	k.waits = x.at.waits
	var claims [colours]uint8
	for c := range colours {
		a := &s.arcs[k.arcs[c]]
		k.waits += int8(a.waits)
		claims[c] = min(a.claims, m.new[c])
	}
	if m.used > 0 {
		seats, ok := seatGroups(int(m.groups), int(m.used), m.new, claims)
		if !ok {
			return false
		}
		k.waits += int8(seats.waits)
	}
	return int(k.waits) <= s.rack
}
