package solve

// Chains alone do not know what their tiles are worth to each other. Prices tell them: at each number a chain pays
// price[c][n][g] when g of its tiles go into groups, and the number's groups earn the same, so that no way
// through all four costs more or less than before, but the chains' least costs add up to a better lower bound. A joker
// costs a price as well. This climbs the dual of the linear relaxation one number at a time, all colours at once, in the
// order of the numbers (sequential block-coordinate ascent; Kolmogorov, TPAMI 28(10), 2006, calls it TRW-S).
type prices struct {
	price  [colours][numbers + 1][mostCopies + 1]int32
	barred [colours][numbers + 1]uint16       // bit g: no way gives g tiles to groups there
	joker  int32                              // what a joker costs
	earn   [numbers + 2][mostJokers + 1]int32 // least that the groups from a number on cost, by the jokers that they may use
	melds  []grouping                         // what groups can take, number by number
	from   [numbers + 2]int32                 // melds[from[n]:from[n+1]] belong to n
	most   [colours][numbers + 1]uint8        // tiles that groups can take
}

// grouping is what the groups of one number together take.
type grouping struct {
	takes  [colours]uint8
	jokers uint8
	broken uint8          // groups of the old table that do not stay
	new    [colours]uint8 // of takes, what new groups take
	groups uint8          // new ones
	used   uint8          // jokers in them
	room   uint8          // jokers that could still be put into them
	chosen uint8          // groups of the old table that stay
}

// forget sets all prices to nothing.
func (s *search) forget() {
	s.price = [colours][numbers + 1][mostCopies + 1]int32{}
	s.barred = [colours][numbers + 1]uint16{}
	s.earn = [numbers + 2][mostJokers + 1]int32{}
}

// agree goes through all numbers so many times, upwards first, then downwards, and so on.
func (s *search) agree(times int, first bool) {
	if first {
		s.setFees()
	}
	for i := range times {
		if i%2 == 0 {
			s.up()
		} else {
			s.down()
		}
	}
	s.sell()
}

// setFees sets the price of a joker and what follows from it, as long as groups have no price.
func (s *search) setFees() {
	s.prices.joker = s.jokerPrice()
	for i := range s.arcs {
		a := &s.arcs[i]
		a.fee = int32(a.jokers)*s.prices.joker + int32(a.broken)*s.kept.broken
	}
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			for i := range s.links[c][n] {
				at := &s.links[c][n][i]
				at.ahead = never
				for k := range s.jokers + 1 {
					at.ahead = min(at.ahead, at.toGo[k]+int32(k)*s.prices.joker)
				}
			}
		}
	}
}

// groupings lists what the groups of each number can take.
func (s *search) groupings() {
	s.melds = s.melds[:0]
	for n := 1; n <= numbers; n++ {
		s.from[n] = int32(len(s.melds))
		if s.groups[n] == 0 && len(s.kept.at[n]) == 0 {
			for c := range colours {
				s.most[c][n] = 0
			}
			s.melds = append(s.melds, grouping{})
			continue
		}
		for c := range colours {
			s.most[c][n] = min(s.have[c][n], s.groups[n])
		}
		for chosen := 1<<len(s.kept.at[n]) - 1; chosen >= 0; chosen-- {
			s.groupingsWith(n, uint8(chosen))
		}
	}
	s.from[numbers+1] = int32(len(s.melds))
}

func (s *search) groupingsWith(n int, chosen uint8) {
	takes, jokers, broken := s.kept.choose(n, chosen)
	var room [colours]int
	for c := range colours {
		if room[c] = int(s.most[c][n]) - int(takes[c]); room[c] < 0 {
			return
		}
	}
	var g [colours]int
	for g[0] = 0; g[0] <= room[0]; g[0]++ {
		for g[1] = 0; g[1] <= room[1]; g[1]++ {
			for g[2] = 0; g[2] <= room[2]; g[2]++ {
				for g[3] = 0; g[3] <= room[3]; g[3]++ {
					s.groupingsOf(g, s.jokers-int(jokers), grouping{takes: takes, jokers: jokers, broken: broken, chosen: chosen})
				}
			}
		}
	}
}

