package solve

// With more tiles left than this, the levels are too close to help.
const manyIdle = 5

// search finds the cheapest way through all 13 numbers for the four chains together, depth first. It cuts a branch if
// its cost so far plus the least cost of the rest is not below the best way found. Its memory is reused.
//
// Invariant: best is the cost of a way that has been found or the cost to beat, and no way costs less than bound.
type search struct {
	tiles       *tiles
	chains      chains
	prices      prices
	counted     counted
	expansion   expansion
	table       laying
	legs        [][]stage
	levels      levels
	comparing   bool    // links know which links are better
	counting    bool    // the bounds are those of the chains that count
	known       *memo   // memo of the current direction
	memos       [2]memo // for upwards, and for turned tiles
	limit       int     // maximum number of states; 0: no limit
	work        int
	pause       int        // number of states after which visit stops for the time being
	done        float64    // estimated share of the work that visit had done when it stopped
	doneTurned  [2]float64 // done at the end of the last leg of each direction: upwards, turned
	first       bool       // any way below the given cost is enough
	floor       int32      // lower bound that was known before the search
	bound       int32      // lower bound that is known by now
	best        int32      // cost of the best way so far, or the cost to beat
	goal        int32      // the highest cost that a better way can have
	cut         int32      // ways that cost more are pruned; in steps, this limit rises to goal
	any         bool       // a way has been found
	stop        bool
	unsure      bool // a leftover joker cost something: thrift may have missed a better way
	way         [numbers + 1]child
	trial       [numbers + 1]stepTaken
	found       [numbers + 1]stepTaken
	foundTurned bool // way in found leads through turned tiles
}

// join connects the parts of a search. The search must not be copied afterwards.
func (s *search) join() {
	s.tiles = &s.chains.tiles
	s.chains.limits = limits{mostStates, mostSeated}
	s.prices.chains = &s.chains
	s.counted.chains, s.counted.prices = &s.chains, &s.prices
	s.expansion.chains, s.expansion.prices, s.expansion.counted = &s.chains, &s.prices, &s.counted
}

// begin searches from the start, and reports whether nothing more can be found. If inSteps is set, it first looks for
// ways that cost hardly more than the bound. If the bound is good, that finds the best way at once; if not, it costs
// little.
func (s *search) begin(inSteps bool) (ended bool) {
	root := s.root()
	least := s.prices.least(&root, 1)
	if s.counting {
		least = max(least, s.counted.least(&root, 1))
	}
	if s.bound = max(s.bound, least); s.bound > s.goal {
		return true
	}
	least = s.bound
	pause, step := s.pause, s.tiles.cost[1]/firstStep
	for {
		if s.cut, s.pause = s.goal, pause; inSteps && step > 0 {
			s.cut = min(s.goal, (max(least, s.nextLevel(least))+step)/unit*unit)
			s.pause = min(pause, s.work+stepStates)
		}
		least = max(least, s.visit(&root, 1, 0))
		switch tired := s.stop && s.work == s.pause && s.pause < pause && s.bound <= s.goal && !(s.any && s.first); {
		case tired:
			s.stop, s.expansion.children = false, s.expansion.children[:0]
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
	if !s.levels.listed || !s.levels.few || s.tiles.kept.broken > 0 {
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
	s.goal = s.best - unit
	if s.bound > s.goal || s.tiles.kept.broken > 0 || s.best > manyIdle*s.tiles.cost[numbers/2+1] {
		return s.bound > s.goal
	}
	if !s.levels.listed {
		s.levels.list(s.tiles)
	}
	if s.levels.few {
		s.goal = s.levels.below(s.best/unit) * unit
	}
	return s.bound > s.goal
}

// root returns the state with which every way begins.
func (s *search) root() (root child) {
	root.left = int8(s.tiles.jokers)
	for c := range colours {
		root.to[c] = uint16(s.chains.places[c][1].links)
	}
	return root
}

// visit searches from state at, which is reached at the given cost, and returns a lower bound on the cost of the ways
// through it. If the search stops, the result is 0.
func (s *search) visit(at *child, n int, cost int32) (least int32) {
	for n <= numbers && s.chains.skip[n] {
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
	if s.tiles.thrift && !s.expansion.roomy && s.hopeless(at, key, cost) {
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
	first := len(s.expansion.children)
	if s.counting {
		s.expansion.expandCounting(at, n, cost, s.cut)
	} else {
		s.expansion.expand(at, n, cost, s.cut)
	}
	least = s.expansion.over
	children := s.expansion.children[first:]
	for i := range children {
		if bringBest(children[i:]); children[i].sum > s.cut {
			least = min(least, children[i].sum)
			break
		}
		s.way[n] = children[i]
		least = min(least, s.visit(&s.way[n], n+1, cost+s.way[n].cost))
		if s.stop {
			s.done = (float64(i) + s.done) / float64(len(children))
			return 0
		}
	}
	s.expansion.children = s.expansion.children[:first]
	if s.cut == s.goal {
		least = max(least, s.best)
	}
	s.known.learn(slot, key, least-cost)
	return least
}

// outdone returns a lower bound on the remaining cost of a state, taken from a known state with better runs, if that
// bound exceeds most. Otherwise it returns 0.
func (s *search) outdone(at *child, key uint64, most int32) int32 {
	for c := range colours {
		for _, better := range s.chains.links[at.to[c]].better {
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
func (s *search) hopeless(at *child, key uint64, cost int32) bool {
	for left := int(at.left) + 1; left <= s.tiles.jokers; left++ {
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
	if s.tiles.host && waits > s.tiles.rack-left {
		return never
	}
	s.trace()
	if left > 0 {
		extra := s.leftOver(left)
		// Room already covers one set broken for jokers.
		s.unsure = s.unsure || s.tiles.thrift && extra > s.tiles.kept.broken
		cost += extra
	}
	if cost <= s.goal {
		s.best, s.any, s.found, s.foundTurned = cost, true, s.trial, s.tiles.turned
		s.stop = s.aim() || s.first
		s.cut = min(s.cut, s.goal)
	}
	return cost
}

// leftOver returns the cost of the jokers that are left at the end of the way, or never if more remain than may stay on
// the rack.
func (s *search) leftOver(left int) int32 {
	extra := int32(0)
	if s.tiles.thrift {
		s.table.lay(s.tiles, &s.trial)
		played := s.tiles.played(&s.trial)
		room, broken := s.table.place(left, &played)
		extra = int32(broken) * s.tiles.kept.broken
		left -= room
	}
	if left > s.tiles.rack {
		return never
	}
	return extra + int32(left)*s.tiles.jokerCost
}

// bringBest swaps the most promising child to the front.
func bringBest(children []child) {
	best := 0
	for i := range children {
		if children[i].sum < children[best].sum ||
			children[i].sum == children[best].sum && children[i].rank < children[best].rank {
			best = i
		}
	}
	children[0], children[best] = children[best], children[0]
}

// key returns a key for a state at number n.
func (s *search) key(at *child, n int) uint64 {
	key := uint64(at.left)<<40 | uint64(at.waits)<<43 | uint64(at.room)<<46 | uint64(n)<<49
	for c := range colours {
		key |= uint64(int32(at.to[c])-s.chains.places[c][n].links) << (10 * c)
	}
	return key
}
