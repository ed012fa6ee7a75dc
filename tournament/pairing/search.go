package pairing

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// search improves the rounds of a sheet by exchanges: a worse one is taken the more rarely, the worse it is and the
// later it comes (simulated annealing). It counts its steps, so that the same seed gives the same draw on every
// machine; stop, asked now and then, ends it early with the best found.
type search struct {
	*sheet
	rng   *rand.Rand
	luck  []int64 // −ln of the chances, in 1024ths
	steps int     // done so far
	of    int     // that may be done
	each  int     // that one search from one beginning does; of a whole event there are more
	stop  func() bool
	tell  func(done, of int)
	ended bool

	pot []int32 // by player: only players of the same pot may change places; nil: all may

	satShort   []int32 // by player: places at tables of three before these rounds
	fewThrees  int64   // the least that Threes can be
	fewRepeats int64   // the least that Repeats can be, by counting
	fewInRow   int64   // the least that Consecutive can be, by counting
}

const (
	chances  = 1 << 12
	askEvery = 1 << 12
)

func newSearch(s *sheet, seed uint64, steps int) *search {
	f := &search{sheet: s, rng: rand.New(rand.NewPCG(seed, 0x6d656c6468616c6c)), of: steps, each: steps, luck: make([]int64, chances)}
	f.fewThrees, f.satShort = s.leastThrees(), slices.Clone(s.threes[:s.n])
	f.fewInRow, f.fewRepeats = s.leastMeetings()
	for i := range f.luck {
		f.luck[i] = int64(math.Round(-1024 * math.Log((float64(i)+0.5)/chances)))
	}
	return f
}

// phase is one part of a search: from hot to cold in steps, over the rounds from lo to hi.
type phase struct {
	lo, hi    int
	steps     int
	hot, cold int64 // what a step may cost
	seats     int   // of 16 exchanges, how many are within a table
	sameSize  bool  // tables of three keep their players
	pots      bool  // only players of one pot change places
	firsts    bool  // who sits at a table of three for the first time changes places there only with another such
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

// try makes one exchange, or not.
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

// seatSlack is more than an exchange can win by its seats alone.
const seatSlack = 64 * weighStart

// best keeps the best of several plans. If two cost the same except for tables of three and seats, best prefers the one
// whose players differ by at most two places at tables of three, then more even places, then the narrower range.
type best struct {
	who   []int32
	cost  Cost
	wide  int32
	again int // how many plans as good were found since
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

// planRound seats one round, from a given order of places.
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

// firstsAtThree puts who has not sat at a table of three there in place of who has: nobody is there a second time before everybody
// was once.
func (f *search) firstsAtThree(order []int32) []int32 {
	order = slices.Clone(order)
	i := f.n - 1 // the tables of three come last: the nearest below go there first
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

// losesFirst tells whether an exchange would put somebody at a table of three again in place of who sits there for the first time.
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

// seatSteps bounds the steps that even the seats of a round; more do not help, however large the round is.
const seatSteps = 160_000

// planSeats keeps who sits with whom, and evens the seats at each table by the rounds before.
func (f *search) planSeats(order []int32) []int32 {
	f.load(order)
	f.anneal(phase{hi: 1, steps: min(f.of/4, seatSteps), seats: 16, hot: weighStart * 2, cold: weighNeighbour / 2,
		done: f.seated})
	return f.who
}

// right tells that a draw needs no search: nothing that matters between players can be better, and the seats
// neither.
func (f *search) right() bool { return f.seated() && f.clean(f.measure()) }
