package steps

import (
	"slices"

	"meldhall/engine/tile"
)

// place returns the place of new row j. A place is a row on the table from the first step to the last: old row i is
// place i, and new rows that continue no old one come after them.
//
// This file keeps one invariant: tiles come out of the hand only after they have gone into it.
func (d *diff) place(j int) int {
	if d.keep[j] != none {
		return d.keep[j]
	}
	return len(d.old) + j
}

// places returns the places that a carry changes.
func (d *diff) places(c carry) []int {
	all := make([]int, 0, 3)
	if c.from != hand {
		all = append(all, c.from)
	}
	if c.to != hand {
		all = append(all, d.place(c.to))
	}
	if c.swap && c.freed != hand && d.place(c.freed) != c.from {
		all = append(all, d.place(c.freed))
	}
	return all
}

// lying returns what lies at a place after the carries done so far. next holds the new row at each place, or none.
// mixed is true if old tiles that still have to leave lie among new ones.
func (d *diff) lying(at int, next []int) (row []tile.Face, mixed bool) {
	leaving := false
	if at < len(d.old) {
		for p, f := range d.old[at] {
			k := d.goes[d.base[at]+p]
			c := d.leaves(k)
			switch {
			case c == none || !d.carries[c].done:
				row = append(row, f)
				leaving = leaving || c != none
			case d.inPlace[k] != none:
				row = append(row, d.pieces[d.inPlace[k]].face)
			}
		}
	}
	j := next[at]
	if j == none {
		return row, false
	}
	return d.arrive(row, j, leaving)
}

// arrive puts the laid tiles of new row j where they belong among the old tiles that are still there.
func (d *diff) arrive(row []tile.Face, j int, leaving bool) (then []tile.Face, mixed bool) {
	var there, come []tile.Face
	for k := d.first[j]; k < d.first[j+1]; k++ {
		if d.down[k] != none && !d.carries[d.down[k]].done {
			continue
		}
		there = append(there, d.pieces[k].face)
		if d.down[k] != none && !slices.Contains(d.inPlace, k) {
			come = append(come, d.pieces[k].face)
		}
	}
	if !leaving && (len(come) > 0 || len(there) == len(d.now[j])) {
		return there, false
	}
	for _, f := range come {
		if run, ok := tile.AsRun(row); ok && f != tile.Joker && f < run.First() {
			row = slices.Insert(row, 0, f)
			continue
		}
		row = append(row, f)
	}
	return row, leaving && len(come) > 0
}

// mostOrdered is the greatest number of carries whose orders are all compared: 2^10 states.
const mostOrdered = 10

// order returns the carries in the order of the steps. Carries with rows in common stay together, in the order in which
// rows are sets most of the time.
func (d *diff) order(next []int) []int {
	order := make([]int, 0, len(d.carries))
	for _, related := range d.related() {
		if len(related) > mostOrdered {
			slices.SortStableFunc(related, func(a, b int) int { return d.carries[a].turn() - d.carries[b].turn() })
		}
		for part := range slices.Chunk(related, mostOrdered) {
			order = append(order, d.orderPart(part, next)...)
		}
	}
	return order
}

// turn returns the rank of a carry in a long list: carries into the hand come first, then swaps, then all others.
func (c carry) turn() int {
	switch {
	case c.to == hand:
		return 0
	case c.swap:
		return 1
	}
	return 2
}

// related divides the carries into groups that have no row in common.
func (d *diff) related() [][]int {
	group := make([]int, len(d.old)+len(d.now))
	for at := range group {
		group[at] = at
	}
	unite := func(a, b int) {
		a, b = group[a], group[b]
		for at, g := range group {
			if g == a {
				group[at] = b
			}
		}
	}
	for _, p := range d.pieces {
		if p.from != offRack {
			unite(p.from, d.place(p.row))
		}
	}
	var all [][]int
	index := make([]int, len(group)) // by group: its index in all plus 1
	for c, way := range d.carries {
		if way.tiles == 0 {
			continue
		}
		g := group[d.places(way)[0]]
		if index[g] == 0 {
			all = append(all, nil)
			index[g] = len(all)
		}
		all[index[g]-1] = append(all[index[g]-1], c)
	}
	return all
}

// ordering compares the orders of a few carries. A subset of the carries is a bit mask.
type ordering struct {
	d       *diff
	next    []int
	part    []int    // the carries
	needs   []uint64 // by carry: the carries that must come before it
	loosen  []int    // by carry: tiles that it makes loose, minus loose tiles that it lays
	watches []watched
}

// watched is a place on the table, and what lies there after each subset of the carries.
type watched struct {
	at     int
	by     uint64 // carries that change it
	broken []int8 // by carries done: 0 unknown, 1 a set or nothing, 2 no set, 4 a mix
}

// orderPart returns the best order of at most mostOrdered carries, and marks them done.
func (d *diff) orderPart(part, next []int) []int {
	o := ordering{d: d, next: next, part: part}
	o.prepare()
	size := uint64(1) << len(part)
	cost, last := make([]int, size), make([]int8, size)
	for done := range size {
		if done > 0 && cost[done] == 0 {
			continue // cannot be reached
		}
		for b := range part {
			then := done | 1<<b
			if then == done || o.needs[b]&^done != 0 {
				continue
			}
			if c := cost[done] + o.cost(then); cost[then] == 0 || c < cost[then] {
				cost[then], last[then] = c, int8(b)
			}
		}
	}
	order := make([]int, len(part))
	for n, done := len(part)-1, size-1; n >= 0; n-- {
		order[n] = part[last[done]]
		done &^= 1 << last[done]
	}
	o.mark(size - 1)
	return order
}

func (o *ordering) prepare() {
	d := o.d
	o.needs, o.loosen = make([]uint64, len(o.part)), make([]int, len(o.part))
	for k := range d.pieces {
		up, down := slices.Index(o.part, d.up[k]), slices.Index(o.part, d.down[k])
		if d.up[k] == none {
			continue
		}
		if up >= 0 {
			o.loosen[up]++
		}
		if down >= 0 {
			o.loosen[down]--
		}
		if up >= 0 && down >= 0 {
			o.needs[down] |= 1 << up
		}
	}
	for b, c := range o.part {
		for _, at := range d.places(d.carries[c]) {
			n := slices.IndexFunc(o.watches, func(s watched) bool { return s.at == at })
			if n < 0 {
				n = len(o.watches)
				o.watches = append(o.watches, watched{at: at, broken: make([]int8, 1<<len(o.part))})
			}
			o.watches[n].by |= 1 << b
		}
	}
}

// mark sets which carries are done.
func (o *ordering) mark(done uint64) {
	for b, c := range o.part {
		o.d.carries[c].done = done>>b&1 == 1
	}
}

// cost rates the table after the carries done: rows that are not sets, then loose tiles. It is at least 1.
func (o *ordering) cost(done uint64) int {
	const row = 64
	cost := 1
	for n := range o.watches {
		s := &o.watches[n]
		known := &s.broken[done&s.by]
		if *known == 0 {
			o.mark(done)
			*known = 1
			lies, mixed := o.d.lying(s.at, o.next)
			switch {
			case len(lies) == 0 || tile.Valid(lies):
			case mixed:
				*known = 4
			default:
				*known = 2
			}
		}
		cost += row * int(*known-1)
	}
	for b, n := range o.loosen {
		cost += n * int(done>>b&1)
	}
	return cost
}
