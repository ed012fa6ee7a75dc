package pairing

import (
	"cmp"
	"math"
	"slices"
)

// ranked searches for the seats of one round by standings. Tables of three and of four may swap sizes. It minimizes the
// forbidden cost first, and then the weighted sum of the gaps and minor defects.
type ranked struct {
	*search
	place  []int64 // by player
	pair   []int64 // by two players: cost of meeting; each unit of forbidden cost counts as the constant forbidden
	three  []int64 // by player: cost of a place at a table of three
	seat   []int32 // four entries per table; those beyond its size are unused
	full   []int32 // size by table
	at     []int32 // by player: index in seat
	value  []int64 // by table: cost at the current weight
	weight int64   // of one unit of forbidden cost
}

// The units of the forbidden cost: a pair of one family or kept apart by hand, a pair that has met before, and a pair
// that met in the previous round.
const (
	apartUnit = 1
	againUnit = 16 * apartUnit
	inRowUnit = 16 * againUnit
	forbidden = 1 << 32
)

// The units of the other costs: one place of a gap, and minor defects that weigh less than a place.
const (
	placeUnit  = 1 << 8
	leaderUnit = placeUnit / 2 // for each avoidable place of the gap at the leader's table
	wishUnit   = placeUnit / 8
	thriceUnit = placeUnit / 4
	threeUnit  = placeUnit / 4
	upperUnit  = placeUnit / 32 // first-placed player at a table of three; falls to 0 for the last
)

// During a run the temperature falls while the weight of repeated meetings rises. Both are measured in places of a gap.
const (
	rankedHot, rankedCold    = 10, 0.1
	repeatLight, repeatHeavy = 20, 200
	rankedNear               = 12        // three of four exchanges span at most this many places
	rankedSteps              = 20_000    // per run and player
	rankedEach               = 3_000_000 // limit of a run
	rankedMost               = 2_000_000 // limit of all runs, unless the first one needs more
	rankedRuns               = 8
)

// planRanked seats one round by standings. It searches until it has found the best seating twice or the steps are used
// up. Then it evens out the seats at each table.
func (f *search) planRanked(players []Player) []int32 {
	k := newRanked(f, players)
	var best []int32
	var least rankedCost
	for run, again := 0, 0; again < 2 && (run == 0 || f.steps+f.each <= f.of); run++ {
		k.sit()
		k.run()
		switch got := k.measure(); {
		case best == nil, got.less(least):
			best, least, again = k.order(), got, 1
		case got.forbidden == least.forbidden && got.gaps == least.gaps:
			again++
		}
		if f.ended {
			break
		}
	}
	return f.planSeats(best)
}

func newRanked(f *search, players []Player) *ranked {
	k := &ranked{search: f, at: make([]int32, f.n), seat: make([]int32, seats*len(f.size)), full: slices.Clone(f.size),
		value: make([]int64, len(f.size))}
	for _, place := range places(players) {
		k.place = append(k.place, int64(place))
	}
	k.pairCosts()
	k.threeCosts()
	return k
}

// pairCosts computes the cost of a meeting of every two players.
func (k *ranked) pairCosts() {
	k.pair = make([]int64, k.n*k.n)
	for i := range k.pair {
		a, b, met := int32(i/k.n), int32(i%k.n), int64(k.met[i])
		wish := k.apart(a, b)
		switch {
		case a == b:
			continue
		case wish >= familyWish:
			k.pair[i] += apartUnit * forbidden
		default:
			k.pair[i] += wish * wishUnit
		}
		if met > 0 {
			k.pair[i] += againUnit*forbidden + min(met-1, 8)*thriceUnit
		}
		if k.before[a] == k.before[b] {
			k.pair[i] += inRowUnit * forbidden
		}
	}
}

// threeCosts computes each player's cost of a place at a table of three. It rises with the number of times that the
// player has sat there before.
func (k *ranked) threeCosts() {
	if !k.uneven {
		return
	}
	fewest := slices.Min(k.satShort)
	for p, n := range k.satShort {
		k.three = append(k.three, int64(2*min(n-fewest, 8))*threeUnit+int64((k.n-p)*upperUnit/k.n))
	}
}

// sit seats the players in the order of the standings.
func (k *ranked) sit() {
	copy(k.full, k.size)
	p := int32(0)
	for t, size := range k.full {
		for i := range size {
			k.seat[int32(t)*seats+i], k.at[p] = p, int32(t)*seats+i
			p++
		}
	}
}

func (k *ranked) table(t int32) []int32 { return k.seat[t*seats : t*seats+k.full[t]] }

