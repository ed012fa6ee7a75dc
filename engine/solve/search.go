package solve

// stages are how long a search goes on before better prices are worth their time: easy positions need none.
var stages = [...]struct{ sweeps, states int }{{0, 14}, {1, 40}, {4, 150}, {16, 1 << 60}}

// The first stage is worth its time where there are few arcs, and where there are so many tiles that nearly all fit.
const (
	fewArcs   = 150
	nearlyAll = 80
)

// search finds the cheapest way through all 13 numbers for the four chains together, depth first. A branch is cut
// where what it has cost, with the least that the rest must cost, is not below the best way found. Its memory is used
// again; the zero value is ready.
type search struct {
	chains
	prices
	known   memo
	limit   int // states that may be looked at; 0: any number
	work    int
	pause   int   // states after which visit stops for the time being
	first   bool  // any way below the limit will do
	floor   int32 // known before: nothing is cheaper
	bound   int32 // nothing is cheaper
	best    int32 // cost of the best way so far, or what is to be undercut
	any     bool  // a way has been found
	stop    bool
	unsure  bool // a joker was left over that could not be laid without loss: thrift may have missed a better way
	roomy   bool // room for jokers is counted
	growing expansion
	kids    []kid // of all states on the way
	way     [numbers + 1]kid
	trial   [numbers + 1]stepTaken
	found   [numbers + 1]stepTaken
	table   laying
}

// kid is one way through one number for all four colours.
type kid struct {
	to    [colours]uint16
	arcs  [colours]int32
	meld  int32 // what the groups take: prices.melds[meld]
	left  int8  // jokers
	room  int8  // jokers that could still be put into new sets, up to those that are left; counted when sets are kept
	waits int8  // sets so far that hold a joker and no tile of the rack
	rank  int8  // among kids that promise the same, the lower is tried first
	cost  int32 // at this number
	sum   int32 // cost so far with the least that the rest must cost
}

// run looks for ways that cost less than below. ended tells whether it came to an end: best is then the optimum, if any.
func (s *search) run(below int32) (ended bool) {
	s.best, s.bound, s.any, s.stop, s.unsure = below, s.floor, false, false, false
	s.kids = s.kids[:0]
	s.known.clear()
	if !s.build() {
		return true
	}
	s.forget()
	s.groupings()
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			s.spareCosts(c, n)
		}
	}
	s.roomy = s.thrift && s.jokers > 0 && s.kept.broken > 0
	for i, stage := range stages {
		if stage.sweeps > 0 {
			s.agree(stage.sweeps, i == 1)
		}
		s.bounds()
		s.stop, s.kids = false, s.kids[:0]
		s.pause = s.work + stage.states
		if i == 0 && len(s.arcs) > fewArcs && s.total < nearlyAll {
			root := kid{left: int8(s.jokers)}
			if s.bound = max(s.bound, s.least(&root, 1)); s.bound > s.best-unit {
				return true
			}
			continue
		}
		if s.begin() {
			return true
		}
		if s.limit > 0 && s.work >= s.limit {
			return false
		}
	}
	panic("solve: the last stage has no end but its own")
}

// jokerPrice is what a joker is worth at first: two tiles, or a set that stays where every tile will be laid.
func (s *search) jokerPrice() int32 {
	if s.jokers == 0 {
		return 0
	}
	if s.kept.broken > 0 && s.best <= s.cost[1] {
		return s.kept.broken
	}
	return 2 * s.cost[numbers/2+1]
}

// begin searches from the start and tells whether there is no more to be found.
func (s *search) begin() (ended bool) {
	root := kid{left: int8(s.jokers)}
	s.bound = max(s.bound, s.least(&root, 1))
	if s.bound > s.best-unit {
		return true
	}
	s.visit(&root, 1, 0)
	return !s.stop || s.any && (s.first || s.best < s.bound+unit)
}

