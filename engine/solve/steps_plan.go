package solve

import (
	"math"
	"math/bits"
	"slices"

	"meldhall/engine/tile"
)

// piece is one tile of a new row and where it comes from.
type piece struct {
	face         tile.Face
	row          int // index of the new row
	from, fromAt int // old row and place in it; offRack when it comes from the rack
}

const offRack = -1

// stand is a joker of an old row and the faces that it stands for there.
type stand struct {
	row, at int
	own     tile.FaceSet
}

// hand stands for a row where a carry begins or ends in the hand.
const hand = -1

// carry is one step in the making: all the tiles that go from one place to another.
type carry struct {
	from, to int // an old row or hand; a new row or hand
	swap     bool
	freed    int // of a swap: the new row that the jokers go to, or hand
	tiles    int // how many it carries; 0: no step any more
	done     bool
}

// diff holds the rows that differ between two tables, and the plan to get from the old to the new.
type diff struct {
	old, now [][]tile.Face
	pieces   []piece // of the new rows, in order
	first    []int   // index of each new row's first piece; one more at the end
	base     []int   // index in goes of each old row's first tile
	goes     []int   // piece that each tile of the old rows becomes
	jokers   []stand // of the old rows that are sets

	shared []int    // [old*len(now)+new]: tiles that go from an old row to a new one
	gives  []uint64 // of each new row: old rows that give it tiles
	racked uint64   // new rows that get tiles from the rack

	keep    []int    // of each new row: the old row that it goes on from, or none
	loose   []uint64 // of each new row: old rows whose tiles come to it through the hand
	carries []carry
	up      []int // of each piece: the carry that takes it into the hand, or none
	down    []int // of each piece: the carry that puts it down, or none
	inPlace []int // of each piece that is a joker freed by a swap: the piece that takes its place, or none
	match   matching
}

const (
	none     = -1
	mostRows = 64
)

func newDiff(old, now [][]tile.Face) (*diff, bool) {
	if len(old) > mostRows || len(now) > mostRows {
		return nil, false
	}
	d := &diff{old: old, now: now}
	for j, row := range now {
		d.first = append(d.first, len(d.pieces))
		for _, f := range row {
			d.pieces = append(d.pieces, piece{face: f, row: j, from: offRack})
		}
	}
	d.first = append(d.first, len(d.pieces))
	for i, row := range old {
		d.base = append(d.base, len(d.goes))
		for at, f := range row {
			d.goes = append(d.goes, none)
			if f.IsJoker() {
				d.stands(i, at)
			}
		}
	}
	n := len(d.pieces)
	marks := make([]int, 3*n+len(now))
	d.up, d.down, d.inPlace, d.keep = marks[:n:n], marks[n:2*n:2*n], marks[2*n:3*n:3*n], marks[3*n:]
	masks := make([]uint64, 2*len(now))
	d.gives, d.loose = masks[:len(now):len(now)], masks[len(now):]
	d.shared = make([]int, len(old)*len(now))
	d.match = newMatching(len(now), max(len(old), len(now)))
	return d, d.assign()
}

// stands notes what a joker stands for, if its row is a set.
func (d *diff) stands(i, at int) {
	s := stand{row: i, at: at}
	if run, ok := tile.AsRun(d.old[i]); ok {
		s.own |= run.Stands(at)
	}
	if group, ok := tile.AsGroup(d.old[i]); ok {
		s.own |= group.Stands(at)
	}
	if s.own != 0 {
		d.jokers = append(d.jokers, s)
	}
}

// assign gives every tile of the old rows to a piece: first to the new row that is most like its row,
// then where its row gives tiles already. It is false when a tile has no piece left.
func (d *diff) assign() bool {
	for i, row := range d.old {
		counts := tile.CountFaces(row)
		for j, other := range d.now {
			for f, k := range tile.CountFaces(other) {
				d.shared[i*len(d.now)+j] += int(min(k, counts[f]))
			}
		}
	}
	jokers := d.jokers
	d.jokers = nil // nothing is known yet of where they go
	d.keepRows()
	d.jokers = jokers
	d.fetch(func(i, j int) bool { return d.keep[j] == i })
	d.fetch(func(i, j int) bool { return d.gives[j]>>i&1 == 1 })
	d.fetch(func(i, j int) bool { return true })
	for _, k := range d.goes {
		if k == none {
			return false
		}
	}
	return true
}

// fetch gives tiles without a piece to pieces without a tile where the old and the new row suit.
func (d *diff) fetch(suits func(i, j int) bool) {
	for k := range d.pieces {
		p := &d.pieces[k]
		if p.from != offRack {
			continue
		}
		for i, row := range d.old {
			if !suits(i, p.row) {
				continue
			}
			for at, f := range row {
				if f == p.face && d.goes[d.base[i]+at] == none && p.from == offRack {
					p.from, p.fromAt = i, at
					d.goes[d.base[i]+at] = k
					d.gives[p.row] |= 1 << i
				}
			}
		}
	}
}

