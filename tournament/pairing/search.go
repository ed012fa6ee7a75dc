package pairing

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// search improves the rounds of a sheet by exchanges, using simulated annealing: the worse an exchange and the later it
// comes, the more rarely it is accepted. It counts its steps, so that the same seed gives the same draw on every
// machine. stop, called from time to time, ends it early with the best result so far.
type search struct {
	*sheet
	rng   *rand.Rand
	luck  []int64 // −ln of the probabilities, in 1024ths
	steps int     // steps done
	of    int     // limit of steps
	each  int     // steps of one search from one start; a whole plan needs several
	stop  func() bool
	tell  func(done, of int)
	ended bool

	pot []int32 // by player: exchanges stay within a pot; nil: no restriction

	satShort   []int32 // by player: places at tables of three before these rounds
	fewThrees  int64   // lower bound of Threes
	fewRepeats int64   // lower bound of Repeats, by counting
	fewInRow   int64   // lower bound of Consecutive, by counting
}

const (
	chances  = 1 << 12
	askEvery = 1 << 12
)

func newSearch(s *sheet, seed uint64, steps int) *search {
	f := &search{sheet: s, rng: rand.New(rand.NewPCG(seed, 0x6d656c6468616c6c)), of: steps, each: steps,
		luck: make([]int64, chances)}
	f.fewThrees, f.satShort = s.leastThrees(), slices.Clone(s.threes[:s.n])
	f.fewInRow, f.fewRepeats = s.leastMeetings()
	for i := range f.luck {
		f.luck[i] = int64(math.Round(-1024 * math.Log((float64(i)+0.5)/chances)))
	}
	return f
}

// phase is one part of a search, cooling from hot to cold in the given steps, over the rounds from lo to hi.
type phase struct {
	lo, hi    int
	steps     int
	hot, cold int64 // accepted cost increase per step
	seats     int   // how many of 16 exchanges are within a table
	sameSize  bool  // tables of three keep their players
	pots      bool  // exchanges stay within a pot
	firsts    bool  // first-timers at a table of three only swap with other first-timers
	done      func() bool
}

func (f *search) goesOn() bool {
	if f.ended {
		return false
	}
	if f.tell != nil {
		f.tell(f.steps, f.of)
	}
	f.ended = f.stop != nil && f.stop()
	return !f.ended
}

// anneal runs one phase.
func (f *search) anneal(p phase) {
	if p.hi <= p.lo || f.n < 2 {
		return
	}
	cool := math.Pow(float64(p.cold)/float64(p.hot), float64(askEvery)/float64(max(p.steps, askEvery)))
	warmth := float64(p.hot)
	for step := 0; step < p.steps; step++ {
		if step%askEvery == 0 {
			if step > 0 {
				warmth *= cool
			}
			if !f.goesOn() || p.done != nil && p.done() {
				return
			}
		}
		f.steps++
		f.try(p, int64(warmth))
	}
}

// try proposes one exchange, and makes it if it is accepted.
func (f *search) try(p phase, warmth int64) {
	r := p.lo + f.rng.IntN(p.hi-p.lo)
	i := int32(f.rng.IntN(f.n))
	bound := warmth * f.luck[f.rng.IntN(chances)] / 1024
	if p.seats > 0 && (p.seats == 16 || f.rng.IntN(16) < p.seats) {
		t := f.tableAt[i]
		j := f.first[t] + int32(f.rng.IntN(int(f.size[t])))
		if j != i && f.seating(r, i, j) <= bound {
			f.exchange(r, i, j)
		}
		return
	}
	j := int32(f.rng.IntN(f.n))
	if f.tableAt[i] == f.tableAt[j] || p.sameSize && f.size[f.tableAt[i]] != f.size[f.tableAt[j]] {
		return
	}
	if p.firsts && f.losesFirst(r, i, j) {
		return
	}
	if p.pots && f.pot[f.who[r*f.n+int(i)]] != f.pot[f.who[r*f.n+int(j)]] {
		return
	}
	w := f.company(r, i, j)
	if p.seats > 0 {
		if w > bound+seatSlack {
			return
		}
		w += f.seating(r, i, j)
	}
	if w <= bound {
		f.exchange(r, i, j)
	}
}

