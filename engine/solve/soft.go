package solve

import "math"

// Setting prices one number at a time (price.go) stops where no single number can raise the bound, although several
// together could. Where runs and groups compete for the same tiles, it stops up to two tiles below the highest bound.
// So hard positions use soft minima first: of two ways, the dearer one counts too, but the more its cost exceeds that
// of the other way, the less it counts. Then every way that is nearly the cheapest affects the prices, and nothing
// stops too early. From sweep to sweep the minima become harder, until true minima take over.
//
// Invariant: the bounds are valid at any prices.

const (
	softSweeps = 8
	softSteps  = 256
	softRange  = 6 // ways that cost more by this many times the softness do not count
)

// softly lists by how much a soft minimum is below the true one, by the difference of the two ways, in 1024ths of the
// softness.
var softly = func() (list [softSteps]int32) {
	for i := range list {
		list[i] = int32(math.Round(1024 * math.Log1p(math.Exp(-softRange*(float64(i)+0.5)/softSteps))))
	}
	return list
}()

// softMin computes soft minima with one softness.
type softMin struct {
	below  [softSteps]int32
	scale  int64 // steps per unit of difference, in 1<<20ths
	beyond int32 // of ways that are this far apart, only the cheaper one counts
}

func (m *softMin) set(softness int32) {
	softness = max(softness, 1)
	for i, k := range softly {
		m.below[i] = k * softness >> 10
	}
	m.beyond = softRange * softness
	m.scale = softSteps << 20 / int64(m.beyond)
}

func (m *softMin) of(a, b int32) int32 {
	apart, least := a-b, b
	if apart < 0 {
		apart, least = -apart, a
	}
	if apart >= m.beyond {
		return least
	}
	return least - m.below[int64(apart)*m.scale>>20]
}

// agreeSoftly sets prices in sweeps up and down through all numbers. Its minima begin with a softness of a fifth of a
// tile, which is halved after every second sweep. If no bounds are known yet, it computes them first. The caller must
// compute the bounds again afterwards.
func (p *prices) agreeSoftly(sweeps int, known bool) {
	if !known {
		p.bounds()
	}
	softness := p.chains.cost[numbers/2+1] / 5
	for i := range sweeps {
		p.soft.set(softness)
		p.up(i > 0, true)
		p.down(true)
		if i%2 == 1 {
			softness /= 2
		}
	}
}

// goUpSoftly is goUp with soft minima.
func (p *prices) goUpSoftly(at *place, spare *[spareSlots]int32) {
	arcs, behind := p.chains.arcs[at.arcs:at.arcsEnd], p.chains.behind
	for i := range arcs {
		a := &arcs[i]
		behind[a.to] = p.soft.of(behind[a.to], behind[a.from]+a.fee+spare[a.slot])
	}
}

// goDownSoftly computes the cost of the ways from each link of a place to the end, with soft minima.
func (p *prices) goDownSoftly(at *place, spare *[spareSlots]int32) {
	chains := p.chains
	for i := at.links; i < at.linksEnd; i++ {
		l, ahead := &chains.links[i], int32(never)
		for k := l.first; k < l.last; k++ {
			a := &chains.arcs[k]
			ahead = p.soft.of(ahead, a.fee+spare[a.slot]+chains.ahead[a.to])
		}
		chains.ahead[i] = ahead
	}
}

// softMarginals is marginals with soft minima.
func (p *prices) softMarginals(c, n int, own *byGiven) {
	chains := p.chains
	at, cost := &chains.places[c][n], chains.cost[n]
	for i := at.arcs; i < at.arcsEnd; i++ {
		a := &chains.arcs[i]
		way := chains.behind[a.from] + a.fee + chains.ahead[a.to]
		for idle := a.leastIdle; idle <= a.idle; idle++ {
			given := a.spare - idle
			own[given] = p.soft.of(own[given], way+int32(idle)*cost)
		}
	}
}
