package solve

import (
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// moving gives the old rows that give tiles to new row j and do not go on in it.
func (d *diff) moving(j int) uint64 {
	if d.keep[j] == none {
		return d.gives[j]
	}
	return d.gives[j] &^ (1 << d.keep[j])
}

// useHand decides which old rows give tiles into the hand. That is a step for the row, and one for each
// new row that gets tiles from the hand, which those with rack tiles take anyhow; it saves a step for each pair
// of rows between which tiles would move. All choices of up to ten rows are tried.
func (d *diff) useHand() {
	const most = 10
	var once, twice uint64 // rows with tiles to one new row at least, to two at least
	for j := range d.now {
		twice |= once & d.moving(j)
		once |= d.moving(j)
	}
	for bits.OnesCount64(twice) > most {
		twice &= twice - 1
	}
	best, bestBuilds, chosen := 0, d.builds(0), uint64(0)
	for lifted := twice; lifted != 0; lifted = (lifted - 1) & twice {
		saved := -bits.OnesCount64(lifted)
		for j := range d.now {
			saved += max(0, bits.OnesCount64(d.moving(j)&lifted)-d.laying(j))
		}
		if saved < best {
			continue
		}
		if builds := d.builds(lifted); saved > best || builds < bestBuilds {
			best, bestBuilds, chosen = saved, builds, lifted
		}
	}
	for j := range d.now {
		d.loose[j] = d.through(j, chosen)
	}
	d.layTogether(once &^ twice)
}

// laying is the step that new row j costs when tiles go to it from the hand: none if rack tiles do anyhow.
func (d *diff) laying(j int) int { return 1 - int(d.racked>>j&1) }

// through gives the rows of lifted whose tiles come to new row j by the hand.
func (d *diff) through(j int, lifted uint64) uint64 {
	rows := d.moving(j) & lifted
	if bits.OnesCount64(rows) <= d.laying(j) {
		return 0
	}
	return rows
}

// builds counts the steps after which a new row is begun and not finished.
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

// layTogether sends tiles of rows that give to one new row only through the hand where that row is laid from the hand:
// as many steps, and the new row is laid at once. Where a part is a set by itself the row rather begins with that.
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

// isSet tells whether the pieces of new row j that are in the part are a set by themselves.
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

// oneStep is what a step weighs in the cost of a plan.
const oneStep = 1 << 20

// makeCarries turns the plan into carries, and gives its cost (see plan).
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

// unfinished counts the carries after which a new row is begun and, as far as that can be told before they are in
// order, is no set yet.
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

// isSetBy tells whether what a carry lays of new row j is a set.
func (d *diff) isSetBy(j, c int) bool {
	k := d.first[j] - 1
	return d.isSet(j, func(piece) bool {
		k++
		return d.down[k] == c
	})
}

// load adds a tile to the carry that goes the same way, and gives its index.
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

// exchanged is a joker that leaves its row and the tile that takes its place, both as pieces.
type exchanged struct{ joker, own int }

// makeSwaps puts jokers' own tiles in their places in the same step in which the jokers leave old row i,
// which goes on as new row j, where that makes no step more.
func (d *diff) makeSwaps(i, j int) {
	pairs := d.swapsOf(i, j)
	if len(pairs) == 0 {
		return
	}
	used := make([]int, len(d.carries)) // tiles less in each carry
	var ways [][2]int
	before, after := 0, 0
	for _, x := range pairs {
		way := [2]int{d.down[x.own], d.leaves(x.joker)}
		for _, c := range way {
			if used[c]++; used[c] == 1 {
				before++
				after++
			}
			if used[c] == d.carries[c].tiles {
				after--
			}
		}
		known := false
		for _, w := range ways {
			known = known || w == way
		}
		if !known {
			ways = append(ways, way)
		}
	}
	if after+len(ways) > before {
		return
	}
	for _, x := range pairs {
		d.swap(x, j)
	}
}

// leaves gives the carry that takes a piece away from its old row, or none.
func (d *diff) leaves(k int) int {
	if d.up[k] != none {
		return d.up[k]
	}
	return d.down[k]
}

// goal gives the piece that a joker becomes.
func (d *diff) goal(joker stand) int { return d.goes[d.base[joker.row]+joker.at] }

// swapsOf pairs the jokers that leave old row i with tiles that take their places there, if new row j would
// be a set then too.
func (d *diff) swapsOf(i, j int) (pairs []exchanged) {
	then := slices.Clone(d.old[i])
	for _, joker := range d.jokers {
		k := d.goal(joker)
		if joker.row != i || d.pieces[k].row == j {
			continue
		}
		own := none
		for a := d.first[j]; a < d.first[j+1]; a++ {
			p := d.pieces[a]
			if !joker.own.Has(p.face) || p.from == i || taken(pairs, a) {
				continue
			}
			if own == none || d.carries[d.down[a]].tiles < d.carries[d.down[own]].tiles {
				own = a
			}
		}
		if own != none {
			pairs = append(pairs, exchanged{joker: k, own: own})
			then[joker.at] = d.pieces[own].face
		}
	}
	if !tile.Valid(then) {
		return nil
	}
	return pairs
}

func taken(pairs []exchanged, own int) bool {
	for _, x := range pairs {
		if x.own == own {
			return true
		}
	}
	return false
}

// swap takes both pieces out of the carries that they are in, into one swap.
func (d *diff) swap(x exchanged, j int) {
	goal := d.pieces[x.joker].row
	lay := none
	for c, have := range d.carries {
		if have.from == hand && have.to == goal && !have.swap && have.tiles > 0 {
			lay = c
		}
	}
	d.carries[d.down[x.own]].tiles--
	d.carries[d.leaves(x.joker)].tiles--
	way := carry{from: d.carries[d.down[x.own]].from, to: j, swap: true, freed: goal}
	if lay != none {
		way.freed = hand
	}
	c := d.load(way)
	d.down[x.own] = c
	d.inPlace[x.joker] = x.own
	if lay == none {
		d.down[x.joker] = c
		return
	}
	if d.up[x.joker] == none {
		d.down[x.joker] = lay
		d.carries[lay].tiles++
	}
	d.up[x.joker] = c
}