// choose settles which copy goes where, so that the plan is as short as it finds, and leaves that plan.
func (d *diff) choose() {
	open := d.openChoices()
	if len(open) <= mostTried {
		d.tryAll(open)
	} else {
		d.improve(open)
	}
	_, from := d.planAndSeed(math.MaxInt)
	d.grow(from)
}

// mostTried bounds the choices of which every combination is tried.
const mostTried = 6

func (d *diff) tryAll(open []choiceOfCopies) {
	best, code := d.plan(math.MaxInt), 0
	for n := 1; n < 1<<len(open); n++ { // each way differs from the last by one exchange: n^n>>1
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

// improve makes one exchange or two at once as long as that helps.
func (d *diff) improve(open []choiceOfCopies) {
	best := d.plan(math.MaxInt)
	helps := func() bool {
		cost := d.plan(best)
		better := cost < best
		best = min(best, cost)
		return better
	}
	for better := true; better; {
		better = false
		for n, one := range open {
			d.exchange(one)
			helped := helps()
			for m := 0; m < n && !helped; m++ {
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
}

// choiceOfCopies is pairs of equal pieces that lie in the same two new rows and come from the same two old ones.
// It never helps to exchange some of them only: that makes more pairs of rows between which tiles move.
type choiceOfCopies struct {
	pieces       [][2]int // in each the piece of the lower new row first
	rows         [2]int   // the new rows
	lower, upper int      // the old rows
}

// openChoices lists the choices, and lets all pairs of each be the same way round.
func (d *diff) openChoices() (open []choiceOfCopies) {
	for a, p := range d.pieces {
		for b := a + 1; b < len(d.pieces); b++ {
			q := d.pieces[b]
			if p.face != q.face || p.row == q.row || p.from == q.from && (p.from == offRack || !p.face.IsJoker()) {
				continue
			}
			pair := [2]int{a, b}
			at := slices.IndexFunc(open, func(c choiceOfCopies) bool {
				return !p.face.IsJoker() && c.rows == [2]int{p.row, q.row} && c.lower == min(p.from, q.from) && c.upper == max(p.from, q.from)
			})
			if at < 0 {
				open = append(open, choiceOfCopies{[][2]int{pair}, [2]int{p.row, q.row}, min(p.from, q.from), max(p.from, q.from)})
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

// seed is what a plan begins with: old rows of which it is supposed, while the rows that go on are chosen, that their
// tiles come through the hand to the new rows with rack tiles; again, that they do as the first choice turned out.
type seed struct {
	lifted uint64
	again  bool
}

// plan gives the cost of the best plan it finds for the tiles as they are assigned: steps, then how often a new row is
// begun without being finished, then tiles that move, twice those through the hand. Seeds that cannot make
// fewer steps than known are not tried.
func (d *diff) plan(known int) int {
	best, _ := d.planAndSeed(known)
	return best
}

func (d *diff) planAndSeed(known int) (best int, from seed) {
	d.count()
	best = d.grow(seed{})
	try := func(s seed) {
		if cost := d.grow(s); cost < best {
			best, from = cost, s
		}
	}
	if d.handUsed() {
		try(seed{again: true})
	}
	var once, twice uint64
	for _, rows := range d.gives {
		twice |= once & rows
		once |= rows
	}
	for bits.OnesCount64(twice) > mostTried {
		twice &= twice - 1
	}
	for lifted := twice; lifted != 0; lifted = (lifted - 1) & twice {
		if d.least(lifted) < min(best, known)/oneStep {
			try(seed{lifted: lifted})
		}
	}
	return best, from
}

// grow makes the plan that a seed leads to and gives its cost.
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

// least gives the steps that a plan from a seed cannot go below if every row that can goes on.
func (d *diff) least(lifted uint64) int {
	var givers uint64
	direct, takers := 0, 0
	for j, rows := range d.gives {
		rows &^= lifted * (d.racked >> j & 1)
		givers |= rows
		direct += bits.OnesCount64(rows)
		takers += min(1, bits.OnesCount64(rows))
	}
	return bits.OnesCount64(lifted) + bits.OnesCount64(d.racked) + direct - min(takers, bits.OnesCount64(givers))
}

// count sums up which old row gives how many tiles to which new row.
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

// keepRows chooses the old row that each new one goes on from: the most rows, then those where a joker can be swapped,
// then the most tiles that stay. A row whose tiles are to come through the hand anyhow (loose) does not count as one
// to keep.
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
			if joker.own.Has(p.face) && p.from != joker.row && p.row != goal && d.shared[joker.row*len(d.now)+p.row] > 0 {
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
