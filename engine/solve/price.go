package solve

// prices hold the worth of a chain's tiles to the other chains, which a chain alone cannot take into account. At each
// number a chain pays price[c][n][g] if g of its tiles go into groups, and the groups of the number earn the same. So
// no way through all four chains costs more or less than without prices, but the least costs of the chains add up to a
// better lower bound. A joker has a price as well. Setting prices climbs the dual of the linear relaxation one number
// at a time, all colours at once, in the order of the numbers (sequential block-coordinate ascent; Kolmogorov, TPAMI
// 28(10), 2006, calls it TRW-S).
//
// Invariant: the bounds are valid at any prices, because groups earn exactly what chains pay.
//
// In this file, g is a number of tiles given to groups, m a grouping, and a, b, c and d in adjust are the costs of the
// colours 0 to 3.
type prices struct {
	price [colours][numbers + 1][mostCopies + 1]int32 // never: no way gives that many tiles to groups there
	// least cost of the groups from a number on, by jokers they may use
	earn  [numbers + 2][mostJokers + 1]int32
	melds []grouping                              // groupings, number by number
	from  [numbers + 2]int32                      // melds[from[n]:from[n+1]] belong to n
	spare [colours][numbers + 1][spareSlots]int32 // least cost of spare tiles
	most  [colours][numbers + 1]uint8             // the most tiles that groups can take
	own   [colours][mostCopies + 1]int32          // at one number, least cost of a chain by tiles given to groups
	all   [colours][mostCopies + 1]int32          // at one number, least cost of all four chains, likewise
}

// barred holds the prices of a place where no tile may go into groups.
var barred = [mostCopies + 1]int32{never, never, never, never, never, never, never, never, never}

// free holds the initial prices, by the most tiles that groups can take.
var free = func() (lists [mostCopies + 1][mostCopies + 1]int32) {
	for most := range lists {
		lists[most] = barred
		clear(lists[most][:most+1])
	}
	return lists
}()

// forget sets all prices to 0.
func (s *search) forget() {
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			if s.places[c][n].quiet {
				s.price[c][n][0] = 0
				continue
			}
			s.price[c][n] = free[s.most[c][n]]
			s.spareCosts(c, n)
		}
	}
	s.earn = [numbers + 2][mostJokers + 1]int32{}
}

// agree sets prices in the given number of sweeps up and down through all numbers. If no bounds are known yet, the
// first sweep up sets no prices. Afterwards the bounds are those at the new prices.
func (s *search) agree(times int, known bool) {
	for i := range times {
		s.up(known || i > 0, false)
		s.down(false)
	}
	s.sell()
}

// up sweeps upwards through the numbers, with soft or true minima.
func (s *search) up(adjusting, soft bool) {
	for i := range s.behind {
		s.behind[i] = never
	}
	for c := range colours {
		s.behind[s.places[c][1].links] = 0
	}
	for n := 1; n <= numbers; n++ {
		if s.skip[n] {
			continue
		}
		if adjusting {
			s.adjust(n, soft)
		}
		for c := range colours {
			if at, spare := &s.places[c][n], &s.spare[c][n]; soft {
				s.goUpSoftly(at, spare)
			} else {
				s.goUp(at, spare)
			}
		}
	}
}

// goUp computes the least cost of the ways to the next links.
func (s *search) goUp(at *place, spare *[spareSlots]int32) {
	arcs, behind := s.arcs[at.arcs:at.arcsEnd], s.behind
	for i := range arcs {
		a := &arcs[i]
		behind[a.to] = min(behind[a.to], behind[a.from]+a.fee+spare[a.slot])
	}
}

// down sweeps downwards through the numbers. It sets prices and, with true minima, bounds.
func (s *search) down(soft bool) {
	for n := numbers; n >= 1; n-- {
		if s.skip[n] {
			continue
		}
		s.adjust(n, soft)
		for c := range colours {
			switch at, spare := &s.places[c][n], &s.spare[c][n]; {
			case at.quiet:
			case soft:
				s.goDownSoftly(at, spare)
			default:
				s.boundPlace(at, spare)
			}
		}
	}
}

