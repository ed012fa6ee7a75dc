// Package randomrulings makes random rulings, for programs and tests that check the effects of arbitrary sequences of
// rulings.
package randomrulings

import (
	"math/rand/v2"
	"slices"

	"meldhall/cmd/internal/prepare"
	"meldhall/engine"
	"meldhall/engine/tile"
)

// Official makes random rulings on games that have no real referee.
type Official struct {
	*rand.Rand
	// Clock allows rulings that stop the clock or take time away. Without it a game continues at once after each
	// ruling.
	Clock bool
}

var grounds = engine.Grounds{Reason: "at random"}

// Rulings returns the next rulings on a game, of any kind: usually one, sometimes none or several. The engine may
// refuse any of them. For a rewind, the caller must supply the state to return to.
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
		if waiting := s.Rulings.Undecided(); len(waiting) > 0 {
			return one(engine.WaivePenalty{Grounds: grounds, Proposal: waiting[o.IntN(len(waiting))].Seq})
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

// clock returns rulings that pause or resume the clock, or move the deadline.
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

// Deal returns a new shuffle, half the time with a sorted pool, so that every player is dealt doubles.
func (o Official) Deal() engine.Deal {
	d := prepare.Deal(o.Uint64(), 1)
	if o.IntN(2) == 0 {
		slices.SortFunc(d.Pool, func(a, b tile.Tile) int { return int(a.Face()) - int(b.Face()) })
	}
	return d
}

// tiles returns the number of tiles of a penalty: usually a few, sometimes the whole pool.
func (o Official) tiles(s engine.State) int {
	if n := len(s.Pool); n > 0 && n <= 20 && o.IntN(3) == 0 {
		return n
	}
	return []int{0, 1, 2, 3, 20}[o.IntN(5)]
}

// proposal returns the seq of a penalty proposal against this seat, or 0.
func proposal(s engine.State, seat int) int {
	for _, p := range s.Rulings.Undecided() {
		if p.Seat == seat {
			return p.Seq
		}
	}
	return 0
}

// drain returns penalties that leave at most 25 tiles in the pool.
func (o Official) drain(s engine.State, seat int) (list []engine.Command) {
	n := len(s.Pool)
	for left := o.IntN(6); n > left+20; n -= 20 {
		list = append(list, engine.Penalise{Grounds: grounds, Seat: seat, Tiles: 20})
	}
	return append(list, engine.Penalise{Grounds: grounds, Seat: seat, Tiles: o.IntN(n + 1)})
}

// takeBack returns the cancellation of one of the latest rulings that are still in force.
func (o Official) takeBack(s engine.State) []engine.Command {
	for _, r := range slices.Backward(s.Rulings.All) {
		if kind, _ := engine.RulingKindOf(r.Kind); r.Cancelled == 0 && kind.Cancellable() && o.IntN(3) > 0 {
			return one(engine.CancelRuling{Grounds: grounds, Of: r.Seq})
		}
	}
	return nil
}

// position returns a ruling that sets the current position, usually with one rack or one set changed, and a random seat
// to move.
func (o Official) position(s engine.State) engine.Command {
	c := engine.SetPosition{Grounds: grounds, Seat: o.IntN(s.Seats), Table: s.Table.Laid(),
		Racks: make([][]tile.Face, s.Seats)}
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
			c.Table = append(c.Table, tile.LaidFaces{At: tile.SomewhereFree, Faces: set})
		}
	}
	return c
}

// leftovers returns a ruling that takes a set off the table.
func (o Official) leftovers(s engine.State, seat int) []engine.Command {
	table := s.Table.Laid()
	if len(table) == 0 {
		return nil
	}
	k := o.IntN(len(table))
	return one(engine.RuleLeftovers{Grounds: grounds, Seat: seat, Tiles: table[k].Faces,
		Table: slices.Delete(slices.Clone(table), k, k+1)})
}

// SetOf returns a set of three of the faces in have that is worth least points or more, or nil if there is none.
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
				if (&set[0] == &group[0] || number <= tile.Highest-2) && tile.Value(set) >= least &&
					tile.CountFaces(set).Within(have) {
					return set
				}
			}
		}
	}
	return nil
}
