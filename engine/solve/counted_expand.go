package solve

// least returns a lower bound of the cost of a state at number n from there on.
//
// This file keeps one invariant: a way is left out only if it does not use the given number of jokers, or if its least
// cost, by the chains that count, is above the highest allowed. expansion.over is the least of the costs above that.
func (s *counted) least(at *child, n int) int32 {
	left := at.left & 3
	sum := s.earned[n][left]
	for c := range colours {
		sum += s.above[int32(at.to[c])+s.shift[c][n]][left]
	}
	return sum
}

// expandCounting is expand with the bounds of the chains that count, for each number of jokers that all colours and
// groups may use together.
func (x *expansion) expandCounting(at *child, n int, cost, most int32) {
	x.at, x.number, x.cost, x.most, x.over = at, n, cost, most, never
	counted, list, broken := x.counted, &x.prices.groupings, x.chains.kept.broken
	rest := most - cost - counted.least(at, n)
	if rest < 0 {
		x.over = most - rest
		return
	}
	for used := range at.left + 1 {
		for c := range colours {
			x.enterCounting(c, used, rest+counted.above[int32(at.to[c])+counted.shift[c][n]][at.left])
		}
		for i := list.from[n]; i < list.from[n+1]; i++ {
			groups := &list.list[i]
			if int8(groups.jokers) > used {
				break
			}
			takes := &groups.takes
			sum := cost + int32(groups.broken)*broken + counted.earned[n+1][at.left-used] +
				x.least[0][takes[0]] + x.least[1][takes[1]] + x.least[2][takes[2]] + x.least[3][takes[3]]
			if sum > most {
				x.over = min(x.over, sum)
				continue
			}
			x.groups = groups
			base := child{grouping: i, left: at.left - used, cost: int32(groups.broken) * broken, sum: sum}
			x.chooseCounting(base, used-int8(groups.jokers))
		}
	}
}

// enterCounting lists the ways of colour c whose cost, including prices, does not exceed most. used is the number of
// jokers that all colours and groups use together.
func (x *expansion) enterCounting(c int, used int8, most int32) {
	counted, n, left := x.counted, x.number, x.at.left
	entries, least := &x.entries[c], &x.least[c]
	for given := range x.prices.groupings.most[c][n] + 1 {
		entries[given], least[given] = entries[given][:0], never
	}
	options, next := counted.byLink[int32(x.at.to[c])+counted.shift[c][n]], counted.shift[c][n+1]
	worth := &counted.worth[c][n]
	for k := options.first; k < options.last; k++ {
		o := &counted.options[k]
		if int8(o.jokers) > used {
			continue
		}
		bound := o.cost + counted.above[int32(o.to)+next][left-used]
		if over := bound + worth[useAt[left][used][o.jokers]*mostTaken+int(o.given)] - most; over > 0 {
			x.over = min(x.over, x.most+over)
			continue
		}
		entries[o.given] = append(entries[o.given], entry{o.arc, o.cost, bound, o.to, int8(o.jokers)})
		least[o.given] = min(least[o.given], bound)
	}
}

// chooseCounting combines ways of the four colours that give what the groups take and use exactly the given number of
// jokers. a, b, c and d are ways of the colours 0 to 3.
func (x *expansion) chooseCounting(base child, jokers int8) {
	takes := &x.groups.takes
	a, b, c, d := x.entries[0][takes[0]], x.entries[1][takes[1]], x.entries[2][takes[2]], x.entries[3][takes[3]]
	leastA, leastB, leastC, leastD := x.least[0][takes[0]], x.least[1][takes[1]], x.least[2][takes[2]],
		x.least[3][takes[3]]
	for i := range a {
		sumA, leftA := base.sum+a[i].bound-leastA, jokers-a[i].jokers
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
			for k := range c {
				sumC, leftC := sumB+c[k].bound-leastC, leftB-c[k].jokers
				if leftC < 0 {
					continue
				}
				for l := range d {
					if leftC != d[l].jokers {
						continue
					}
					if sum := sumC + d[l].bound - leastD; sum > x.most {
						x.over = min(x.over, sum)
					} else {
						next := base
						next.sum = sum
						next.join(&a[i], &b[j], &c[k], &d[l])
						x.append(&next)
					}
				}
			}
		}
	}
}
