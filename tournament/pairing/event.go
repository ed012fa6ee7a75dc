package pairing

import (
	"cmp"
	"slices"
)

// start is where a search for a whole event begins: in its first rounds nobody meets twice.
type start struct {
	who  []int32
	sure int // how many rounds at the start come from a design
}

// planEvent seats all rounds of the sheet at once, from the given starts, from a design where there is one and from a lot,
// and keeps the best.
func (f *search) planEvent(starts []start, fresh bool) []int32 {
	var found best
	lots := start{who: f.lots()}
	if fresh {
		if d, ok := f.designed(); ok {
			starts = append(starts, d)
		}
	}
	starts = append(starts, lots)
	for k, s := range starts {
		f.load(s.who)
		found.offer(f.sheet)
		f.improveEvent(s.sure, (f.of*3/4-f.steps)/(len(starts)-k))
		found.offer(f.sheet)
		if f.ended || f.clean(found.cost) {
			break
		}
	}
	f.load(found.who)
	f.anneal(phase{hi: f.rounds, steps: f.of / 4, seats: 16, hot: weighStart * 2, cold: weighNeighbour / 2, done: f.seated})
	return f.who
}

// clean tells that nothing that matters between players can be better: nobody meets again, no wish is unmet and the
// places at tables of three are even.
func (f *search) clean(c Cost) bool {
	return c.Consecutive == 0 && c.Repeats == f.metBefore && c.Wishes == 0 && (!f.uneven || c.Threes == f.fewThrees)
}

// improveEvent works from the heaviest terms to the lightest.
func (f *search) improveEvent(sure, steps int) {
	all := phase{hi: f.rounds}
	apart := func() bool { c := f.measure(); return c.Repeats == f.metBefore && c.Consecutive == 0 }
	if !apart() {
		p := all
		p.lo, p.steps, p.sameSize = min(sure, f.rounds-1), steps/2, true
		p.hot, p.cold, p.done = weighRepeat*3/2, weighRepeat/4, apart
		f.anneal(p)
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

// seated tells that everybody has had every seat as often as any other, as nearly as it goes.
func (f *search) seated() bool {
	for p := range f.n {
		if f.unevenly(p) {
			return false
		}
	}
	return true
}

// lots seats everybody by lot in all rounds. At tables of three sit those who have sat there least, so that nobody
// does twice before everybody has once.
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
		byCount(order, count)
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

// leastThrees is the cost of the places at tables of three when those who sat there least always come first.
func (s *sheet) leastThrees() int64 {
	places := 0
	for _, size := range s.size {
		if size == 3 {
			places += 3
		}
	}
	count := slices.Clone(s.threes[:s.n])
	var least int64
	for range s.rounds {
		slices.Sort(count)
		for i := range places {
			count[i]++
		}
		for _, k := range count {
			least += int64(k) * int64(k)
		}
	}
	return least
}

// designed is a design with its numbers, tables and rounds in the order of a lot. For tables of three, players who stay
// where they are in it are left out.
func (f *search) designed() (start, bool) {
	m := len(f.size)
	absent := 4*m - f.n
	plan := design(m, f.rounds)
	if plan == nil || absent > 4*m-(4*m-1)/3*3 || absent > 0 && starters[m] == nil {
		return start{}, false
	}
	names := f.rng.Perm(f.n)
	if len(plan) <= m+1 { // beyond that the order is part of the design
		f.rng.Shuffle(len(plan), func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
	}
	st := start{sure: len(plan)}
	for _, round := range plan {
		f.rng.Shuffle(len(round), func(i, j int) { round[i], round[j] = round[j], round[i] })
		var full, short []int32
		for _, table := range round {
			var named []int32
			for _, p := range table {
				if p < f.n {
					named = append(named, int32(names[p]))
				}
			}
			if len(named) == seats {
				full = append(full, named...)
			} else {
				short = append(short, named...)
			}
		}
		st.who = append(append(st.who, full...), short...)
	}
	st.who = append(st.who, f.lots()[len(st.who):]...)
	return st, true
}

// relabel lets two players change places in all rounds: nobody meets more often, and wishes may be met.
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

// wishesOf is what the wishes of a and b cost when x sits where a sits, and y where b does.
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

func byCount(order []int, count []int32) {
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[a], count[b]) })
}
