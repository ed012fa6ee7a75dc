package pairing

import "slices"

// design gives a plan for 4m players, by round, table and seat, in which nobody meets twice: all the rounds that it has. There is
// none for sizes that have no design, or need none.
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

// develop makes the rounds of a starter. Its players are columns of q numbers and up to three more who stay where they are; every
// next round adds 1 to the numbers, modulo q.
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

// square is a plan of the lines y = kx + c of a finite plane, cut at four columns: each is a table, and those of one slope k a round.
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

// complete tells whether in a design everybody meets everybody, so that it can be laid again.
func complete(plan [][][]int) bool { return len(plan) > 0 && 3*len(plan) == seats*len(plan[0])-1 }

// meetings tells of two players of a design in which of its rounds they meet, below 0 in none.
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

// designed is a design with its players, tables and rounds in the order of a lot. For tables of three, players of it are left out who
// are never, or in as few rounds as can be, at one table; those rounds are not laid.
func (f *search) designed() (start, bool) {
	m := len(f.size)
	absent := seats*m - f.n
	plan := design(m)
	if plan == nil || absent >= seats || slices.Min(f.size) < 3 {
		return start{}, false
	}
	laid := f.laid(plan, absent)
	for range min(absent, 1) * layings {
		if other := f.laid(plan, absent); len(other.rounds) > len(laid.rounds) || len(other.rounds) == len(laid.rounds) && other.threes < laid.threes {
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

// laying is the rounds of a design that are played, and who is left out of it, in order. Threes is how uneven its tables of three are,
// as in Cost.
type laying struct {
	rounds [][][]int
	out    []int
	threes int
}

// layings is how many are tried where somebody is left out.
const layings = 100

// laid chooses by lot who is left out, and then round by round the one in which those come to tables of three who were there least.
func (f *search) laid(plan [][][]int, absent int) laying {
	when := meetings(plan)
	out := f.leftOut(when, absent, len(plan)-f.rounds)
	var left []int // the rounds in which they sit apart
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
		next := slices.MinFunc(left, func(r, s int) int { return sum(shortAt(plan[r], out), short) - sum(shortAt(plan[s], out), short) })
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

// shortAt are those at tables of three in a round of a design.
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

// leftOut are so many players of a design, by lot among those who share tables in no more rounds than are to spare, or in as few as
// can be.
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

// roundsShared counts the rounds in which two of these players or more sit at one table.
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
