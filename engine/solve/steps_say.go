package solve

import "meldhall/engine/tile"

// steps puts the carries in order and says each as a step.
func (d *diff) steps() []Step {
	next := make([]int, len(d.old)+len(d.now))
	for at := range next {
		next[at] = none
	}
	for j := range d.now {
		next[d.place(j)] = j
	}
	order := d.order(next)
	for c := range d.carries {
		d.carries[c].done = false
	}
	steps := make([]Step, 0, len(order))
	for _, c := range order {
		steps = append(steps, d.say(c, next))
	}
	return steps
}

// say does a carry and tells it as a step.
func (d *diff) say(c int, next []int) Step {
	way := &d.carries[c]
	var s Step
	s.Tiles, s.Loose = d.cargo(c)
	places := d.places(*way)
	changes := make([]Change, len(places))
	for n, at := range places {
		changes[n].Before, _ = d.lying(at, next)
	}
	way.done = true
	for n, at := range places {
		changes[n].After, _ = d.lying(at, next)
	}
	if way.from != hand {
		s.From, changes = &changes[0], changes[1:]
	}
	if way.to != hand {
		s.To, changes = &changes[0], changes[1:]
	}
	switch {
	case len(changes) > 0:
		s.Joker = &changes[0]
	case way.swap && way.freed != hand:
		s.Joker = s.From
	}
	s.Kind = kindOf(s, way.swap)
	return s
}

// cargo gives the tiles that a carry moves, those for a freed joker's place only if it is a swap, and which of them
// come out of the hand where they were loose.
func (d *diff) cargo(c int) (tiles, loose tile.FaceList) {
	way := d.carries[c]
	if way.to == hand {
		for p, f := range d.old[way.from] {
			if d.up[d.goes[d.base[way.from]+p]] == c {
				tiles = append(tiles, f)
			}
		}
		return tiles, nil
	}
	for k := d.first[way.to]; k < d.first[way.to+1]; k++ {
		if d.down[k] != c {
			continue
		}
		tiles = append(tiles, d.pieces[k].face)
		if way.from == hand && d.up[k] != none {
			loose = append(loose, d.pieces[k].face)
		}
	}
	return tiles, loose
}

func kindOf(s Step, swap bool) StepKind {
	switch {
	case swap:
		return StepSwap
	case s.From == nil && len(s.To.Before) == 0:
		return StepLay
	case s.From == nil:
		return StepExtend
	case s.To == nil:
		return StepTake
	case len(s.To.Before) == 0:
		return StepSplit
	case len(s.From.After) == 0:
		return StepJoin
	}
	return StepTake
}
