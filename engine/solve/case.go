package solve

import "meldhall/engine/tile"

// joined is one way in which the jokers of the table come out of the joker rule: each goes on to stand for a face that
// it stood for, or is released, and for what is released a tile of the rack must be laid where the rules say so. The best
// play under the rule is the best over all these cases, since a case asks for no more than the rule does.
type joined struct {
	stands []tile.Face // by joker, in the order of the table: what it goes on to stand for, tile.Joker when released; another order would do as well
	fixed  tile.Counts // of those that go on, by face
	must   tile.Counts // tiles of the rack that must be laid
	free   int         // jokers released
	taken  tile.Counts // faces that released jokers stood for and that take their place
}

// cases lists them. counts are the tiles of the table.
func (p Position) cases(into []joined, counts *tile.Counts) []joined {
	jokers := int(counts[tile.Joker])
	if p.Rules.Replace == Free && !p.Rules.WithRackTile || jokers == 0 {
		free := joined{free: jokers}
		for range jokers {
			free.stands = append(free.stands, tile.Joker)
		}
		return append(into, free)
	}
	for reading := range 2 {
		var could []tile.FaceSet
		for _, set := range p.Table {
			readings := tile.Readings(set)
			for i, f := range set {
				if f == tile.Joker {
					could = append(could, readings[min(reading, len(readings)-1)].Stands(i))
				}
			}
		}
		into = p.decide(into, counts, could, joined{})
	}
	return into
}

// decide chooses for the next joker and those after it.
func (p Position) decide(into []joined, counts *tile.Counts, could []tile.FaceSet, so joined) []joined {
	at := len(so.stands)
	if at == len(could) {
		for i := range into {
			if into[i].equal(&so) {
				return into
			}
		}
		return append(into, so)
	}
	with := func(stands tile.Face) joined {
		next := so
		next.stands = append(append([]tile.Face(nil), so.stands...), stands)
		return next
	}
	for _, f := range could[at].List() {
		next := with(f)
		next.fixed[f]++
		into = p.decide(into, counts, could, next)
	}
	if p.Rules.Replace == Free {
		next := with(tile.Joker)
		next.free++
		return p.decide(into, counts, could, next)
	}
	for _, f := range could[at].List() {
		next := with(tile.Joker)
		next.free++
		next.taken[f]++
		next.must[f] = next.taken[f]
		if p.Rules.Replace == TableOrRack {
			next.must[f] -= min(next.must[f], counts[f])
		}
		if next.must[f] <= p.Rack[f] {
			into = p.decide(into, counts, could, next)
		}
	}
	return into
}

func (j *joined) equal(other *joined) bool {
	return j.fixed == other.fixed && j.must == other.must && j.free == other.free
}
