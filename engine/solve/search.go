package solve

// The first stage is worth its time if there are few arcs, or if there are so many tiles that nearly all fit.
const (
	manyIdle  = 5 // with more tiles left than this, the levels are too close to help
	fewArcs   = 60
	nearlyAll = 80
)

// search finds the cheapest way through all 13 numbers for the four chains together, depth first. It cuts a branch if
// its cost so far plus the least cost of the rest is not below the best way found. Its memory is reused; the zero value
// is ready for use.
//
// Invariant: best is the cost of a way that has been found or the cost to beat, and no way costs less than bound.
type search struct {
	chains
	prices
	counted
	soft        softMin
	comparing   bool    // links know which links are better
	counting    bool    // the bounds are those of the chains that count
	known       *memo   // memo of the current direction
	memos       [2]memo // for upwards, and for turned tiles
	limit       int     // maximum number of states; 0: no limit
	work        int
	pause       int        // number of states after which visit stops for the time being
	done        float64    // estimated part of the work that visit had done when it stopped
	doneTurned  [2]float64 // done at the end of the last leg of each direction: upwards, turned
	first       bool       // any way below the given cost will do
	floor       int32      // lower bound that was known before the search
	bound       int32      // lower bound that is known by now
	best        int32      // cost of the best way so far, or the cost to beat
	goal        int32      // the most that a better way can cost
	cut         int32      // ways that cost more are cut; in steps, it rises to goal
	levels      levels
	any         bool // a way has been found
	stop        bool
	unsure      bool // a leftover joker cost something: thrift may have missed a better way
	roomy       bool // room for jokers is counted
	growing     expansion
	kids        []kid // kids of all states on the current path
	way         [numbers + 1]kid
	trial       [numbers + 1]stepTaken
	found       [numbers + 1]stepTaken
	foundTurned bool // found is a way through turned tiles
	table       laying
	legs        [][]stage
}

// kid is one way through one number for all four colours.
type kid struct {
	to    [colours]uint16
	arcs  [colours]int32
	meld  int32 // index in prices.melds of what the groups take
	left  int8  // jokers left
	room  int8  // jokers that new sets could still take, capped at the field left; see roomy
	waits int8  // sets so far that hold a joker and no rack tile
	rank  int8  // of kids with the same sum, the one with the lower rank is tried first
	cost  int32 // cost at this number
	sum   int32 // cost so far plus the least cost of the rest
}

// outcome says how a part of the search ended.
type outcome int

const (
	paused   outcome = iota // its states are used up
	complete                // nothing more can be found
	limited                 // the limit of the question was reached
)

// run searches for ways that cost less than below. ended reports whether the search was complete. If so, and if a way
// was found, best is the optimum. The error is errTooMany.
func (s *search) run(below int32) (ended bool, err error) {
	s.best, s.bound, s.any, s.stop, s.unsure = below, s.floor, false, false, false
	s.goal = below - unit
	s.roomy = s.thrift && s.jokers > 0 && s.kept.broken > 0
	if !s.host && s.bottomHeavy() {
		s.turn()
	}
	for i, leg := range s.legs {
		switch {
		case s.host && 0 < i && i < len(s.legs)-1:
			continue // with hosts, what each run gets is decided upwards
		case !s.host && i == weighed && s.further():
			if out := s.goOn(leg[len(leg)-1]); out != paused {
				return out == complete, nil
			}
			continue
		case !s.host && i > 0:
			s.turn()
		}
		s.joker = s.jokerPrice(i)
		s.recall(i < 2)
		if out, err := s.runLeg(leg); err != nil || out != paused {
			return out == complete, err
		}
		s.doneTurned[s.direction()] = s.done
	}
	return false, nil
}

// runLeg searches in one direction through the stages of a leg. The error is errTooMany.
func (s *search) runLeg(leg []stage) (outcome, error) {
	if possible, err := s.build(); err != nil {
		return paused, err
	} else if !possible {
		return complete, nil
	}
	s.groupings()
	s.forget()
	bounded := false
	for _, stage := range leg {
		if stage.sweeps+stage.counts == 0 && len(s.arcs) > fewArcs && s.total < nearlyAll {
			continue
		}
		if stage.counts > 0 && s.kept.broken == 0 {
			s.agreeSoftly(softSweeps, bounded)
			bounded = true
		}
		if stage.sweeps > 0 {
			s.agree(stage.sweeps, bounded)
		} else if !bounded {
			s.bounds()
		}
		bounded = true
		if s.counting = stage.counts > 0 && s.count(); s.counting {
			s.agreeCounting(stage.counts)
		}
		if s.comparing = !s.host && stage.states > hardly; s.comparing {
			s.compare()
		}
		if out := s.goOn(stage); out != paused {
			return out, nil
		}
	}
	return paused, nil
}

