package solve

import (
	"slices"

	"meldhall/engine/tile"
)

// joined is one case of the joker rule for the jokers of the table. Each joker continues to stand for a face that it
// stood for, or is released. For a released joker, a tile of the rack must be laid if the rules require it.
//
// Invariant: each case requires no less than the rule does, and together the cases allow a best legal play. So the best
// play under the rule is the best over all cases.
type joined struct {
	jokers int
	stands [mostJokers]tile.Face // by joker in table order: the face it keeps; tile.Joker: released
	fixed  tile.Counts           // jokers that keep their face, by face
	must   tile.Counts           // rack tiles that must be laid
	free   int                   // number of released jokers
	taken  tile.Counts           // faces that released jokers stood for, whose tiles replace them
	set    laidSet               // a fixed set that holds both jokers
}

// searchable reports whether a position is within the limits given at Position.
func (p *Position) searchable(counts *tile.Counts) bool {
	for f := range tile.Joker {
		if counts[f] > tableCopies || int(counts[f])+int(p.Rack[f]) > maxCopies {
			return false
		}
	}
	jokers := int(counts[tile.Joker]) + int(p.Rack[tile.Joker])
	return jokers <= maxJokers || jokers <= mostJokers && p.Rules.Replace == Free && !p.Rules.WithRackTile
}

// laidSet is a group of one or two tiles and both jokers. Both jokers may stand for the same missing face. Jokers
// treated as tiles of that face could not lie in one group.
type laidSet struct {
	tiles tile.Counts
	size  int
}

// cases appends the cases of position p to into. counts holds the tiles of the table.
func (p *Position) cases(into []joined, counts *tile.Counts) []joined {
	jokers := int(counts[tile.Joker])
	all := joined{jokers: jokers, free: jokers}
	for i := range all.stands {
		all.stands[i] = tile.Joker
	}
	if p.Rules.Replace == Free && !p.Rules.WithRackTile || jokers == 0 {
		return append(into, all)
	}
	var could [mostJokers]tile.FaceSet
	for reading := range 2 {
		at := 0
		for _, set := range p.Table {
			for i, f := range set {
				if f == tile.Joker {
					readings := tile.Readings(set)
					could[at] = readings[min(reading, len(readings)-1)].Stands(i)
					at++
				}
			}
		}
		into = p.decide(into, counts, could[:jokers], &joined{})
		if jokers == 2 {
			into = p.together(into, counts, could[0]&could[1])
		}
	}
	return into
}

// decide appends the cases for every choice of the next joker and of those after it. Each joker keeps a face or is
// released.
func (p *Position) decide(into []joined, counts *tile.Counts, could []tile.FaceSet, so *joined) []joined {
	at := so.jokers
	if at == len(could) {
		return addCase(into, so)
	}
	for _, released := range []bool{false, true} {
		for f := range tile.Joker {
			if !could[at].Has(f) {
				continue
			}
			next := *so
			next.jokers++
			next.stands[at] = f
			if released {
				next.stands[at] = tile.Joker
				next.free++
				if !p.replaced(&next, counts, f) {
					continue
				}
			} else {
				next.fixed[f]++
			}
			into = p.decide(into, counts, could, &next)
		}
	}
	return into
}

// replaced records which tile must take the place of a released joker that stood for face f, and reports whether that
// is possible with the rack.
func (p *Position) replaced(next *joined, counts *tile.Counts, f tile.Face) bool {
	if p.Rules.Replace == Free {
		return true
	}
	next.taken[f]++
	next.must[f] = next.taken[f]
	if p.Rules.Replace == TableOrRack {
		next.must[f] -= min(next.must[f], counts[f])
	}
	return next.must[f] <= p.Rack[f]
}

// together adds the cases with a group in which both jokers stand for the same face.
func (p *Position) together(into []joined, counts *tile.Counts, both tile.FaceSet) []joined {
	for _, f := range both.List() {
		for mask := 1; mask < 1<<colours; mask++ {
			set := laidSet{size: 2}
			for c := range tile.Colour(colours) {
				if g := tile.NewFace(c, f.Number()); mask>>c&1 == 1 && g != f && counts[g]+p.Rack[g] > 0 {
					set.tiles[g]++
					set.size++
				}
			}
			if set.size == 2+int(ones(uint32(mask))) && set.size <= 4 {
				into = addCase(into, &joined{jokers: 2, stands: [mostJokers]tile.Face{f, f}, set: set})
			}
		}
	}
	return into
}

func addCase(into []joined, so *joined) []joined {
	if slices.ContainsFunc(into, func(other joined) bool {
		return other.fixed == so.fixed && other.must == so.must && other.free == so.free && other.set == so.set
	}) {
		return into
	}
	return append(into, *so)
}
