package solve

// prices hold the worth of a chain's tiles to the other chains, which a chain alone cannot take into account. At each
// number a chain pays a price for the tiles that it gives to groups, and the groups of the number earn the same. So
// no way through all four chains costs more or less than without prices, but the least costs of the chains add up to a
// better lower bound. A joker has a price as well. Setting prices climbs the dual of the linear relaxation one number
// at a time, all colours at once, in the order of the numbers (sequential block-coordinate ascent; Kolmogorov, TPAMI
// 28(10), 2006, calls it TRW-S).
//
// Invariant: the bounds are valid at any prices, because groups earn exactly what chains pay.
type prices struct {
	chains    *chains
	groupings groupings
	price     [colours][numbers + 1]byGiven           // never: no way gives that many tiles to groups there
	earn      [numbers + 2][mostJokers + 1]int32      // least cost of the groups from a number on, by jokers
	spare     [colours][numbers + 1][spareSlots]int32 // least cost of spare tiles
	own       [colours]byGiven                        // at one number, least cost of a chain
	all       [colours]byGiven                        // at one number, least cost of all four chains
	soft      softMin
}

// byGiven is a cost by the number of tiles that a colour gives to groups at a number.
type byGiven [mostCopies + 1]int32

// barred holds the prices of a place where no tile may go into groups.
var barred = byGiven{never, never, never, never, never, never, never, never, never}

// free holds the initial prices, by the most tiles that groups can take.
var free = func() (lists [mostCopies + 1]byGiven) {
	for most := range lists {
		lists[most] = barred
		clear(lists[most][:most+1])
	}
	return lists
}()

// forget sets all prices to 0.
func (p *prices) forget() {
	for c := range colours {
		for n := 1; n <= numbers; n++ {
			if p.chains.places[c][n].quiet {
				p.price[c][n][0] = 0
				continue
			}
			p.price[c][n] = free[p.groupings.most[c][n]]
			p.spareCosts(c, n)
		}
	}
	p.earn = [numbers + 2][mostJokers + 1]int32{}
}

// agree sets prices in the given number of sweeps up and down through all numbers. If no bounds are known yet, the
// first sweep up sets no prices. Afterwards the bounds are those at the new prices.
func (p *prices) agree(times int, known bool) {
	for i := range times {
		p.up(known || i > 0, false)
		p.down(false)
	}
	p.sell()
}

// up sweeps upwards through the numbers, with soft or true minima.
func (p *prices) up(adjusting, soft bool) {
	chains := p.chains
	for i := range chains.behind {
		chains.behind[i] = never
	}
	for c := range colours {
		chains.behind[chains.places[c][1].links] = 0
	}
	for n := 1; n <= numbers; n++ {
		if chains.skip[n] {
			continue
		}
		if adjusting {
			p.adjust(n, soft)
		}
		for c := range colours {
			if at, spare := &chains.places[c][n], &p.spare[c][n]; soft {
				p.goUpSoftly(at, spare)
			} else {
				p.goUp(at, spare)
			}
		}
	}
}

// goUp computes the least cost of the ways to the next links.
func (p *prices) goUp(at *place, spare *[spareSlots]int32) {
	arcs, behind := p.chains.arcs[at.arcs:at.arcsEnd], p.chains.behind
	for i := range arcs {
		a := &arcs[i]
		behind[a.to] = min(behind[a.to], behind[a.from]+a.fee+spare[a.slot])
	}
}

// down sweeps downwards through the numbers. It sets prices and, with true minima, bounds.
func (p *prices) down(soft bool) {
	for n := numbers; n >= 1; n-- {
		if p.chains.skip[n] {
			continue
		}
		p.adjust(n, soft)
		for c := range colours {
			switch at, spare := &p.chains.places[c][n], &p.spare[c][n]; {
			case at.quiet:
			case soft:
				p.goDownSoftly(at, spare)
			default:
				p.boundPlace(at, spare)
			}
		}
	}
}

// The least cost of spare tiles depends on how many they are and on how many of them may lie idle. It is stored in a
// table (spare), and each arc holds its index there (slot): for no idle tiles, for any number up to the maximum at this
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
func (p *prices) spareCosts(c, n int) {
	chains := p.chains
	price, table, cost := &p.price[c][n], &p.spare[c][n], chains.cost[n]
	mostIdle := int(chains.idle[c][n])
	top := min(int(p.groupings.most[c][n])+mostIdle, mostCopies)
	*(*byGiven)(table[:]) = *price
	*(*byGiven)(table[anyIdle:]) = *price
	for idle := 1; idle <= mostIdle; idle++ {
		for spare := idle; spare <= top; spare++ {
			table[anyIdle+spare] = min(table[anyIdle+spare], price[spare-idle]+int32(idle)*cost)
		}
	}
	for idle := 0; chains.host && idle <= mostIdle; idle++ {
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
func (p *prices) adjust(n int, soft bool) {
	if p.chains.groups[n] == 0 {
		return
	}
	own, all, active := &p.own, &p.all, int32(0)
	for c := range colours {
		own[c], all[c] = barred, barred
		switch {
		case p.chains.places[c][n].quiet:
			own[c][0] = 0
			continue
		case soft:
			p.softMarginals(c, n, &own[c])
		default:
			p.marginals(c, n, &own[c])
		}
		active++
	}
	joker, broken := p.chains.joker, p.chains.kept.broken
	list := p.groupings.at(n)
	for i := range list {
		groups := &list[i]
		takes := &groups.takes
		own0, own1, own2, own3 := own[0][takes[0]], own[1][takes[1]], own[2][takes[2]], own[3][takes[3]]
		if max(own0, own1, own2, own3) >= far {
			continue
		}
		sum := own0 + own1 + own2 + own3 + int32(groups.jokers)*joker + int32(groups.broken)*broken
		if soft {
			for c, given := range takes {
				all[c][given] = p.soft.of(all[c][given], sum)
			}
			continue
		}
		all[0][takes[0]], all[1][takes[1]] = min(all[0][takes[0]], sum), min(all[1][takes[1]], sum)
		all[2][takes[2]], all[3][takes[3]] = min(all[2][takes[2]], sum), min(all[3][takes[3]], sum)
	}
	p.setPrices(n, active)
}

// setPrices sets the prices of number n so that each active chain costs an equal part of the cost of all four.
func (p *prices) setPrices(n int, active int32) {
	for c := range colours {
		if p.chains.places[c][n].quiet {
			continue
		}
		price := &p.price[c][n]
		for given := range p.groupings.most[c][n] + 1 {
			if price[given] = never; p.all[c][given] < far {
				price[given] = floor(p.all[c][given], active) - p.own[c][given]
			}
		}
		p.spareCosts(c, n)
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
func (p *prices) marginals(c, n int, own *byGiven) {
	chains := p.chains
	at, behind, ahead, cost := &chains.places[c][n], chains.behind, chains.ahead, chains.cost[n]
	arcs := chains.arcs[at.arcs:at.arcsEnd]
	for i := range arcs {
		a := &arcs[i]
		way := behind[a.from] + a.fee + ahead[a.to]
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			given := a.spare - idle
			own[given] = min(own[given], way+int32(idle)*cost)
		}
	}
}
