package pairing

import "slices"

// design returns all rounds of a plan for 4m players, by round, table and seat, in which no two players meet twice. It
// returns nil for a size that has no design or needs none.
func design(m int) [][][]int {
	if classes := starters[m]; classes != nil {
		return develop(classes, m)
	}
	switch m {
	case 5, 17, 23: // primes from 5 on: the slopes differ at all four columns
		return square(m)
	}
	return nil
}

// develop builds the rounds of a starter. Its players are columns of q numbers, and up to three more who stay in place.
// Each following round adds 1 to the numbers, modulo q.
func develop(classes [][]int, m int) [][][]int {
	rounds := (4*m - 1) / 3
	q := rounds / len(classes)
	var plan [][][]int
	for _, first := range classes {
		for r := range q {
			var round [][]int
			for t := range m {
				table := make([]int, seats)
				for i, p := range first[t*seats : (t+1)*seats] {
					if p < 3*rounds {
						p = p/q*q + (p%q+r)%q
					}
					table[i] = p
				}
				round = append(round, table)
			}
			plan = append(plan, round)
		}
	}
	return plan
}

// square returns a plan made of the lines y = kx + c of a finite plane, cut at four columns. Each line is a table, and
// the lines with the same slope k are a round.
func square(m int) [][][]int {
	var plan [][][]int
	for slope := range m {
		var round [][]int
		for c := range m {
			table := make([]int, seats)
			for x := range table {
				table[x] = x*m + (slope*x+c)%m
			}
			round = append(round, table)
		}
		plan = append(plan, round)
	}
	return plan
}

// complete reports whether every player meets every other in a design, so that it can be repeated.
func complete(plan [][][]int) bool { return len(plan) > 0 && 3*len(plan) == seats*len(plan[0])-1 }

// meetings returns for every two players of a design the round in which they meet, or -1.
func meetings(plan [][][]int) [][]int {
	n := seats * len(plan[0])
	when := make([][]int, n)
	for a := range when {
		when[a] = make([]int, n)
		for b := range n {
			when[a][b] = -1
		}
	}
	for r, round := range plan {
		for _, table := range round {
			for _, a := range table {
				for _, b := range table {
					if a != b {
						when[a][b] = r
					}
				}
			}
		}
	}
	return when
}

// designed returns a design with players, tables and rounds in random order. It returns false if no design fits. To get
// tables of three, it leaves out players of the design who never share a table, or who share tables in as few rounds as
// possible. Those rounds are not used.
func (f *search) designed() (start, bool) {
	m := len(f.size)
	absent := seats*m - f.n
	plan := design(m)
	if plan == nil || absent >= seats || slices.Min(f.size) < 3 {
		return start{}, false
	}
	laid := f.laid(plan, absent)
	for range min(absent, 1) * layings {
		if other := f.laid(plan, absent); len(other.rounds) > len(laid.rounds) ||
			len(other.rounds) == len(laid.rounds) && other.threes < laid.threes {
			laid = other
		}
	}
	names := f.rng.Perm(f.n)
	for _, p := range laid.out {
		names = slices.Insert(names, p, -1)
	}
	st := start{sure: len(laid.rounds)}
	for _, round := range laid.rounds {
		f.rng.Shuffle(m, func(i, j int) { round[i], round[j] = round[j], round[i] })
		var full, short []int32
		for _, table := range round {
			named := full[:0:0]
			for _, p := range table {
				if names[p] >= 0 {
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

// laying holds the rounds of a design that are played, and the players left out, in order. threes is the unevenness of
// its tables of three, as in Cost.
type laying struct {
	rounds [][][]int
	out    []int
	threes int
}

// layings is the number of further layings to try if players are left out.
const layings = 100

// laid chooses at random which players to leave out. Then it picks rounds one by one, so that tables of three get the
// players who have sat there least often.
func (f *search) laid(plan [][][]int, absent int) laying {
	when := meetings(plan)
	out := f.leftOut(when, absent, len(plan)-f.rounds)
	var left []int // rounds in which the players left out sit apart
	for _, r := range f.rng.Perm(len(plan)) {
		if !slices.ContainsFunc(out, func(a int) bool {
			return slices.ContainsFunc(out, func(b int) bool { return a != b && when[a][b] == r })
		}) {
			left = append(left, r)
		}
	}
	short := make([]int, len(when))
	l := laying{out: out}
	for len(left) > 0 && len(l.rounds) < f.rounds {
		next := slices.MinFunc(left, func(r, s int) int {
			return sum(shortAt(plan[r], out),
				short) - sum(shortAt(plan[s], out), short)
		})
		left = slices.DeleteFunc(left, func(r int) bool { return r == next })
		for _, p := range shortAt(plan[next], out) {
			short[p]++
		}
		for _, k := range short {
			l.threes += int(atThrees(int32(k)))
		}
		l.rounds = append(l.rounds, slices.Clone(plan[next]))
	}
	for again := 0; complete(plan) && len(l.rounds) < f.rounds; again++ {
		l.rounds = append(l.rounds, slices.Clone(l.rounds[again]))
	}
	return l
}

// shortAt returns the players at tables of three in a round of a design.
func shortAt(round [][]int, out []int) (short []int) {
	for _, table := range round {
		if slices.ContainsFunc(table, func(p int) bool { return slices.Contains(out, p) }) {
			short = append(short, table...)
		}
	}
	return short
}

func sum(players, counts []int) (n int) {
	for _, p := range players {
		n += counts[p]
	}
	return n
}

// leftOut chooses the players of a design to leave out. It picks at random among those who share tables in no more than
// spare rounds, or else in as few as possible.
func (f *search) leftOut(when [][]int, absent, spare int) []int {
	var out []int
	if absent > 0 {
		out = append(out, f.rng.IntN(len(when)))
	}
	for len(out) < absent {
		var nearest []int
		fewest := len(when)
		for _, p := range f.rng.Perm(len(when)) {
			if slices.Contains(out, p) {
				continue
			}
			if n := max(spare, roundsShared(when, append(slices.Clone(out), p))); n < fewest {
				fewest, nearest = n, append(slices.Clone(out), p)
			}
		}
		out = nearest
	}
	slices.Sort(out)
	return out
}

// roundsShared counts the rounds in which two or more of these players sit at the same table.
func roundsShared(when [][]int, players []int) int {
	shared := map[int]bool{}
	for _, a := range players {
		for _, b := range players {
			if when[a][b] >= 0 {
				shared[when[a][b]] = true
			}
		}
	}
	return len(shared)
}
