package steps

import (
	"math"
	"math/bits"
	"slices"
)

// choose decides which copy goes where, such that the plan is the shortest that it finds, and stores that plan in d.
//
// This file keeps one invariant: an exchange swaps copies of the same face, so it never changes which faces lie where.
func (d *diff) choose() {
	open := d.openChoices()
	if len(open) <= mostTried {
		d.tryAll(open)
	} else {
		d.improveTwice(open)
	}
	_, from := d.planAndSeed(math.MaxInt)
	d.grow(from)
}

// mostTried is the greatest number of choices whose combinations are all tried.
const mostTried = 6

func (d *diff) tryAll(open []choiceOfCopies) {
	best, code := d.plan(math.MaxInt), 0
	for n := 1; n < 1<<len(open); n++ { // Gray code n^n>>1: each step makes one exchange
		d.exchange(open[bits.TrailingZeros(uint(n))])
		if cost := d.plan(best); cost < best {
			best, code = cost, n
		}
	}
	last := 1<<len(open) - 1
	for left := last ^ last>>1 ^ code ^ code>>1; left != 0; left &= left - 1 {
		d.exchange(open[bits.TrailingZeros(uint(left))])
	}
}

// mostPlans limits the plans that improve tries. If twenty rows differ, fewer suffice.
const mostPlans = 400

// improveTwice improves from the copies as assigned. If the plan for the copies that are found first is better than the
// result, it improves from those instead. That can happen where no exchange of two helps.
func (d *diff) improveTwice(open []choiceOfCopies) {
	best := d.improve(open)
	pieces, goes := slices.Clone(d.pieces), slices.Clone(d.goes)
	d.assignFirst()
	if open = d.openChoices(); d.plan(best) < best {
		d.improve(open)
		return
	}
	d.pieces, d.goes = pieces, goes
}

// improve makes one exchange, or two that have a row in common, as long as that helps. It returns the cost of the
// resulting plan.
func (d *diff) improve(open []choiceOfCopies) (best int) {
	best = d.plan(math.MaxInt)
	left := mostPlans
	helps := func() bool {
		left--
		cost := d.plan(best)
		better := cost < best
		best = min(best, cost)
		return better
	}
	for better := true; better && left > 0; {
		better = false
		for n, one := range open {
			d.exchange(one)
			helped := helps()
			for m := 0; m < n && !helped && left > 0; m++ {
				if !one.meets(open[m]) {
					continue
				}
				d.exchange(open[m])
				if helped = helps(); !helped {
					d.exchange(open[m])
				}
			}
			if !helped {
				d.exchange(one)
			}
			better = better || helped
		}
	}
	return best
}

// choiceOfCopies holds pairs of equal pieces that lie in the same two new rows and come from the same two old ones.
// Exchanging only some of them never helps, because it makes more pairs of rows between which tiles move.
type choiceOfCopies struct {
	pieces       [][2]int // in each pair, the piece of the lower new row comes first
	rows         [2]int   // the new rows
	lower, upper int      // the old rows
}

// meets reports whether two choices have a row in common.
func (c choiceOfCopies) meets(other choiceOfCopies) bool {
	return slices.Contains(other.rows[:], c.rows[0]) || slices.Contains(other.rows[:], c.rows[1]) ||
		c.lower != offRack && (c.lower == other.lower || c.lower == other.upper) ||
		c.upper == other.lower || c.upper == other.upper
}

// mostOpen bounds the choices that are considered. A game has half as many.
const mostOpen = 100

// openChoices lists the choices, and orients all pairs of a choice the same way.
func (d *diff) openChoices() (open []choiceOfCopies) {
	for a, p := range d.pieces {
		for b := a + 1; b < len(d.pieces) && len(open) < mostOpen; b++ {
			q := d.pieces[b]
			if p.face != q.face || p.row == q.row || p.from == q.from && (p.from == offRack || !p.face.IsJoker()) {
				continue
			}
			pair := [2]int{a, b}
			at := slices.IndexFunc(open, func(c choiceOfCopies) bool {
				return !p.face.IsJoker() && c.rows == [2]int{p.row, q.row} && c.lower == min(p.from, q.from) &&
					c.upper == max(p.from, q.from)
			})
			if at < 0 {
				open = append(open, choiceOfCopies{[][2]int{pair}, [2]int{p.row, q.row}, min(p.from, q.from),
					max(p.from, q.from)})
				continue
			}
			if d.pieces[open[at].pieces[0][0]].from != p.from {
				d.exchange(choiceOfCopies{pieces: [][2]int{pair}})
			}
			open[at].pieces = append(open[at].pieces, pair)
		}
	}
	return open
}

func (d *diff) exchange(c choiceOfCopies) {
	for _, pair := range c.pieces {
		a, b := &d.pieces[pair[0]], &d.pieces[pair[1]]
		a.from, b.from = b.from, a.from
		a.fromAt, b.fromAt = b.fromAt, a.fromAt
		for _, k := range pair {
			if p := d.pieces[k]; p.from != offRack {
				d.goes[d.base[p.from]+p.fromAt] = k
			}
		}
	}
}
