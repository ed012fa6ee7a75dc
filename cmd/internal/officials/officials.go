// Package officials rules at random, for programs and tests that hold what any order of rulings comes to.
package officials

import (
	"math/rand/v2"
	"slices"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/tile"
)

// Official is somebody who rules at random on games that nobody referees.
type Official struct {
	*rand.Rand
	// Clock lets rulings stop the clock and take time away; without it a game goes on at once after each of them.
	Clock bool
}

var grounds = engine.Grounds{Reason: "at random"}

// Rulings are the next ones of any kind on a game, mostly one; the engine may refuse each of them. Of a rewind the state
// that it goes back to is left to who keeps the log.
func (o Official) Rulings(s engine.State) []engine.Command {
	seat, turn := o.IntN(s.Seats), s.Turn.Number
	switch o.IntN(25) {
	case 0, 1, 2, 3:
		return o.clock()
	case 4:
		if o.IntN(3) == 0 {
			return one(engine.CallTime{Grounds: grounds})
		}
	case 5, 6, 7:
		return one(engine.Penalise{Grounds: grounds, Seat: seat, Tiles: o.tiles(s), Proposal: proposal(s, seat)})
	case 8, 9:
		if n := len(s.Proposals); n > 0 {
			return one(engine.WaivePenalty{Grounds: grounds, Proposal: s.Proposals[o.IntN(n)].Seq})
		}
	case 10:
		return one(engine.Warn{Grounds: grounds, Seat: seat})
	case 11:
		return one(engine.SkipTurn{Grounds: grounds, Turn: turn})
	case 12:
		return one(engine.RuleIllegal{Grounds: grounds, Turn: turn, Tiles: o.IntN(4)})
	case 13:
		return o.leftovers(s, seat)
	case 14:
		if o.IntN(3) == 0 {
			return one(engine.GrantRedeal{Grounds: grounds, Seat: seat, Deal: o.Deal()})
		}
	case 15:
		return one(engine.RefuseRedeal{Grounds: grounds, Seat: seat})
	case 16:
		if !s.Out[seat] {
			return one(engine.ForfeitSeat{Grounds: grounds, Seat: seat})
		}
	case 17, 18:
		return one(engine.Rewind{Grounds: grounds, Turn: turn - o.IntN(8)})
	case 19, 20:
		return one(o.position(s))
	case 21:
		return o.drain(s, seat)
	default:
		return o.takeBack(s)
	}
	return nil
}

func one(c engine.Command) []engine.Command { return []engine.Command{c} }

// clock stops it, lets it run, or moves the deadline.
func (o Official) clock() []engine.Command {
	switch k := o.IntN(4); {
	case !o.Clock:
		return one(engine.GiveTime{Grounds: grounds, Seconds: o.IntN(120)})
	case k == 0:
		return one(engine.PauseClock{Grounds: grounds})
	case k == 1:
		return one(engine.Resume{Grounds: grounds})
	}
	return one(engine.GiveTime{Grounds: grounds, Seconds: o.IntN(240) - 120})
}

// Deal is a new shuffle, sometimes one that gives everybody doubles.
func (o Official) Deal() engine.Deal {
	d := prepare.Deal(o.Uint64(), 1)
	if o.IntN(2) == 0 {
		slices.SortFunc(d.Pool, func(a, b tile.Tile) int { return int(a.Face()) - int(b.Face()) })
	}
	return d
}

// tiles is how many tiles a penalty has: often a few, sometimes all that the pool has.
func (o Official) tiles(s engine.State) int {
	if n := len(s.Pool); n > 0 && n <= 20 && o.IntN(3) == 0 {
		return n
	}
	return []int{0, 1, 2, 3, 20}[o.IntN(5)]
}

// proposal is one that waits for this seat, or none.
func proposal(s engine.State, seat int) int {
	for _, p := range s.Proposals {
		if p.Seat == seat {
			return p.Seq
		}
	}
	return 0
}

// drain leaves the pool with few tiles.
func (o Official) drain(s engine.State, seat int) (list []engine.Command) {
	n := len(s.Pool)
	for left := o.IntN(6); n > left+20; n -= 20 {
		list = append(list, engine.Penalise{Grounds: grounds, Seat: seat, Tiles: 20})
	}
	return append(list, engine.Penalise{Grounds: grounds, Seat: seat, Tiles: o.IntN(n + 1)})
}

// takeBack takes one of the last rulings back that stand.
func (o Official) takeBack(s engine.State) []engine.Command {
	for _, r := range slices.Backward(s.Rulings) {
		if kind, _ := engine.RulingKindOf(r.Kind); r.Cancelled == 0 && kind.Cancellable() && o.IntN(3) > 0 {
			return one(engine.CancelRuling{Grounds: grounds, Of: r.Seq})
		}
	}
	return nil
}

// position puts the tiles as they lie, but for some of a rack or a set, with any seat to move.
func (o Official) position(s engine.State) engine.Command {
	c := engine.SetPosition{Grounds: grounds, Seat: o.IntN(s.Seats), Table: s.Table.Laid(), Racks: make([][]tile.Face, s.Seats)}
	whose := o.IntN(s.Seats)
	rack, pool := tile.FacesOf(s.Racks[whose]), tile.FacesOf(s.Pool)
	switch o.IntN(6) {
	case 0:
		c.Racks[whose] = slices.Concat(rack, pool)
	case 1:
		c.Racks[whose] = slices.Concat(rack, pool[:o.IntN(len(pool)+1)])
	case 2, 3:
		if n := len(rack); n > 1 {
			c.Racks[whose] = rack[:max(1, n-1-o.IntN(4))]
		}
	case 4: // a rack that is out with its next play
		c.Racks[whose] = SetOf(tile.CountFaces(rack, pool), s.Rules.MeldPoints)
	case 5:
		if n := len(c.Table); n > 0 {
			c.Table = c.Table[:n-1]
		} else if set := SetOf(tile.CountFaces(pool), 0); set != nil {
			c.Table = append(c.Table, engine.LaidFaces{At: engine.SomewhereFree, Faces: set})
		}
	}
	return c
}

// leftovers takes a set off the table.
func (o Official) leftovers(s engine.State, seat int) []engine.Command {
	table := s.Table.Laid()
	if len(table) == 0 {
		return nil
	}
	k := o.IntN(len(table))
	return one(engine.RuleLeftovers{Grounds: grounds, Seat: seat, Tiles: table[k].Faces, Table: slices.Delete(slices.Clone(table), k, k+1)})
}

// SetOf finds a set of three, worth at least so much, among faces; nil where there is none.
func SetOf(have tile.Counts, least int) []tile.Face {
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
