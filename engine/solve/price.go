package solve

// Chains alone do not know what their tiles are worth to each other. Prices tell them: at each number a chain pays
// price[c][n][g] when g of its tiles go into groups, and the number's groups earn the same, so that no way
// through all four costs more or less than before, but the chains' least costs add up to a better lower bound. A joker
// costs a price as well. This climbs the dual of the linear relaxation one number at a time, all colours at once, in the
// order of the numbers (sequential block-coordinate ascent; Kolmogorov, TPAMI 28(10), 2006, calls it TRW-S).
type prices struct {
	price  [colours][numbers + 1][mostCopies + 1]int32
	barred [colours][numbers + 1]uint16            // bit g: no way gives g tiles to groups there
	joker  int32                                   // what a joker costs
	earn   [numbers + 2][mostJokers + 1]int32      // least that the groups from a number on cost, by the jokers that they may use
	melds  []grouping                              // what groups can take, number by number
	from   [numbers + 2]int32                      // melds[from[n]:from[n+1]] belong to n
	spare  [colours][numbers + 1][spareSlots]int32 // least cost of spare tiles
	most   [colours][numbers + 1]uint8             // tiles that groups can take
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
			links, next, spare := s.links[c][n], s.links[c][n+1], &s.spare[c][n]
			for i := range links {
				at := &links[i]
				if at.behind >= never {
					continue
				}
				arcs := s.arcs[at.first:at.last]
				for j := range arcs {
					a := &arcs[j]
					to := &next[a.to].behind
					*to = min(*to, at.behind+a.fee+spare[a.slot])
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
			links, next, spare := s.links[c][n], s.links[c][n+1], &s.spare[c][n]
			for i := range links {
				at := &links[i]
				least := int32(never)
				arcs := s.arcs[at.first:at.last]
				for j := range arcs {
					a := &arcs[j]
					least = min(least, next[a.to].ahead+a.fee+spare[a.slot])
				}
				at.ahead = least
			}
		}
	}
}

// The least that spare tiles cost depends on how many they are and how many of them may lie idle. It is kept in a table
// by an index that arcs know: none may lie idle, any number up to the most at this place, or just so many.
const (
	spareKinds  = 5
	spareSlots  = spareKinds * (mostCopies + 1)
	anyIdle     = mostCopies + 1
	exactlyIdle = 2 * (mostCopies + 1) // and so on for each number up to two
)

func (a *arc) setSlot(exactly bool) {
	switch {
	case exactly:
		a.slot = exactlyIdle + a.idle*(mostCopies+1) + a.spare
	case a.idle > 0:
		a.slot = anyIdle + a.spare
	default:
		a.slot = a.spare
	}
}

// spareCosts computes the table of a place.
func (s *search) spareCosts(c, n int) {
	price, barred, table := &s.price[c][n], s.barred[c][n], &s.spare[c][n]
	most, mostIdle := int(s.most[c][n]), int(s.idle[c][n])
	for spare := range most + mostIdle + 1 {
		table[spare], table[anyIdle+spare] = never, never
		for idle := 0; idle <= min(mostIdle, spare); idle++ {
			g, cost := spare-idle, int32(never)
			if g <= most && barred>>g&1 == 0 {
				cost = int32(idle)*s.cost[n] + price[g]
			}
			if idle == 0 {
				table[spare] = cost
			}
			if s.host {
				table[exactlyIdle+idle*(mostCopies+1)+spare] = cost
			}
			table[anyIdle+spare] = min(table[anyIdle+spare], cost)
		}
	}
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
		s.spareCosts(c, n)
	}
}

// marginals gives the least cost of a whole chain by what it gives to groups at a number, without the price for that.
func (s *search) marginals(c, n int, own *[mostCopies + 1]int32) {
	var ways [spareSlots]int32 // by the arcs' index of spare tiles
	kinds := 2
	if s.host {
		kinds = spareKinds
	}
	for i := range kinds * (mostCopies + 1) {
		ways[i] = never
	}
	links, next := s.links[c][n], s.links[c][n+1]
	for i := range links {
		at := &links[i]
		if at.behind >= never || at.ahead >= never {
			continue
		}
		arcs := s.arcs[at.first:at.last]
		for j := range arcs {
			a := &arcs[j]
			if way := at.behind + a.fee + next[a.to].ahead; way < ways[a.slot] {
				ways[a.slot] = way
			}
		}
	}
	barred := s.barred[c][n]
	for g := range int(s.most[c][n]) + 1 {
		if barred>>g&1 == 1 {
			continue
		}
		least := ways[g]
		for idle := 0; idle <= int(s.idle[c][n]) && g+idle <= mostCopies; idle++ {
			way := ways[anyIdle+g+idle]
			if s.host {
				way = min(way, ways[exactlyIdle+idle*(mostCopies+1)+g+idle])
			}
			least = min(least, way+int32(idle)*s.cost[n])
		}
		own[g] = min(own[g], least)
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
	spare, arcs, used := &s.spare[c][n], s.arcs[at.first:at.last], 0
	for i := range arcs {
		a := &arcs[i]
		to, own := &next[a.to].toGo, spare[a.slot]
		if to[s.jokers-int(a.jokers)] >= never || own >= never {
			continue
		}
		own += int32(a.broken) * s.kept.broken
		for k := int(a.jokers); k <= s.jokers; k++ {
			toGo[k] = min(toGo[k], own+to[k-int(a.jokers)])
		}
		if used < i {
			arcs[used] = *a
		}
		used++
	}
	at.toGo, at.last = toGo, at.first+int32(used)
}
