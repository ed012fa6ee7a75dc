package pairing

import (
	"cmp"
	"slices"
)

// start is a starting point of a search for a whole tournament.
type start struct {
	who   []int32
	sure  int  // leading rounds from a design, without repeated meetings
	given bool // a plan that was good before a change and may need little work
}

// planEvent seats all rounds of the sheet at once. It searches from the given starts, from designs if fresh is set and
// there are any, and from random seatings, until no cost between players can improve or the steps are used up. It keeps
// the best plan.
func (f *search) planEvent(starts []start, fresh bool) []int32 {
	var found best
	idle := 0 // searches since the last improvement
	each := f.each * 3 / 4
	if f.of < f.each*(len(starts)+2) {
		each = f.of * 3 / 4 / (len(starts) + 2)
	}
	for k := range len(starts) + searchesOfPlan {
		if k > len(starts) && f.steps+each > f.of-f.each/4 {
			break
		}
		s := f.beginning(starts, k, fresh)
		f.steep = k%2 == 1
		f.load(s.who)
		found.offer(f.sheet)
		again, was := found.again, found.cost
		f.improveEvent(s, each)
		found.offer(f.sheet)
		if idle++; found.cost != was {
			idle = 0
		}
		if s.given || s.sure > 0 { // reaching the same result again proves nothing
			found.again = min(found.again, again)
		}
		if f.ended || f.clean(found.cost) || found.again == enough || idle == wishesOnly && f.even(found.cost) {
			break
		}
	}
	f.steep = false
	f.load(found.who)
	turned := f.fewestAfter()
	f.anneal(phase{hi: f.rounds, steps: f.each / 4, seats: 16, hot: weighStart * 2, cold: weighNeighbour / 2,
		done: func() bool { return f.seated() && f.measure().Neighbours <= turned }})
	return f.who
}

// enough is how often the best result must be reached again before planning ends.
const enough = 16

// wishesOnly is how many searches without improvement end the planning if only wishes could improve.
const wishesOnly = 2

// beginning returns the start of the k-th search. It cycles through the given starts and a start of its own. If fresh
// is set, its own start is first a design, if there is one, and then random; if the design has too few rounds, the two
// alternate. Otherwise it is always random.
func (f *search) beginning(starts []start, k int, fresh bool) start {
	if turn := k % (len(starts) + 1); turn < len(starts) {
		return starts[turn]
	}
	if turn := k / (len(starts) + 1); fresh && turn%2 == 0 {
		if s, ok := f.designed(); ok && (turn == 0 || s.sure < f.rounds) {
			return s
		}
	}
	return start{who: f.lots()}
}

// clean reports whether no cost between players can improve: repeated meetings are at the bound, all wishes are met,
// and the places at tables of three are even.
func (f *search) clean(c Cost) bool {
	return c.Wishes == 0 && f.even(c)
}

// even reports whether repeated meetings are at the bound, and the places at tables of three are even.
func (f *search) even(c Cost) bool { return f.parted(c) && (!f.uneven || c.Threes == f.fewThrees) }

// parted reports whether repeated meetings, in total and in consecutive rounds, are at the bound.
func (f *search) parted(c Cost) bool { return c.Consecutive <= f.fewInRow && c.Repeats <= f.fewRepeats }

// improveEvent improves the heaviest cost terms first. The rounds of a design keep their meetings. In the other rounds
// the places at tables of three are evened out together with removing repeated meetings, because that is impossible
// later.
func (f *search) improveEvent(s start, steps int) {
	all, sure := phase{hi: f.rounds}, s.sure
	if c := f.measure(); !f.parted(c) || sure == 0 && f.uneven && c.Threes > f.fewThrees {
		p := all
		p.lo, p.steps, p.sameSize = min(sure, f.rounds-1), steps/2, sure > 0
		p.hot, p.cold = weighRepeat*3/2, weighRepeat/4
		p.done = func() bool { return f.even(f.measure()) }
		if f.uneven && sure == 0 {
			f.short, p.cold = weighRepeat/4, weighRepeat/16
		}
		if s.given {
			p.hot = weighRepeat
		}
		f.anneal(p)
		f.short = weighThree
	}
	if !f.clean(f.measure()) {
		if f.wish != nil && sure > 0 {
			f.relabel(steps / 8)
		}
		p := all
		p.steps, p.hot, p.cold = steps/4, weighWish*8, weighThree/4
		p.done = func() bool { return f.clean(f.measure()) }
		f.anneal(p)
	}
}

// seated reports whether every player has had the seats as evenly as possible.
func (f *search) seated() bool {
	for p := range f.n {
		if f.unevenly(p) {
			return false
		}
	}
	return true
}

// lots seats all players at random in all rounds. Tables of three get the players who sat there least, so that no
// player sits there twice before all have once.
func (f *search) lots() []int32 {
	who := make([]int32, 0, f.rounds*f.n)
	count := slices.Clone(f.satShort)
	threes := 0
	for _, size := range f.size {
		if size == 3 && f.uneven {
			threes += 3
		}
	}
	for range f.rounds {
		order := f.rng.Perm(f.n)
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[a], count[b]) })
		short, rest := order[:threes], order[threes:]
		f.rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		f.rng.Shuffle(len(short), func(i, j int) { short[i], short[j] = short[j], short[i] })
		for i := range f.n {
			from := &rest
			if f.uneven && f.size[f.tableAt[i]] == 3 {
				from = &short
				count[(*from)[0]]++
			}
			who = append(who, int32((*from)[0]))
			*from = (*from)[1:]
		}
	}
	return who
}

// relabel swaps two players in all rounds. That causes no additional meetings, but may fulfil wishes.
func (f *search) relabel(steps int) {
	for step := 0; step < steps; step += f.rounds {
		if step/f.rounds%64 == 0 && (!f.goesOn() || f.measure().Wishes == 0) {
			return
		}
		f.steps += f.rounds
		a, b := int32(f.rng.IntN(f.n)), int32(f.rng.IntN(f.n))
		if a == b {
			continue
		}
		warmth := 3 * int64(steps-step) * f.luck[f.rng.IntN(chances)] / (int64(steps) * 1024)
		if f.wishesOf(a, b, b, a)-f.wishesOf(a, b, a, b) <= warmth {
			for r := range f.rounds {
				f.exchange(r, f.place[r*f.n+int(a)], f.place[r*f.n+int(b)])
			}
		}
	}
}

// wishesOf returns the cost of a's and b's wishes if x sits in a's seats and y in b's.
func (f *search) wishesOf(a, b, x, y int32) int64 {
	var sum int64
	for r := range f.rounds {
		for _, p := range [2][2]int32{{a, x}, {b, y}} {
			t := f.tableAt[f.place[r*f.n+int(p[0])]]
			for k := f.first[t]; k < f.first[t]+f.size[t]; k++ {
				if q := f.who[r*f.n+int(k)]; q != a && q != b {
					sum += f.apart(p[1], q)
				}
			}
		}
	}
	return sum
}