// The least cost of spare tiles depends on how many they are and on how many of them may lie idle. It is stored in a
// table (spare), and each arc holds its index there (slot): for no idle tiles, for any number up to the most at this
// place, or for exactly this many.
const (
	spareKinds  = 2 + mostCopies + 1
	spareSlots  = spareKinds * (mostCopies + 1)
	anyIdle     = mostCopies + 1
	exactlyIdle = 2 * (mostCopies + 1) // and so on for each number of idle tiles
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

// spareCosts computes the table of spare tiles for colour c at number n.
func (s *search) spareCosts(c, n int) {
	price, table, cost := &s.price[c][n], &s.spare[c][n], s.cost[n]
	mostIdle := int(s.idle[c][n])
	top := min(int(s.most[c][n])+mostIdle, mostCopies)
	*(*[mostCopies + 1]int32)(table[:]) = *price
	*(*[mostCopies + 1]int32)(table[anyIdle:]) = *price
	for idle := 1; idle <= mostIdle; idle++ {
		for spare := idle; spare <= top; spare++ {
			table[anyIdle+spare] = min(table[anyIdle+spare], price[spare-idle]+int32(idle)*cost)
		}
	}
	for idle := 0; s.host && idle <= mostIdle; idle++ {
		for spare := range top + 1 {
			at := &table[exactlyIdle+idle*(mostCopies+1)+spare]
			if *at = never; spare >= idle {
				*at = price[spare-idle] + int32(idle)*cost
			}
		}
	}
}

// adjust sets the prices of number n so that chains and groups agree there as well as possible: all chains that are not
// quiet there then have the same least cost.
func (s *search) adjust(n int, soft bool) {
	if s.groups[n] == 0 {
		return
	}
	own, all, active := &s.own, &s.all, int32(0)
	for c := range colours {
		own[c], all[c] = barred, barred
		switch {
		case s.places[c][n].quiet:
			own[c][0] = 0
			continue
		case soft:
			s.softMarginals(c, n, &own[c])
		default:
			s.marginals(c, n, &own[c])
		}
		active++
	}
	melds := s.melds[s.from[n]:s.from[n+1]]
	for i := range melds {
		m := &melds[i]
		t := &m.takes
		a, b, c, d := own[0][t[0]], own[1][t[1]], own[2][t[2]], own[3][t[3]]
		if max(a, b, c, d) >= far {
			continue
		}
		sum := a + b + c + d + int32(m.jokers)*s.joker + int32(m.broken)*s.kept.broken
		if soft {
			for c, takes := range t {
				all[c][takes] = s.soft.of(all[c][takes], sum)
			}
			continue
		}
		all[0][t[0]], all[1][t[1]] = min(all[0][t[0]], sum), min(all[1][t[1]], sum)
		all[2][t[2]], all[3][t[3]] = min(all[2][t[2]], sum), min(all[3][t[3]], sum)
	}
	s.setPrices(n, active)
}

// setPrices sets the prices of number n so that each active chain costs an equal part of the cost of all four.
func (s *search) setPrices(n int, active int32) {
	for c := range colours {
		if s.places[c][n].quiet {
			continue
		}
		price := &s.price[c][n]
		for g := range s.most[c][n] + 1 {
			if price[g] = never; s.all[c][g] < far {
				price[g] = floor(s.all[c][g], active) - s.own[c][g]
			}
		}
		s.spareCosts(c, n)
	}
}

// floor divides by 1 to 4 and rounds down.
func floor(a, by int32) int32 {
	switch by {
	case 4:
		return a >> 2
	case 3:
		return (a - (a >> 31 & 2)) / 3
	case 2:
		return a >> 1
	}
	return a
}

// marginals computes the least cost of a whole chain by the tiles that it gives to groups at number n, without their
// price.
func (s *search) marginals(c, n int, own *[mostCopies + 1]int32) {
	at, behind, ahead, cost := &s.places[c][n], s.behind, s.ahead, s.cost[n]
	arcs := s.arcs[at.arcs:at.arcsEnd]
	for i := range arcs {
		a := &arcs[i]
		way := behind[a.from] + a.fee + ahead[a.to]
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			g := a.spare - idle
			own[g] = min(own[g], way+int32(idle)*cost)
		}
	}
}

// sell computes what groups earn at the prices.
func (s *search) sell() {
	for n := numbers; n >= 1; n-- {
		own := [mostJokers + 1]int32{never, never, never, never, never}
		melds := s.melds[s.from[n]:s.from[n+1]]
		for i := range melds {
			m := &melds[i]
			if sold := s.price[0][n][m.takes[0]] + s.price[1][n][m.takes[1]] + s.price[2][n][m.takes[2]] +
				s.price[3][n][m.takes[3]]; sold < far {
				own[m.jokers] = min(own[m.jokers], int32(m.broken)*s.kept.broken-sold)
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

// bounds computes the bounds at the current prices.
func (s *search) bounds() {
	for c := range colours {
		for n := numbers; n >= 1; n-- {
			if at := &s.places[c][n]; !at.quiet {
				s.boundPlace(at, &s.spare[c][n])
			}
		}
	}
}

// boundPlace computes the cost of a chain from each link of a place to the end, by the number of jokers that it may
// use. It drops arcs that lead nowhere.
func (s *search) boundPlace(at *place, spare *[spareSlots]int32) {
	arcs, toGo, jokers, used := s.arcs[at.arcs:at.arcsEnd], s.toGo, s.jokers, 0
	for i := at.links; i < at.linksEnd; i++ {
		l := &s.links[i]
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
			own += int32(a.broken) * s.kept.broken
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
		ahead := min(one, two+s.joker, three+2*s.joker)
		if jokers > 2 {
			t[mostJokers+3], t[mostJokers+4] = four, five
			ahead = min(ahead, four+3*s.joker, five+4*s.joker)
		}
		s.ahead[i] = ahead
	}
	at.arcsEnd = at.arcs + int32(used)
}