// goOn searches as many states as a stage allows.
func (s *search) goOn(stage stage) outcome {
	s.stop, s.kids = false, s.kids[:0]
	s.pause = s.work + stage.states
	switch {
	case s.begin(stage.states > longStage):
		return complete
	case s.limit > 0 && s.work >= s.limit:
		return limited
	}
	return paused
}

// direction returns 1 for turned tiles, otherwise 0.
func (s *search) direction() int {
	if s.turned {
		return 1
	}
	return 0
}

// further reports whether the search has come further in the current direction than in the other one.
func (s *search) further() bool { return s.doneTurned[s.direction()] > s.doneTurned[1-s.direction()] }

// recall selects the memo of the current direction. What an earlier turn stored there still holds, because bounds in
// the memo do not contain prices. If first is set, recall clears the memo.
func (s *search) recall(first bool) {
	s.known = &s.memos[s.direction()]
	if first {
		s.known.clear()
	}
}

// jokerPrice returns the price of a joker: the cost of one and a quarter tiles in the first leg, which ends most
// searches sooner, and of two tiles in later legs, which the hard positions need. If every tile will be laid, the price
// is that of a set that does not stay.
func (s *search) jokerPrice(leg int) int32 {
	if s.jokers == 0 {
		return 0
	}
	if s.kept.broken > 0 && s.best <= s.cost[1] {
		return s.kept.broken
	}
	tile := s.cost[numbers/2+1]
	if leg == 0 {
		return tile * 5 / 4
	}
	return 2 * tile
}

// begin searches from the start, and reports whether nothing more can be found. If inSteps is set, it first looks for
// ways that cost hardly more than the bound. If the bound is good, that finds the best way at once; if not, it costs
// little.
func (s *search) begin(inSteps bool) (ended bool) {
	root := s.root()
	least := s.least(&root, 1)
	if s.counting {
		least = max(least, s.leastCounting(&root, 1))
	}
	if s.bound = max(s.bound, least); s.bound > s.goal {
		return true
	}
	least = s.bound
	pause, step := s.pause, s.cost[1]/firstStep
	for {
		if s.cut, s.pause = s.goal, pause; inSteps && step > 0 {
			s.cut = min(s.goal, (max(least, s.nextLevel(least))+step)/unit*unit)
			s.pause = min(pause, s.work+stepStates)
		}
		least = max(least, s.visit(&root, 1, 0))
		switch tired := s.stop && s.work == s.pause && s.pause < pause && s.bound <= s.goal && !(s.any && s.first); {
		case tired:
			s.stop, s.kids = false, s.kids[:0]
		case s.stop:
			return s.any && (s.first || s.bound > s.goal)
		case least > s.goal:
			return true
		}
		step = 0
	}
}

const (
	firstStep  = 16   // the first step is the cost of a tile divided by this
	stepStates = 250  // the first step is given up after this many states
	hardly     = 100  // a stage of at most this many states does not compare links
	longStage  = 1000 // a stage of more states goes in steps
)

// nextLevel returns the lowest level that is not below least, or the goal if all levels below the goal are below least.
// If the levels cannot be used, it returns least.
func (s *search) nextLevel(least int32) int32 {
	if !s.levels.listed || !s.levels.few || s.kept.broken > 0 {
		return least
	}
	next := s.goal
	for {
		below := s.levels.below(next/unit) * unit
		if below < least {
			return next
		}
		next = below
	}
}

// aim sets the goal from the best way found, and reports whether that way is known to be the best.
func (s *search) aim() (best bool) {
	if s.goal = s.best - unit; s.bound > s.goal || s.kept.broken > 0 || s.best > manyIdle*s.cost[numbers/2+1] {
		return s.bound > s.goal
	}
	if !s.levels.listed {
		s.levels.list(&s.tiles)
	}
	if s.levels.few {
		s.goal = s.levels.below(s.best/unit) * unit
	}
	return s.bound > s.goal
}

// root returns the kid with which every way begins.
func (s *search) root() kid {
	k := kid{left: int8(s.jokers)}
	for c := range colours {
		k.to[c] = uint16(s.places[c][1].links)
	}
	return k
}