// groupingsOf adds the new groups that take g tiles of each colour: the fewest there can be, with the fewest jokers, or
// without thrift any number.
func (s *search) groupingsOf(g [colours]int, jokers int, m grouping) {
	total := g[0] + g[1] + g[2] + g[3]
	for k := max(g[0], g[1], g[2], g[3]); ; k++ {
		need := max(0, 3*k-total)
		if need > jokers || total < k {
			return
		}
		most := need
		if !s.thrift {
			most = min(jokers, 4*k-total)
		}
		for used := need; used <= most; used++ {
			add := m
			add.jokers += uint8(used)
			add.groups, add.used, add.room = uint8(k), uint8(used), uint8(4*k-total-used)
			for c := range colours {
				add.new[c] = uint8(g[c])
				add.takes[c] += uint8(g[c])
			}
			s.melds = append(s.melds, add)
		}
		if s.thrift || k == 0 {
			return
		}
	}
}

// up goes through the numbers upwards, setting prices.
func (s *search) up() {
	for c := range colours {
		for n := 2; n <= numbers+1; n++ {
			for i := range s.links[c][n] {
				s.links[c][n][i].behind = never
			}
		}
		s.links[c][1][0].behind = 0
	}
	for n := 1; n <= numbers; n++ {
		if s.empty[n] {
			for c := range colours {
				s.links[c][n+1][0].behind = s.links[c][n][0].behind
			}
			continue
		}
		s.adjust(n)
		for c := range colours {
			next := s.links[c][n+1]
			for i := range s.links[c][n] {
				at := &s.links[c][n][i]
				if at.behind >= never {
					continue
				}
				for a := at.first; a < at.last; a++ {
					arc := &s.arcs[a]
					to := &next[arc.to].behind
					*to = min(*to, at.behind+arc.fee+s.spareCost(c, n, arc))
				}
			}
		}
	}
}

// down goes through the numbers downwards, setting prices.
func (s *search) down() {
	for n := numbers; n >= 1; n-- {
		if s.empty[n] {
			for c := range colours {
				s.links[c][n][0].ahead = s.links[c][n+1][0].ahead
			}
			continue
		}
		s.adjust(n)
		for c := range colours {
			next := s.links[c][n+1]
			for i := range s.links[c][n] {
				at := &s.links[c][n][i]
				least := int32(never)
				for a := at.first; a < at.last; a++ {
					arc := &s.arcs[a]
					least = min(least, next[arc.to].ahead+arc.fee+s.spareCost(c, n, arc))
				}
				at.ahead = least
			}
		}
	}
}

// spareCost is the least that an arc's spare tiles cost.
func (s *search) spareCost(c, n int, a *arc) int32 {
	price, barred := &s.price[c][n], s.barred[c][n]
	if a.idle == 0 {
		if barred>>a.spare&1 == 0 {
			return price[a.spare]
		}
		return never
	}
	least := int32(never)
	for idle := int32(a.leastIdle); idle <= int32(a.idle); idle++ {
		if g := int32(a.spare) - idle; g <= int32(s.groups[n]) && barred>>g&1 == 0 {
			least = min(least, idle*s.cost[n]+price[g])
		}
	}
	return least
}

