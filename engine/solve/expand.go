package solve

import "slices"

// entry is one way of one colour through a number: an arc, with a number of tiles given to groups.
//
// This file keeps one invariant: a way is left out only if it uses more jokers than are left, if its least cost is
// above the cut, or if too many of its sets wait for a rack tile.
//
// In this file, x is the expansion, k a kid, m a grouping, and g a number of tiles given to groups. In choose and keep,
// a, b, c and d are entries of the colours 0 to 3.
type entry struct {
	arc    int32
	cost   int32 // cost of idle tiles and of old runs that do not stay
	bound  int32 // cost plus the least cost of the colour from the next number on
	to     uint16
	jokers int8
}

// expansion makes the kids of one state: for each way to make groups at its number, the ways of the four colours that
// give exactly what the groups take. Its memory is reused.
type expansion struct {
	entries [colours][mostCopies + 1][]entry // by the number of tiles given to groups
	least   [colours][mostCopies + 1]int32   // least bound
	at      *kid
	meld    *grouping
	n       int
	cost    int32
	most    int32 // the highest least cost that a kid may have
	over    int32 // least cost of the ways that were left out for that
}

func (s *search) expand(at *kid, n int, cost int32) {
	x := &s.growing
	x.at, x.n, x.cost, x.most = at, n, cost, s.cut
	x.over = s.cut + 1
	ahead := cost + s.earn[n][at.left]
	for c := range colours {
		ahead += s.toGo[at.to[c]].at(int(at.left))
	}
	for c := range colours {
		s.enter(c, x.most-ahead+s.toGo[at.to[c]].at(int(at.left)))
	}
	for i := s.from[n]; i < s.from[n+1]; i++ {
		m := &s.melds[i]
		left := at.left - int8(m.jokers)
		if left < 0 {
			break
		}
		sum := cost + int32(m.broken)*s.kept.broken + s.earn[n+1][left] +
			x.least[0][m.takes[0]] + x.least[1][m.takes[1]] + x.least[2][m.takes[2]] + x.least[3][m.takes[3]]
		if sum <= x.most {
			x.meld = m
			s.choose(kid{meld: i, left: left, cost: int32(m.broken) * s.kept.broken}, x.most-sum)
		}
	}
}

// enter lists the ways of colour c whose cost, including the prices for groups, does not exceed most.
func (s *search) enter(c int, most int32) {
	x := &s.growing
	n, left := x.n, int(x.at.left)
	entries, least := &x.entries[c], &x.least[c]
	for g := range s.most[c][n] + 1 {
		entries[g], least[g] = entries[g][:0], never
	}
	if s.places[c][n].quiet {
		to := x.at.to[c]
		least[0] = s.toGo[to].at(left)
		entries[0] = append(entries[0], entry{to: to, bound: least[0]})
		return
	}
	link := &s.links[x.at.to[c]]
	price := &s.price[c][n]
	arcs := s.arcs[link.first:link.last]
	for i := range arcs {
		a := &arcs[i]
		toGo := s.toGo[a.to].at(left - int(a.jokers))
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			g := a.spare - idle
			cost := int32(idle)*s.chains.cost[n] + int32(a.broken)*s.kept.broken
			if cost+toGo+price[g] > most {
				continue
			}
			entries[g] = append(entries[g], entry{link.first + int32(i), cost, cost + toGo, a.to, int8(a.jokers)})
			least[g] = min(least[g], cost+toGo)
		}
	}
}

// choose combines ways of the four colours that give what the groups take. room is how much their total cost may exceed
// the sum of each colour's least cost.
func (s *search) choose(k kid, room int32) {
	x, takes := &s.growing, &s.growing.meld.takes
	a, b, c, d := x.entries[0][takes[0]], x.entries[1][takes[1]], x.entries[2][takes[2]], x.entries[3][takes[3]]
	leastA, leastB, leastC, leastD := x.least[0][takes[0]], x.least[1][takes[1]], x.least[2][takes[2]],
		x.least[3][takes[3]]
	for i := range a {
		roomA, leftA := room-a[i].bound+leastA, k.left-a[i].jokers
		if roomA < 0 || leftA < 0 {
			continue
		}
		for j := range b {
			roomB, leftB := roomA-b[j].bound+leastB, leftA-b[j].jokers
			if roomB < 0 || leftB < 0 {
				continue
			}
			for l := range c {
				roomC, leftC := roomB-c[l].bound+leastC, leftB-c[l].jokers
				if roomC < 0 || leftC < 0 {
					continue
				}
				for m := range d {
					if roomC >= d[m].bound-leastD && leftC >= d[m].jokers {
						s.keep(k, &a[i], &b[j], &c[l], &d[m])
					}
				}
			}
		}
	}
}

// keep adds the kid of four ways if its least cost is low enough.
func (s *search) keep(k kid, a, b, c, d *entry) {
	x := &s.growing
	k.arcs = [colours]int32{a.arc, b.arc, c.arc, d.arc}
	k.to = [colours]uint16{a.to, b.to, c.to, d.to}
	k.left -= a.jokers + b.jokers + c.jokers + d.jokers
	k.cost += a.cost + b.cost + c.cost + d.cost
	if k.sum = x.cost + k.cost + s.least(&k, x.n+1); k.sum <= x.most {
		s.enroll(&k)
	}
}

