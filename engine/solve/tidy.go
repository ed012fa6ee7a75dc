package solve

import (
	"slices"

	"meldhall/engine/tile"
)

// tidy looks among the plays that are as good for one that keeps more of the table. That the limit ends it says nothing
// about what is proven of the play.
func (s *solver) tidy() {
	if !s.has || s.kept == len(s.position.Table) {
		return
	}
	proven := s.proven
	defer func() { s.proven = proven }()
	for i := range s.cases {
		c := &s.cases[i]
		s.tidyCase(c)
		if c.jokers == 2 && c.stands[0] != c.stands[1] {
			c.stands[0], c.stands[1] = c.stands[1], c.stands[0] // jokers are alike: the one may stay in the other's set
			s.tidyCase(c)
		}
	}
}

func (s *solver) tidyCase(c *joined) {
	each := int32(len(s.position.Table) + 1)
	s.fill(c, unit*each)
	left := s.keepSets(c)
	s.tidyBelow(left)
	if !s.position.Rules.WithRackTile || c.free == 0 {
		return
	}
	at := 0
	for i, set := range s.position.Table {
		jokers := countJokers(set)
		if jokers == 1 && c.stands[at] == tile.Joker {
			s.tidyHosts(c, i, each)
		}
		at += jokers
	}
}

// tidyHosts looks for plays in which a set of the table with a released joker lies as it did, a tile of the rack in it.
func (s *solver) tidyHosts(c *joined, set int, each int32) {
	for _, f := range s.position.Table[set] {
		if f == tile.Joker || s.position.Rack[f] <= c.must[f] {
			continue
		}
		s.fill(c, unit*each)
		left := s.keepSets(c)
		for _, g := range s.position.Table[set] {
			if g != tile.Joker {
				colour, n := g.Colour(), g.Number()
				s.have[colour][n]--
				s.idle[colour][n] = min(s.idle[colour][n], s.have[colour][n])
			}
		}
		s.rackTiles[f.Colour()][f.Number()]--
		s.idle[f.Colour()][f.Number()] = min(s.idle[f.Colour()][f.Number()], s.position.Rack[f]-c.must[f]-1)
		s.jokers--
		s.host = c.free > 1
		s.table.staying = set
		s.tidyBelow(left - 1)
	}
}

// tidyBelow searches for a play that keeps more sets than the best so far, left of which cannot be kept.
func (s *solver) tidyBelow(left int) {
	each := int32(len(s.position.Table) + 1)
	if s.solve(s.least*unit*each + int32(len(s.position.Table)-s.kept-left)*unit) {
		if sets, kept := s.laid().answer(); kept > s.kept {
			s.sets, s.kept = sets, kept
		}
	}
}

func countJokers(set []tile.Face) (n int) {
	for _, f := range set {
		if f == tile.Joker {
			n++
		}
	}
	return n
}

// keepSets enters the sets of the table as sets to keep, but for those whose jokers do not stand for what these stand for now,
// and those with a released joker where such need hosts: they are kept in the case in which it is not released. It tells
// how many are left out.
func (s *solver) keepSets(c *joined) (not int) {
	k := &s.search.kept
	k.broken = unit
	stands := c.stands[:]
	for i, set := range s.position.Table {
		jokers := countJokers(set)
		here := stands[:jokers]
		stands = stands[jokers:]
		if jokers > 0 && (c.set.size > 0 || s.host && slices.Contains(here, tile.Joker)) || !k.add(i, set, here) {
			not++
		}
	}
	return not
}