// run runs the annealing once, from hot to cold.
func (k *ranked) run() {
	parts := max(1, k.each/askEvery)
	cool := math.Pow(float64(rankedCold)/rankedHot, 1/float64(parts))
	rise := math.Pow(float64(repeatHeavy)/repeatLight, 1/float64(parts))
	warmth, weight := float64(rankedHot*placeUnit), float64(repeatLight*placeUnit/againUnit)
	for range parts {
		if !k.goesOn() {
			return
		}
		k.weight = int64(weight)
		for t := range k.value {
			k.value[t] = k.worth(k.table(int32(t)))
		}
		for range askEvery {
			k.step(int64(warmth))
		}
		k.steps += askEvery
		warmth, weight = warmth*cool, weight*rise
	}
}

// step tries to exchange two players, usually with similar places, or to move one to a table with one player fewer.
func (k *ranked) step(warmth int64) {
	dice := k.rng.Uint64()
	a := int32(dice & (1<<20 - 1) * uint64(k.n) >> 20)
	near := int32(rankedNear)
	if dice>>62 == 0 {
		near = int32(k.n)
	}
	b := a - near + int32(dice>>20&(1<<20-1)*uint64(2*near+1)>>20)
	if b < 0 || int(b) >= k.n {
		return
	}
	i, j := k.at[a], k.at[b]
	ta, tb := i/seats, j/seats
	if ta == tb {
		return
	}
	bound := k.value[ta] + k.value[tb] + warmth*k.luck[dice>>40&(chances-1)]/1024
	if k.full[ta] == k.full[tb]+1 && dice>>60&1 == 0 {
		k.shift(a, ta, tb, bound)
		return
	}
	k.seat[i], k.seat[j] = b, a
	va, vb := k.worth(k.table(ta)), k.worth(k.table(tb))
	if va+vb > bound {
		k.seat[i], k.seat[j] = a, b
		return
	}
	k.at[a], k.at[b], k.value[ta], k.value[tb] = j, i, va, vb
}

// shift moves a player to a table with one player fewer, unless the cost would exceed bound.
func (k *ranked) shift(a, from, to int32, bound int64) {
	i, last, next := k.at[a], from*seats+k.full[from]-1, to*seats+k.full[to]
	moved := k.seat[last]
	k.seat[i], k.seat[next] = moved, a
	k.full[from]--
	k.full[to]++
	vf, vt := k.worth(k.table(from)), k.worth(k.table(to))
	if vf+vt > bound {
		k.full[from]++
		k.full[to]--
		k.seat[last], k.seat[i] = moved, a
		return
	}
	k.at[moved], k.at[a], k.value[from], k.value[to] = i, next, vf, vt
}

// worth returns a table's cost at the current weight.
func (k *ranked) worth(table []int32) int64 {
	c := k.costOf(table)
	return c.forbidden*k.weight + c.gaps*placeUnit + c.rest
}

// rankedCost holds the forbidden cost, the sum of the gaps in places, and the cost of minor defects.
type rankedCost struct{ forbidden, gaps, rest int64 }

func (c rankedCost) less(d rankedCost) bool {
	return cmp.Or(cmp.Compare(c.forbidden, d.forbidden), cmp.Compare(c.gaps*placeUnit+c.rest,
		d.gaps*placeUnit+d.rest)) < 0
}

func (k *ranked) costOf(table []int32) (c rankedCost) {
	best, worst := k.place[table[0]], k.place[table[0]]
	leads := false
	var pairs int64
	for i, a := range table {
		best, worst, leads = min(best, k.place[a]), max(worst, k.place[a]), leads || a == 0
		row := k.pair[int(a)*k.n : int(a+1)*k.n]
		for _, b := range table[:i] {
			pairs += row[b]
		}
	}
	c = rankedCost{pairs / forbidden, worst - best, pairs % forbidden}
	if leads {
		c.rest += max(0, c.gaps-int64(len(table)-1)) * leaderUnit
	}
	if k.three != nil && len(table) == 3 {
		c.rest += k.three[table[0]] + k.three[table[1]] + k.three[table[2]]
	}
	return c
}

func (k *ranked) measure() (sum rankedCost) {
	for t := range k.full {
		c := k.costOf(k.table(int32(t)))
		sum = rankedCost{sum.forbidden + c.forbidden, sum.gaps + c.gaps, sum.rest + c.rest}
	}
	return sum
}

// order returns the players in the sheet's order: its tables by size, and each table's players by standings.
func (k *ranked) order() (who []int32) {
	left := slices.Clone(k.full)
	for _, size := range k.size {
		t := int32(slices.Index(left, size))
		who = append(who, slices.Sorted(slices.Values(k.table(t)))...)
		left[t] = 0
	}
	return who
}
