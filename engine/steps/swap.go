package steps

import (
	"slices"

	"meldhall/engine/tile"
)

// exchanged is a joker that leaves its row and the tile that replaces it, both as indices of pieces.
//
// This file keeps one invariant: a swap never adds a step to the plan.
type exchanged struct{ joker, own int }

// makeSwaps lets jokers' own tiles replace them in the same step in which the jokers leave old row i, which continues
// as new row j, if that adds no step.
func (d *diff) makeSwaps(i, j int) {
	pairs := d.swapsOf(i, j)
	if len(pairs) == 0 {
		return
	}
	used := make([]int, len(d.carries)) // tiles taken out of each carry
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

// leaves returns the carry that takes a piece away from its old row, or none.
func (d *diff) leaves(k int) int {
	if d.up[k] != none {
		return d.up[k]
	}
	return d.down[k]
}

// goal returns the piece that a joker becomes.
func (d *diff) goal(joker stand) int { return d.goes[d.base[joker.row]+joker.at] }

// swapsOf pairs the jokers that leave old row i with tiles of new row j that replace them, if the row is still a set
// after that.
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

// swap moves both pieces from their carries into one swap.
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