// seatSlack is more than an exchange can gain from seats alone.
const seatSlack = 64 * weighStart

// best keeps the best of several plans. If two cost the same except for tables of three and seats, best prefers the one
// whose players differ by at most two places at tables of three, then more even places, then the narrower range.
type best struct {
	who   []int32
	cost  Cost
	wide  int32
	again int // number of equally good plans found since
}

func (b *best) offer(s *sheet) {
	c, wide := s.measure(), s.rangeOfThrees()
	c.Starts, c.Seats, c.Neighbours, c.RankGap = 0, 0, 0, 0
	is, was := c, b.cost
	is.Threes, was.Threes = 0, 0
	switch {
	case b.who == nil || is.Less(was):
	case is != was:
		return
	default:
		switch cmp.Or(cmp.Compare(max(wide, 2), max(b.wide, 2)), cmp.Compare(c.Threes, b.cost.Threes),
			cmp.Compare(wide, b.wide)) {
		case 0:
			b.again++
			return
		case 1:
			return
		}
	}
	*b = best{who: slices.Clone(s.who), cost: c, wide: wide}
}

// planRound seats one round, starting from a given order of places.
func (f *search) planRound(order []int32) []int32 {
	if f.uneven && f.pot == nil {
		order = f.firstsAtThree(order)
	}
	f.load(order)
	if f.right() || len(f.size) == 1 && f.pot != nil { // a single table of a pot keeps the order of the standings
		return f.who
	}
	p := phase{hi: 1, steps: f.of / 2, seats: 4, hot: weighRepeat * 2, cold: weighThree, pots: f.pot != nil,
		firsts: f.uneven && f.pot == nil, done: f.right}
	f.anneal(p)
	p.steps, p.hot, p.cold = f.of/2, weighThree, weighNeighbour/128
	f.anneal(p)
	return f.who
}

// firstsAtThree gives places at tables of three to players who have not sat there, instead of those who have. No player
// sits there twice before all have once.
func (f *search) firstsAtThree(order []int32) []int32 {
	order = slices.Clone(order)
	i := f.n - 1 // tables of three come last, so the nearest below move there first
	for j := f.n - 1; j >= 0; j-- {
		if f.size[f.tableAt[j]] != 3 || f.satShort[order[j]] == 0 {
			continue
		}
		for i >= 0 && (f.size[f.tableAt[i]] == 3 || f.satShort[order[i]] > 0) {
			i--
		}
		if i < 0 {
			break
		}
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// losesFirst reports whether an exchange would replace a first-timer at a table of three with a player who has sat
// there before.
func (f *search) losesFirst(r int, i, j int32) bool {
	if f.size[f.tableAt[i]] == f.size[f.tableAt[j]] {
		return false
	}
	off, on := f.who[r*f.n+int(i)], f.who[r*f.n+int(j)]
	if f.size[f.tableAt[j]] == 3 {
		off, on = on, off
	}
	return f.satShort[off] == 0 && f.satShort[on] > 0
}

// seatSteps limits the steps for evening out the seats of a round. More do not help, however large the round is.
const seatSteps = 160_000

// planSeats keeps the composition of the tables, and evens out the seats at each table, considering earlier rounds.
func (f *search) planSeats(order []int32) []int32 {
	f.load(order)
	f.anneal(phase{hi: 1, steps: min(f.of/4, seatSteps), seats: 16, hot: weighStart * 2, cold: weighNeighbour / 2,
		done: f.seated})
	return f.who
}

// right reports whether a draw needs no search: neither the costs between players nor the seats can improve.
func (f *search) right() bool { return f.seated() && f.clean(f.measure()) }
