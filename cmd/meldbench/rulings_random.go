package main

import (
	"slices"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/tile"
)

// step is what happens next: a turn, or a ruling of any kind.
func (g *ruledGame) step() {
	s := g.state
	if g.IntN(100) < 55 || s.Phase == engine.PhaseDealt && g.IntN(2) == 0 {
		g.turn()
		return
	}
	why := engine.Grounds{Reason: "at random"}
	seat, turn := g.IntN(s.Seats), s.Turn.Number
	switch g.IntN(26) {
	case 0:
		g.give(engine.PauseClock{Grounds: why})
	case 1:
		g.give(engine.Resume{Grounds: why})
	case 2, 3:
		g.give(engine.GiveTime{Grounds: why, Seconds: g.IntN(240) - 120})
	case 4:
		if g.IntN(3) == 0 {
			g.give(engine.CallTime{Grounds: why})
		}
	case 5, 6, 7:
		g.give(engine.Penalise{Grounds: why, Seat: seat, Tiles: g.tiles(), Proposal: g.proposal(seat)})
	case 8, 9:
		if n := len(s.Proposals); n > 0 {
			g.give(engine.WaivePenalty{Grounds: why, Proposal: s.Proposals[g.IntN(n)].Seq})
		}
	case 10:
		g.give(engine.Warn{Grounds: why, Seat: seat})
	case 11:
		g.give(engine.SkipTurn{Grounds: why, Turn: turn})
	case 12:
		g.give(engine.RuleIllegal{Grounds: why, Turn: turn, Tiles: g.IntN(4)})
	case 13:
		g.leftovers(why, seat)
	case 14:
		if g.IntN(3) == 0 {
			g.give(engine.GrantRedeal{Grounds: why, Seat: seat, Deal: g.deal()})
		}
	case 15:
		g.give(engine.RefuseRedeal{Grounds: why, Seat: seat})
	case 16:
		if !s.Out[seat] {
			g.give(engine.ForfeitSeat{Grounds: why, Seat: seat})
		}
	case 17, 18:
		g.give(engine.Rewind{Grounds: why, Turn: turn - g.IntN(8), To: g.starts[turn-g.IntN(8)]})
		back := turn - g.IntN(8)
		g.give(engine.Rewind{Grounds: why, Turn: back, To: g.starts[back]})
	case 19, 20:
		g.position(why)
	case 21:
		g.give(engine.Redeal{Seat: seat, Turn: turn, Deal: g.deal()})
	case 22:
		g.give(engine.PoolEmptied{Seat: seat})
		g.drain(why, seat)
	default:
		g.takeBack(why)
	}
}

// deal is a new shuffle, sometimes one that gives everybody doubles.
func (g *ruledGame) deal() engine.Deal {
	d := prepare.Deal(g.Uint64(), 1)
	if g.IntN(2) == 0 {
		slices.SortFunc(d.Pool, func(a, b tile.Tile) int { return int(a.Face()) - int(b.Face()) })
	}
	return d
}

// tiles is how many tiles a penalty has: often a few, sometimes all that the pool has.
func (g *ruledGame) tiles() int {
	if n := len(g.state.Pool); n > 0 && n <= 20 && g.IntN(3) == 0 {
		return n
	}
	return []int{0, 1, 2, 3, 20}[g.IntN(5)]
}

// proposal is one that waits for this seat, or none.
func (g *ruledGame) proposal(seat int) int {
	for _, p := range g.state.Proposals {
		if p.Seat == seat {
			return p.Seq
		}
	}
	return 0
}

// drain leaves the pool with few tiles.
func (g *ruledGame) drain(why engine.Grounds, seat int) {
	for left := g.IntN(6); len(g.state.Pool) > left+20; {
		seq := g.state.Seq
		if g.give(engine.Penalise{Grounds: why, Seat: seat, Tiles: 20}); g.state.Seq == seq {
			return
		}
	}
	if n := len(g.state.Pool); n > 0 {
		g.give(engine.Penalise{Grounds: why, Seat: seat, Tiles: g.IntN(n + 1)})
	}
}

// takeBack takes one of the last rulings back that stand.
func (g *ruledGame) takeBack(why engine.Grounds) {
	rulings := slices.Clone(g.state.Rulings)
	slices.Reverse(rulings)
	for _, r := range rulings {
		if kind, _ := engine.RulingKindOf(r.Kind); r.Cancelled == 0 && kind.Cancellable() && g.IntN(3) > 0 {
			g.give(engine.CancelRuling{Grounds: why, Of: r.Seq})
			return
		}
	}
}

// position puts the tiles as they lie, but for some of a rack or a set, with any seat to move.
func (g *ruledGame) position(why engine.Grounds) {
	s := g.state
	c := engine.SetPosition{Grounds: why, Seat: g.IntN(s.Seats), Table: s.Table.Laid(), Racks: make([][]tile.Face, s.Seats)}
	whose := g.IntN(s.Seats)
	rack, pool := tile.FacesOf(s.Racks[whose]), tile.FacesOf(s.Pool)
	switch g.IntN(6) {
	case 0:
		c.Racks[whose] = slices.Concat(rack, pool)
	case 1:
		c.Racks[whose] = slices.Concat(rack, pool[:g.IntN(len(pool)+1)])
	case 2, 3:
		if n := len(rack); n > 1 {
			c.Racks[whose] = rack[:max(1, n-1-g.IntN(4))]
		}
	case 4: // a rack that is out with its next play
		c.Racks[whose] = setOf(tile.CountFaces(rack, pool), s.Rules.MeldPoints)
	case 5:
		if n := len(c.Table); n > 0 {
			c.Table = c.Table[:n-1]
		} else if set := setOf(tile.CountFaces(pool), 0); set != nil {
			c.Table = append(c.Table, engine.LaidFaces{At: engine.SomewhereFree, Faces: set})
		}
	}
	g.give(c)
}

// leftovers takes a set off the table.
func (g *ruledGame) leftovers(why engine.Grounds, seat int) {
	table := g.state.Table.Laid()
	if n := len(table); n > 0 {
		k := g.IntN(n)
		g.give(engine.RuleLeftovers{Grounds: why, Seat: seat, Tiles: table[k].Faces, Table: slices.Delete(slices.Clone(table), k, k+1)})
	}
}

// lays lets the seat to move lay a set of its rack, and tells whether it could.
func (g *ruledGame) lays() bool {
	s := g.state
	seq, seat := s.Seq, s.Turn.Seat
	least := s.Rules.MeldPoints
	if s.Opened[seat] {
		least = 0
	}
	set := setOf(tile.CountFaces(tile.FacesOf(s.Racks[seat])), least)
	if set == nil {
		return false
	}
	g.give(engine.Play{Seat: seat, Turn: s.Turn.Number, Table: append(s.Table.Laid(), engine.LaidFaces{At: engine.SomewhereFree, Faces: set})})
	return g.state.Seq != seq
}

// setOf finds a set of three, worth at least so much, among faces; nil where there is none.
func setOf(have tile.Counts, least int) []tile.Face {
	for number := tile.Highest; number >= 1; number-- {
		for c := range tile.Colour(4) {
			first := tile.NewFace(c, number)
			run := []tile.Face{first, first + 1, first + 2}
			var group []tile.Face
			for other := range tile.Colour(4) {
				if other != c {
					group = append(group, tile.NewFace(other, number))
				}
			}
			for _, set := range [][]tile.Face{run, group} {
				if (&set[0] == &group[0] || number <= tile.Highest-2) && tile.Value(set) >= least && tile.CountFaces(set).Within(have) {
					return set
				}
			}
		}
	}
	return nil
}
