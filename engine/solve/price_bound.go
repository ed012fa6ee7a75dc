package solve

// This file computes the lower bounds that prices give. Invariant: the bounds of the four chains and of the groups for
// the jokers that are left add up to a lower bound of the cost of a state.

// sell computes what groups earn at the prices.
func (p *prices) sell() {
	for n := numbers; n >= 1; n-- {
		own := [mostJokers + 1]int32{never, never, never, never, never}
		list := p.groupings.at(n)
		for i := range list {
			groups := &list[i]
			takes := &groups.takes
			if sold := p.price[0][n][takes[0]] + p.price[1][n][takes[1]] + p.price[2][n][takes[2]] +
				p.price[3][n][takes[3]]; sold < far {
				own[groups.jokers] = min(own[groups.jokers], int32(groups.broken)*p.chains.kept.broken-sold)
			}
		}
		for jokers := range p.chains.jokers + 1 {
			least := int32(never)
			for here := range jokers + 1 {
				least = min(least, own[here]+p.earn[n+1][jokers-here])
			}
			p.earn[n][jokers] = least
		}
	}
}

// bounds computes the bounds at the current prices.
func (p *prices) bounds() {
	for c := range colours {
		for n := numbers; n >= 1; n-- {
			if at := &p.chains.places[c][n]; !at.quiet {
				p.boundPlace(at, &p.spare[c][n])
			}
		}
	}
}

// boundPlace computes the cost of a chain from each link of a place to the end, by the number of jokers that it may
// use. It drops arcs that lead nowhere.
func (p *prices) boundPlace(at *place, spare *[spareSlots]int32) {
	chains := p.chains
	arcs, toGo, jokers, used := chains.arcs[at.arcs:at.arcsEnd], chains.toGo, chains.jokers, 0
	for i := at.links; i < at.linksEnd; i++ {
		l := &chains.links[i]
		from, last := int(l.first-at.arcs), int(l.last-at.arcs)
		l.first = at.arcs + int32(used)
		one, two, three, four, five := int32(never), int32(never), int32(never), int32(never), int32(never)
		for k := from; k < last; k++ {
			a := &arcs[k]
			own := spare[a.slot]
			then := (*[mostJokers + 1]int32)(toGo[a.to][mostJokers-int(a.jokers):])
			if then[jokers] >= far || own >= far {
				continue
			}
			own += int32(a.broken) * chains.kept.broken
			one, two, three = min(one, own+then[0]), min(two, own+then[1]), min(three, own+then[2])
			if jokers > 2 {
				four, five = min(four, own+then[3]), min(five, own+then[4])
			}
			if used < k {
				arcs[used] = *a
			}
			used++
		}
		l.last = at.arcs + int32(used)
		t := &toGo[i]
		t[mostJokers], t[mostJokers+1], t[mostJokers+2] = one, two, three
		ahead := min(one, two+chains.joker, three+2*chains.joker)
		if jokers > 2 {
			t[mostJokers+3], t[mostJokers+4] = four, five
			ahead = min(ahead, four+3*chains.joker, five+4*chains.joker)
		}
		chains.ahead[i] = ahead
	}
	at.arcsEnd = at.arcs + int32(used)
}

// least returns a lower bound of the cost of a state at number n from there on. In it, a, b, c and d are the costs
// of the colours 0 to 3 by the jokers that they use, and e those of the groups.
func (p *prices) least(at *child, n int) int32 {
	toGo, to := p.chains.toGo, &at.to
	a, b, c, d := toGo[to[0]][mostJokers:], toGo[to[1]][mostJokers:], toGo[to[2]][mostJokers:], toGo[to[3]][mostJokers:]
	e := &p.earn[n]
	left := at.left
	switch left {
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
	for ab := range left + 1 {
		first := int32(2 * never)
		for x := range ab + 1 {
			first = min(first, a[x]+b[ab-x])
		}
		for cd := range left - ab + 1 {
			for x := range cd + 1 {
				least = min(least, first+c[x]+d[cd-x]+e[left-ab-cd])
			}
		}
	}
	return least
}
