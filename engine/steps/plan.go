package steps

import (
	"math"
	"math/bits"
)

// seed is the start of a plan: old rows whose tiles are assumed to go through the hand to the new rows with rack tiles,
// while the rows that go on are chosen. If again is set, these rows are chosen a second time, once the first choice has
// determined which tiles go through the hand.
//
// This file keeps one invariant: planning never changes which copy goes where.
type seed struct {
	lifted uint64
	again  bool
	steps  int // lower bound of the number of steps in the plan
}

// plan returns the cost of the best plan that it finds for the tiles as assigned: steps, then how often a new row is
// begun without being finished, then tiles that move, twice those through the hand. It skips plans that certainly take
// more steps than a plan of cost known, and returns math.MaxInt if all do.
func (d *diff) plan(known int) int {
	best, _ := d.planAndSeed(known)
	return best
}

func (d *diff) planAndSeed(known int) (best int, from seed) {
	d.count()
	promising, hopeless := d.survey(known / oneStep)
	if hopeless {
		return math.MaxInt, seed{}
	}
	best = d.grow(seed{})
	try := func(s seed) {
		if cost := d.grow(s); cost < best {
			best, from = cost, s
		}
	}
	if d.handUsed() {
		try(seed{again: true})
	}
	for _, s := range promising {
		if s.steps < min(best, known)/oneStep {
			try(s)
		}
	}
	return best, from
}

// survey lists the seeds that may take fewer steps than known, a number of steps. It also reports whether all plans
// take more.
func (d *diff) survey(known int) (promising []seed, hopeless bool) {
	var once, twice uint64
	for _, rows := range d.gives {
		twice |= once & rows
		once |= rows
	}
	most := mostTried
	if len(d.now) > 2*mostTried { // making a plan takes long
		most = mostTried / 2
	}
	hopeless = bits.OnesCount64(twice) <= most
	for bits.OnesCount64(twice) > most {
		twice &= twice - 1
	}
	d.seeds = d.seeds[:0]
	for lifted := twice; ; lifted = (lifted - 1) & twice {
		steps, sure := d.least(lifted)
		hopeless = hopeless && sure > known
		if lifted == 0 {
			return d.seeds, hopeless
		}
		if steps < known {
			d.seeds = append(d.seeds, seed{lifted: lifted, steps: steps})
		}
	}
}

// grow makes the plan of a seed, and returns its cost.
func (d *diff) grow(s seed) int {
	for j := range d.loose {
		d.loose[j] = s.lifted * (d.racked >> j & 1)
	}
	d.keepRows()
	d.useHand()
	if s.again {
		d.keepRows()
		d.useHand()
	}
	return d.makeCarries()
}

// least returns two lower bounds of the steps of a plan from a seed. direct holds if everything else is laid directly
// and no joker is swapped. sure holds for every plan in which these rows give tiles into the hand.
func (d *diff) least(lifted uint64) (direct, sure int) {
	var givers uint64
	takers, spared := 0, 0
	for j, rows := range d.gives {
		if d.racked>>j&1 == 1 {
			rows &^= lifted
		} else {
			spared += max(0, bits.OnesCount64(rows&lifted)-1)
		}
		givers |= rows
		direct += bits.OnesCount64(rows)
		takers += min(1, bits.OnesCount64(rows))
	}
	direct += bits.OnesCount64(lifted) + bits.OnesCount64(d.racked) - min(takers, bits.OnesCount64(givers))
	return direct, direct - spared - len(d.jokers)
}

// count counts how many tiles each old row gives to each new row.
func (d *diff) count() {
	clear(d.shared)
	clear(d.gives)
	d.racked = 0
	for _, p := range d.pieces {
		if p.from == offRack {
			d.racked |= 1 << p.row
			continue
		}
		d.shared[p.from*len(d.now)+p.row]++
		d.gives[p.row] |= 1 << p.from
	}
}

// keepRows chooses the old row that each new row continues. It prefers the most rows, then rows where a joker can be
// swapped, then the most tiles that stay. A row whose tiles go through the hand anyway (loose) does not count as a kept
// row.
func (d *diff) keepRows() {
	const row, swap = 1 << 10, 1 << 5
	for j := range d.now {
		for i := range d.old {
			tiles := d.shared[i*len(d.now)+j]
			if tiles > 0 && d.loose[j]>>i&1 == 0 {
				tiles += row
			}
			d.match.weight[j*d.match.columns+i] = tiles
		}
	}
	for _, joker := range d.jokers {
		goal := d.pieces[d.goal(joker)].row
		for _, p := range d.pieces {
			if joker.own.Has(p.face) && p.from != joker.row && p.row != goal &&
				d.shared[joker.row*len(d.now)+p.row] > 0 {
				d.match.weight[p.row*d.match.columns+joker.row] += swap
			}
		}
	}
	d.match.solve()
	for j := range d.keep {
		d.keep[j] = none
		if i := d.match.of[j]; i < len(d.old) && d.shared[i*len(d.now)+j] > 0 {
			d.keep[j] = i
		}
	}
}

func (d *diff) handUsed() bool {
	for _, rows := range d.loose {
		if rows != 0 {
			return true
		}
	}
	return false
}