// enroll adds a kid, unless too many of its sets wait for a rack tile.
func (s *search) enroll(k *kid) {
	if s.roomy {
		s.addRoom(k)
	}
	if s.host && !s.hosted(k) {
		return
	}
	k.rank = s.links[k.to[0]].rank + s.links[k.to[1]].rank + s.links[k.to[2]].rank + s.links[k.to[3]].rank - 4*k.left
	s.kids = append(s.kids, *k)
}

// addRoom counts the jokers that could be added to the sets made here: any number to a run, one to a group of three.
func (s *search) addRoom(k *kid) {
	room := int(s.growing.at.room) + int(s.growing.meld.room)
	for c := range colours {
		if s.arcs[k.arcs[c]].begun > 0 {
			room += mostJokers
		}
	}
	k.room = int8(min(room, int(k.left)))
}

// hosted counts the sets of the way so far that have ended with a joker and without a rack tile, and reports whether
// that number is allowed.
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

// grouping is what the groups of one number take together.
type grouping struct {
	takes  [colours]uint8
	jokers uint8
	broken uint8          // groups of the old table that do not stay
	new    [colours]uint8 // the part of takes that new groups take
	groups uint8          // number of new groups
	used   uint8          // jokers in new groups
	room   uint8          // jokers that could still be added to new groups
	chosen uint8          // groups of the old table that stay, one bit each
}

// groupings lists what the groups of each number can take.
func (s *search) groupings() {
	s.melds = s.melds[:0]
	for n := 1; n <= numbers; n++ {
		s.from[n] = int32(len(s.melds))
		if s.groups[n] == 0 && len(s.kept.at[n]) == 0 {
			for c := range colours {
				s.most[c][n] = 0
			}
			s.melds = append(s.melds, grouping{})
			continue
		}
		for c := range colours {
			s.most[c][n] = min(s.have[c][n], s.groups[n])
		}
		if most := [colours]uint8{s.most[0][n], s.most[1][n], s.most[2][n], s.most[3][n]}; s.thrift &&
			len(s.kept.at[n]) == 0 && max(most[0], most[1], most[2], most[3]) <= 2 {
			s.plainGroupings(most)
			continue
		}
		for chosen := 1<<len(s.kept.at[n]) - 1; chosen >= 0; chosen-- {
			s.groupingsWith(n, uint8(chosen))
		}
		byJokers(s.melds[s.from[n]:])
	}
	s.from[numbers+1] = int32(len(s.melds))
}

// byJokers sorts groupings by jokers, so that a search with few jokers left can stop early.
func byJokers(melds []grouping) {
	slices.SortStableFunc(melds, func(a, b grouping) int { return int(a.jokers) - int(b.jokers) })
}

// plainOf lists, by the number of jokers, what new groups can take of at most two tiles of each colour, with thrift.
var plainOf = listPlain()

func listPlain() (lists [mostJokers + 1][]grouping) {
	for jokers := range lists {
		s := search{}
		s.jokers, s.thrift = jokers, true
		for c := range colours {
			s.most[c][1] = 2
		}
		s.groupingsWith(1, 0)
		byJokers(s.melds)
		lists[jokers] = s.melds
	}
	return lists
}

func (s *search) plainGroupings(most [colours]uint8) {
	const high = 0x80808080
	room := packed(most) | high
	list := plainOf[s.jokers]
	for i := range list {
		if (room-packed(list[i].takes))&high == high {
			s.melds = append(s.melds, list[i])
		}
	}
}

// packed packs four small numbers into one, a byte each.
func packed(of [colours]uint8) uint32 {
	return uint32(of[0]) | uint32(of[1])<<8 | uint32(of[2])<<16 | uint32(of[3])<<24
}

func (s *search) groupingsWith(n int, chosen uint8) {
	takes, jokers, broken := s.kept.choose(n, chosen)
	var room [colours]int
	for c := range colours {
		if room[c] = int(s.most[c][n]) - int(takes[c]); room[c] < 0 {
			return
		}
	}
	var g [colours]int
	for g[0] = 0; g[0] <= room[0]; g[0]++ {
		for g[1] = 0; g[1] <= room[1]; g[1]++ {
			for g[2] = 0; g[2] <= room[2]; g[2]++ {
				for g[3] = 0; g[3] <= room[3]; g[3]++ {
					s.groupingsOf(g, s.jokers-int(jokers), grouping{takes: takes, jokers: jokers, broken: broken,
						chosen: chosen})
				}
			}
		}
	}
}

// groupingsOf adds the new groups that take g tiles of each colour: with thrift the fewest possible with the fewest
// jokers, else any number.
func (s *search) groupingsOf(g [colours]int, jokers int, m grouping) {
	total := g[0] + g[1] + g[2] + g[3]
	for k := max(g[0], g[1], g[2], g[3]); ; k++ {
		need := max(0, 3*k-total)
		if need > jokers || total < k {
			return
		}
		most := need
		if !s.thrift {
			most = min(jokers, 4*k-total)
		}
		for used := need; used <= most; used++ {
			add := m
			add.jokers += uint8(used)
			add.groups, add.used, add.room = uint8(k), uint8(used), uint8(4*k-total-used)
			for c := range colours {
				add.new[c] = uint8(g[c])
				add.takes[c] += uint8(g[c])
			}
			s.melds = append(s.melds, add)
		}
		if s.thrift || k == 0 {
			return
		}
	}
}