// adjust sets the prices of one number so that chains and groups agree there as well as they can.
func (s *search) adjust(n int) {
	if s.groups[n] == 0 {
		return
	}
	var own, all [colours][mostCopies + 1]int32 // least cost of the chain, and of all four, by tiles given to groups
	for c := range colours {
		for g := range s.most[c][n] + 1 {
			own[c][g], all[c][g] = never, never
		}
		s.marginals(c, n, &own[c])
	}
	for i := s.from[n]; i < s.from[n+1]; i++ {
		m := &s.melds[i]
		a, b, c, d := own[0][m.takes[0]], own[1][m.takes[1]], own[2][m.takes[2]], own[3][m.takes[3]]
		if max(a, b, c, d) >= never {
			continue
		}
		sum := a + b + c + d + int32(m.jokers)*s.prices.joker + int32(m.broken)*s.kept.broken
		for c := range colours {
			if at := &all[c][m.takes[c]]; sum < *at {
				*at = sum
			}
		}
	}
	for c := range colours {
		for g := range s.most[c][n] + 1 {
			if all[c][g] >= never {
				s.barred[c][n] |= 1 << g
			} else {
				s.price[c][n][g] = all[c][g]/colours - own[c][g]
			}
		}
	}
}

// marginals gives the least cost of a whole chain by what it gives to groups at a number, without the price for that.
func (s *search) marginals(c, n int, own *[mostCopies + 1]int32) {
	next, most, barred := s.links[c][n+1], int32(s.most[c][n]), s.barred[c][n]
	for i := range s.links[c][n] {
		at := &s.links[c][n][i]
		if at.behind >= never || at.ahead >= never {
			continue
		}
		for a := at.first; a < at.last; a++ {
			arc := &s.arcs[a]
			ahead := next[arc.to].ahead
			if ahead >= never {
				continue
			}
			way := at.behind + arc.fee + ahead
			for idle := int32(arc.leastIdle); idle <= int32(arc.idle); idle++ {
				if g := int32(arc.spare) - idle; g <= most && barred>>g&1 == 0 {
					own[g] = min(own[g], way+idle*s.cost[n])
				}
			}
		}
	}
}

// sell computes what groups earn at the prices.
func (s *search) sell() {
	for n := numbers; n >= 1; n-- {
		var own [mostJokers + 1]int32
		for q := range own {
			own[q] = never
		}
		for i := s.from[n]; i < s.from[n+1]; i++ {
			m := &s.melds[i]
			if (s.barred[0][n]>>m.takes[0]|s.barred[1][n]>>m.takes[1]|s.barred[2][n]>>m.takes[2]|s.barred[3][n]>>m.takes[3])&1 == 0 {
				own[m.jokers] = min(own[m.jokers], int32(m.broken)*s.kept.broken-
					s.price[0][n][m.takes[0]]-s.price[1][n][m.takes[1]]-s.price[2][n][m.takes[2]]-s.price[3][n][m.takes[3]])
			}
		}
		for k := range s.jokers + 1 {
			least := int32(never)
			for q := range k + 1 {
				least = min(least, own[q]+s.earn[n+1][k-q])
			}
			s.earn[n][k] = least
		}
	}
}

// bounds computes what the chains cost from each link on, by the jokers that they may use, and drops arcs that lead
// nowhere.
func (s *search) bounds() {
	for c := range colours {
		for n := numbers; n >= 1; n-- {
			next := s.links[c][n+1]
			if s.empty[n] {
				s.links[c][n][0].toGo = next[0].toGo
				continue
			}
			for i := range s.links[c][n] {
				s.boundLink(c, n, &s.links[c][n][i], next)
			}
		}
	}
}

func (s *search) boundLink(c, n int, at *link, next []link) {
	var toGo [mostJokers + 1]int32
	for k := range s.jokers + 1 {
		toGo[k] = never
	}
	used := at.first
	for i := at.first; i < at.last; i++ {
		a := &s.arcs[i]
		to := &next[a.to].toGo
		least := to[s.jokers-int(a.jokers)]
		if least >= never {
			continue
		}
		own := s.spareCost(c, n, a)
		if own >= never {
			continue
		}
		own += int32(a.broken) * s.kept.broken
		a.own = own
		for k := int(a.jokers); k <= s.jokers; k++ {
			toGo[k] = min(toGo[k], own+to[k-int(a.jokers)])
		}
		if used < i {
			s.arcs[used] = *a
		}
		used++
	}
	at.toGo, at.last = toGo, used
}