// least returns a lower bound on the cost of kid k from number n on. In the code, a, b, c and d are the costs of the
// colours 0 to 3, e those of the groups, and j is the number of jokers left.
func (s *search) least(k *kid, n int) int32 {
	a, b, c, d := s.toGo[k.to[0]][mostJokers:], s.toGo[k.to[1]][mostJokers:], s.toGo[k.to[2]][mostJokers:],
		s.toGo[k.to[3]][mostJokers:]
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

// visit searches from state at, which is reached at the given cost, and returns a lower bound on the cost of the ways
// through it. If the search stops, the result is 0.
func (s *search) visit(at *kid, n int, cost int32) (least int32) {
	for n <= numbers && s.skip[n] {
		n++
	}
	if n > numbers {
		return s.arrive(cost, int(at.left), int(at.waits))
	}
	key := s.key(at, n)
	slot, rest := s.known.find(key)
	if cost+rest > s.cut {
		return cost + rest
	}
	if s.thrift && !s.roomy && s.hopeless(at, key, cost) {
		return s.cut + 1
	}
	if s.comparing {
		if rest := s.outdone(at, key, s.cut-cost); rest > 0 {
			s.known.learn(slot, key, rest)
			return cost + rest
		}
	}
	s.work++
	if s.work == s.pause || s.limit > 0 && s.work > s.limit {
		s.stop, s.done = true, 0
		return 0
	}
	first := len(s.kids)
	if s.counting {
		s.expandCounting(at, n, cost)
	} else {
		s.expand(at, n, cost)
	}
	least = s.growing.over
	kids := s.kids[first:]
	for i := range kids {
		if bringBest(kids[i:]); kids[i].sum > s.cut {
			least = min(least, kids[i].sum)
			break
		}
		s.way[n] = kids[i]
		least = min(least, s.visit(&s.way[n], n+1, cost+s.way[n].cost))
		if s.stop {
			s.done = (float64(i) + s.done) / float64(len(kids))
			return 0
		}
	}
	s.kids = s.kids[:first]
	if s.cut == s.goal {
		least = max(least, s.best)
	}
	s.known.learn(slot, key, least-cost)
	return least
}

// outdone returns a lower bound on the remaining cost of a state, taken from a known state with better runs, if that
// bound exceeds most. Otherwise it returns 0.
func (s *search) outdone(at *kid, key uint64, most int32) int32 {
	for c := range colours {
		for _, better := range s.links[at.to[c]].better {
			if better == 0 {
				break
			}
			if _, rest := s.known.find(key + uint64(int64(better)-int64(at.to[c]))<<(10*c)); rest > most {
				return rest
			}
		}
	}
	return 0
}

// hopeless reports whether the same state with more jokers is known to cost too much.
func (s *search) hopeless(at *kid, key uint64, cost int32) bool {
	for left := int(at.left) + 1; left <= s.jokers; left++ {
		key += 1 << 40
		if _, rest := s.known.find(key); cost+rest > s.cut {
			return true
		}
	}
	return false
}

// arrive handles the end of a way and returns the cost of the way, or never if the way is illegal. It lays leftover
// jokers wherever there is room.
func (s *search) arrive(cost int32, left, waits int) int32 {
	if s.host && waits > s.rack-left {
		return never
	}
	s.trace()
	if left > 0 {
		extra := s.leftOver(left)
		s.unsure = s.unsure || s.thrift && extra > s.kept.broken // room already covers one set broken for jokers
		cost += extra
	}
	if cost <= s.goal {
		s.best, s.any, s.found, s.foundTurned = cost, true, s.trial, s.turned
		s.stop = s.aim() || s.first
		s.cut = min(s.cut, s.goal)
	}
	return cost
}

// leftOver returns the cost of the jokers that are left at the end of the way, or never if more remain than may stay on
// the rack.
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

// bringBest swaps the most promising kid to the front.
func bringBest(kids []kid) {
	best := 0
	for i := range kids {
		if kids[i].sum < kids[best].sum || kids[i].sum == kids[best].sum && kids[i].rank < kids[best].rank {
			best = i
		}
	}
	kids[0], kids[best] = kids[best], kids[0]
}

// key returns a key for the state of kid k at number n.
func (s *search) key(k *kid, n int) uint64 {
	key := uint64(k.left)<<40 | uint64(k.waits)<<43 | uint64(k.room)<<46 | uint64(n)<<49
	for c := range colours {
		key |= uint64(int32(k.to[c])-s.places[c][n].links) << (10 * c)
	}
	return key
}