// least is a lower bound for what kid k costs from number n on.
func (s *search) least(k *kid, n int) int32 {
	a, b := &s.links[0][n][k.to[0]].toGo, &s.links[1][n][k.to[1]].toGo
	c, d := &s.links[2][n][k.to[2]].toGo, &s.links[3][n][k.to[3]].toGo
	e := &s.earn[n]
	j := k.left
	switch j {
	case 0:
		return a[0] + b[0] + c[0] + d[0] + e[0]
	case 1:
		return a[0] + b[0] + c[0] + d[0] + e[0] + min(0, a[1]-a[0], b[1]-b[0], c[1]-c[0], d[1]-d[0], e[1]-e[0])
	case 2:
		ab0, ab1 := a[0]+b[0], min(a[1]+b[0], a[0]+b[1])
		ab2 := min(a[2]+b[0], a[1]+b[1], a[0]+b[2])
		cd0, cd1 := c[0]+d[0], min(c[1]+d[0], c[0]+d[1])
		cd2 := min(c[2]+d[0], c[1]+d[1], c[0]+d[2])
		return min(ab0+cd0+e[2], min(ab1+cd0, ab0+cd1)+e[1], min(ab2+cd0, ab1+cd1, ab0+cd2)+e[0])
	}
	least := int32(5 * never)
	for ab := range j + 1 {
		first := int32(2 * never)
		for x := range ab + 1 {
			first = min(first, a[x]+b[ab-x])
		}
		for cd := range j - ab + 1 {
			for x := range cd + 1 {
				least = min(least, first+c[x]+d[cd-x]+e[j-ab-cd])
			}
		}
	}
	return least
}

func (s *search) visit(at *kid, n int, cost int32) {
	for n <= numbers && s.empty[n] {
		s.way[n] = kid{left: at.left, room: at.room, waits: at.waits}
		n++
	}
	if n > numbers {
		s.arrive(cost, int(at.left), int(at.waits))
		return
	}
	key := at.key(n)
	slot, rest := s.known.find(key)
	if cost+rest > s.best-unit || s.thrift && !s.roomy && s.hopeless(at, key, cost) {
		return
	}
	s.work++
	if s.work == s.pause || s.limit > 0 && s.work > s.limit {
		s.stop = true
		return
	}
	first := len(s.kids)
	s.expand(at, n, cost)
	kids := s.kids[first:]
	sortKids(kids)
	for i := range kids {
		if kids[i].sum > s.best-unit {
			break
		}
		s.way[n] = kids[i]
		s.visit(&s.way[n], n+1, cost+s.way[n].cost)
		if s.stop {
			return
		}
	}
	s.kids = s.kids[:first]
	s.known.learn(slot, key, s.best-cost)
}

// hopeless tells whether the same state with more jokers is known to cost too much.
func (s *search) hopeless(at *kid, key uint64, cost int32) bool {
	for left := int(at.left) + 1; left <= s.jokers; left++ {
		key += 1 << 40
		if _, rest := s.known.find(key); cost+rest > s.best-unit {
			return true
		}
	}
	return false
}

// arrive is the end of a way. Jokers that are left over are laid wherever there is room.
func (s *search) arrive(cost int32, left, waits int) {
	if s.host && waits > s.rack-left {
		return
	}
	s.trace()
	if left > 0 {
		extra := s.leftOver(left)
		s.unsure = s.unsure || s.thrift && extra > s.kept.broken // room says when one set must be broken for jokers
		if cost += extra; cost > s.best-unit {
			return
		}
	}
	s.best, s.any, s.found = cost, true, s.trial
	s.stop = s.first || s.best < s.bound+unit
}

// leftOver is what it costs that jokers are left at the end of the way.
func (s *search) leftOver(left int) int32 {
	extra := int32(0)
	if s.thrift {
		s.table.lay(&s.tiles, &s.trial)
		played := s.played(&s.trial)
		room, broken := s.table.place(left, &played)
		extra = int32(broken) * s.kept.broken
		left -= room
	}
	if left > s.rack {
		return never
	}
	return extra + int32(left)*s.jokerCost
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
	return uint64(k.to[0]) | uint64(k.to[1])<<10 | uint64(k.to[2])<<20 | uint64(k.to[3])<<30 | uint64(k.left)<<40 | uint64(k.waits)<<43 | uint64(k.room)<<46 | uint64(n)<<49
}
