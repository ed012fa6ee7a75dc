package solve

// leastCounting returns a lower bound of the cost of kid k from number n on.
//
// This file keeps one invariant: a way is left out only if it does not use the given number of jokers, or if its least
// cost, by the chains that count, is above the cut. expansion.over is the least of the costs above the cut.
//
// In this file, x is the expansion and m a grouping. In chooseCounting, a, b, c and d are the entries of the colours 0
// to 3, and i, j, l and m their indices.
func (s *search) leastCounting(k *kid, n int) int32 {
	left := k.left & 3
	sum := s.earned[n][left]
	for c := range colours {
		sum += s.above[int32(k.to[c])+s.shift[c][n]][left]
	}
	return sum
}

// expandCounting is expand with the bounds of the chains that count, for each number of jokers that all colours and
// groups may use together.
func (s *search) expandCounting(at *kid, n int, cost int32) {
	x := &s.growing
	x.at, x.n, x.cost, x.most, x.over = at, n, cost, s.cut, never
	rest := x.most - cost - s.earned[n][at.left]
	for c := range colours {
		rest -= s.above[int32(at.to[c])+s.shift[c][n]][at.left]
	}
	if rest < 0 {
		x.over = x.most - rest
		return
	}
	for all := range at.left + 1 {
		for c := range colours {
			s.enterCounting(c, all, rest+s.above[int32(at.to[c])+s.shift[c][n]][at.left])
		}
		for i := s.from[n]; i < s.from[n+1]; i++ {
			m := &s.melds[i]
			if int8(m.jokers) > all {
				break
			}
			sum := cost + int32(m.broken)*s.kept.broken + s.earned[n+1][at.left-all] +
				x.least[0][m.takes[0]] + x.least[1][m.takes[1]] + x.least[2][m.takes[2]] + x.least[3][m.takes[3]]
			if sum > x.most {
				x.over = min(x.over, sum)
			} else {
				x.meld = m
				s.chooseCounting(kid{meld: i, left: at.left - all, cost: int32(m.broken) * s.kept.broken, sum: sum},
					all-int8(m.jokers))
			}
		}
	}
}

// enterCounting lists the ways of colour c whose cost, including prices, does not exceed most. all is the number of
// jokers that all colours and groups use together.
func (s *search) enterCounting(c int, all int8, most int32) {
	x := &s.growing
	n, left := x.n, x.at.left
	entries, least := &x.entries[c], &x.least[c]
	for g := range s.most[c][n] + 1 {
		entries[g], least[g] = entries[g][:0], never
	}
	options, next, worth := s.of[int32(x.at.to[c])+s.shift[c][n]], s.shift[c][n+1], &s.worth[c][n]
	for k := options.first; k < options.last; k++ {
		o := &s.options[k]
		if int8(o.jokers) > all {
			continue
		}
		g := o.given
		bound := o.cost + s.above[int32(o.to)+next][left-all]
		if over := bound + worth[useAt[left][all][o.jokers]*mostTaken+int(g)] - most; over > 0 {
			x.over = min(x.over, x.most+over)
			continue
		}
		entries[g] = append(entries[g], entry{o.arc, o.cost, bound, o.to, int8(o.jokers)})
		least[g] = min(least[g], bound)
	}
}

// chooseCounting combines ways of the four colours that give what the groups take and use exactly the given number of
// jokers.
func (s *search) chooseCounting(k kid, jokers int8) {
	x, takes := &s.growing, &s.growing.meld.takes
	a, b, c, d := x.entries[0][takes[0]], x.entries[1][takes[1]], x.entries[2][takes[2]], x.entries[3][takes[3]]
	leastA, leastB, leastC, leastD := x.least[0][takes[0]], x.least[1][takes[1]], x.least[2][takes[2]],
		x.least[3][takes[3]]
	for i := range a {
		sumA, leftA := k.sum+a[i].bound-leastA, jokers-a[i].jokers
		if leftA < 0 {
			continue
		}
		if sumA > x.most {
			x.over = min(x.over, sumA)
			continue
		}
		for j := range b {
			sumB, leftB := sumA+b[j].bound-leastB, leftA-b[j].jokers
			if leftB < 0 {
				continue
			}
			if sumB > x.most {
				x.over = min(x.over, sumB)
				continue
			}
			for l := range c {
				sumC, leftC := sumB+c[l].bound-leastC, leftB-c[l].jokers
				if leftC < 0 {
					continue
				}
				for m := range d {
					if leftC != d[m].jokers {
						continue
					}
					if sum := sumC + d[m].bound - leastD; sum > x.most {
						x.over = min(x.over, sum)
					} else {
						k := k
						k.sum = sum
						k.cost += a[i].cost + b[j].cost + c[l].cost + d[m].cost
						k.arcs = [colours]int32{a[i].arc, b[j].arc, c[l].arc, d[m].arc}
						k.to = [colours]uint16{a[i].to, b[j].to, c[l].to, d[m].to}
						s.enroll(&k)
					}
				}
			}
		}
	}
}
