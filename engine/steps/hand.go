package steps

import (
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// moving returns the old rows that give tiles to new row j but do not continue as row j.
//
// This file keeps one invariant: sending tiles through the hand never adds a step to the plan.
func (d *diff) moving(j int) uint64 {
	if d.keep[j] == none {
		return d.gives[j]
	}
	return d.gives[j] &^ (1 << d.keep[j])
}

// useHand decides which old rows give tiles into the hand. That costs one step for the row, and one for each new row
// that gets tiles from the hand, unless rack tiles are laid there anyway. It saves one step for each pair of rows
// between which tiles would move. useHand tries all these rows together, and all subsets of eight of them.
func (d *diff) useHand() {
	const most = 8
	var once, twice uint64 // rows with tiles for at least one new row; for at least two
	for j := range d.now {
		twice |= once & d.moving(j)
		once |= d.moving(j)
	}
	best, bestBuilds, chosen := 0, d.builds(0), uint64(0)
	try := func(lifted uint64) {
		saved := -bits.OnesCount64(lifted)
		for j := range d.now {
			saved += max(0, bits.OnesCount64(d.moving(j)&lifted)-d.laying(j))
		}
		if saved < best {
			return
		}
		if builds := d.builds(lifted); saved > best || builds < bestBuilds {
			best, bestBuilds, chosen = saved, builds, lifted
		}
	}
	try(twice)
	tried := twice
	for bits.OnesCount64(tried) > most {
		tried &= tried - 1
	}
	for lifted := tried; lifted != 0; lifted = (lifted - 1) & tried {
		try(lifted)
	}
	for j := range d.now {
		d.loose[j] = d.through(j, chosen)
	}
	d.layTogether(once &^ twice)
}

// laying returns the number of additional steps if tiles go from the hand to new row j: 0 if rack tiles are laid there
// anyway, otherwise 1.
func (d *diff) laying(j int) int { return 1 - int(d.racked>>j&1) }

// through returns the rows of lifted whose tiles come to new row j through the hand. It returns none if that would save
// no step.
func (d *diff) through(j int, lifted uint64) uint64 {
	rows := d.moving(j) & lifted
	if bits.OnesCount64(rows) <= d.laying(j) {
		return 0
	}
	return rows
}

// builds counts the steps after which a new row is begun but not finished.
func (d *diff) builds(lifted uint64) (builds int) {
	for j := range d.now {
		if d.keep[j] != none {
			continue
		}
		rows := d.through(j, lifted)
		steps := bits.OnesCount64(d.gives[j] &^ rows)
		if rows != 0 || d.racked>>j&1 == 1 {
			steps++
		}
		builds += steps - 1
	}
	return builds
}

// layTogether handles old rows that give tiles to one new row only. If that new row is laid from the hand, their tiles
// go through the hand too: this takes as many steps, and the new row is laid at once. But if a part is a set on its
// own, the new row begins with that part.
func (d *diff) layTogether(single uint64) {
	for j := range d.now {
		rows := d.gives[j] & single
		if rows == 0 || d.keep[j] != none || d.racked>>j&1 == 0 && d.loose[j] == 0 {
			continue
		}
		if d.isSet(j, func(p piece) bool { return p.from == offRack || d.loose[j]>>p.from&1 == 1 }) {
			continue
		}
		for ; rows != 0; rows &= rows - 1 {
			i := bits.TrailingZeros64(rows)
			if !d.isSet(j, func(p piece) bool { return p.from == i }) {
				d.loose[j] |= 1 << i
			}
		}
	}
}

// isSet reports whether the selected pieces of new row j form a set on their own.
func (d *diff) isSet(j int, in func(piece) bool) bool {
	var room [2 * tile.Highest]tile.Face
	part := room[:0]
	for _, p := range d.pieces[d.first[j]:d.first[j+1]] {
		if in(p) {
			part = append(part, p.face)
		}
	}
	return tile.Valid(part)
}

// oneStep is the weight of a step in the cost of a plan.
const oneStep = 1 << 20

// makeCarries turns the plan into carries, and returns its cost (see plan).
func (d *diff) makeCarries() int {
	d.carries = d.carries[:0]
	moves := 0
	for k, p := range d.pieces {
		d.up[k], d.down[k], d.inPlace[k] = none, none, none
		switch {
		case p.from == offRack:
			d.down[k] = d.load(carry{from: hand, to: p.row})
		case d.keep[p.row] == p.from:
			moves--
		case d.loose[p.row]>>p.from&1 == 1:
			d.up[k] = d.load(carry{from: p.from, to: hand})
			d.down[k] = d.load(carry{from: hand, to: p.row})
			moves++
		default:
			d.down[k] = d.load(carry{from: p.from, to: p.row})
		}
	}
	for j, i := range d.keep {
		if i != none && slices.ContainsFunc(d.jokers, func(s stand) bool { return s.row == i }) {
			d.makeSwaps(i, j)
		}
	}
	steps := 0
	for _, c := range d.carries {
		if c.tiles > 0 {
			steps++
		}
	}
	return steps*oneStep + d.unfinished()<<10 + len(d.pieces) + moves
}

// unfinished counts the carries after which a new row is begun but not a set yet. It counts only those that are known
// before the carries are ordered.
func (d *diff) unfinished() (n int) {
	for j, i := range d.keep {
		if i != none {
			continue
		}
		into, begun := 0, false
		for c, way := range d.carries {
			if way.tiles > 0 && (way.to == j || way.swap && way.freed == j) {
				into++
				begun = begun || way.tiles >= 3 && d.isSetBy(j, c)
			}
		}
		if into > 1 && !begun {
			n += into - 1
		}
	}
	return n
}

// isSetBy reports whether the tiles that carry c lays in new row j are a set.
func (d *diff) isSetBy(j, c int) bool {
	k := d.first[j] - 1
	return d.isSet(j, func(piece) bool {
		k++
		return d.down[k] == c
	})
}

// load adds a tile to the carry that goes the same way, or to a new carry, and returns the index of that carry.
func (d *diff) load(way carry) int {
	for c := range d.carries {
		have := &d.carries[c]
		if have.from == way.from && have.to == way.to && have.swap == way.swap && have.freed == way.freed {
			have.tiles++
			return c
		}
	}
	way.tiles = 1
	d.carries = append(d.carries, way)
	return len(d.carries) - 1
}
