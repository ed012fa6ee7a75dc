package engine

import (
	"math/rand"
	"slices"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// SecondReferee checks a whole log by the rules alone. It is set by package audit, which imports this package.
var SecondReferee func([]Event) error

// played is a game with its log, for an official who can rewind to any of its turns.
type played struct {
	t      testing.TB
	state  State
	log    []Event
	starts map[int]State
	at     Millis
}

// playing begins a game with the given number of seats. The first seat moves.
func playing(t testing.TB, rules ruleset.Ruleset, seats int) *played {
	t.Helper()
	return playingWith(t, rules, seats, Deal{Pool: randomOrder(seeded{newRand(20)}), Salt: "0123456789abcdef"})
}

func newRand(seed int64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

func playingWith(t testing.TB, rules ruleset.Ruleset, seats int, d Deal) *played {
	t.Helper()
	g := &played{t: t, starts: map[int]State{}, at: noon}
	g.do(Start{Rules: rules, Seats: seats, Deal: d})
	g.begin()
	g.secondly(t)
	return g
}

// playingByHand is playing with real tiles.
func playingByHand(t testing.TB, rules ruleset.Ruleset, seats int) *played {
	t.Helper()
	g := &played{t: t, starts: map[int]State{}, at: noon}
	g.do(Start{Rules: rules, Seats: seats, Physical: true})
	g.do(Ready{Everybody, 0})
	g.secondly(t)
	return g
}

// secondly passes the log to the second referee and to Recheck when the test ends.
func (g *played) secondly(t testing.TB) {
	if t, ok := t.(*testing.T); ok {
		t.Cleanup(func() {
			if err := SecondReferee(g.log); err != nil {
				t.Error("the second referee:", err)
			}
			if _, err := Recheck(g.log); err != nil {
				t.Error("rechecked:", err)
			}
		})
	}
}

// begin makes all seats ready.
func (g *played) begin() {
	g.t.Helper()
	for seat := range g.state.Seats {
		if !g.state.Out[seat] {
			g.do(Ready{seat, g.state.Turn.Number})
		}
	}
}

func (g *played) try(c Command) error {
	events, err := asked(g.state, c, g.at)
	for _, e := range events {
		g.state = Apply(g.state, e)
		g.log = append(g.log, e)
	}
	if _, met := g.starts[g.state.Turn.Number]; !met && g.state.Phase == PhasePlaying {
		g.starts[g.state.Turn.Number] = g.state
	}
	return err
}

// do runs a command and returns the seq of the last event that it caused.
func (g *played) do(c Command) int {
	g.t.Helper()
	if err := g.try(c); err != nil {
		g.t.Fatalf("%T%+v: %v", c, c, err)
	}
	return g.state.Seq
}

// refused checks that a command is refused with a code.
func (g *played) refused(c Command, code string) {
	g.t.Helper()
	events, err := asked(g.state, c, g.at)
	if r, ok := err.(*Refusal); !ok || r.Code != code {
		g.t.Fatalf("%T: events %v, error %v; want the refusal %q", c, tellAll(events), err, code)
	}
}

// turn ends the current turn without laying a tile.
func (g *played) turn() {
	g.t.Helper()
	seat, number := g.state.Turn.Seat, g.state.Turn.Number
	switch {
	case g.state.Physical:
		g.do(EndTurn{Seat: seat, Turn: number, Passed: g.state.PoolEmpty})
	case len(g.state.Pool) > 0:
		g.do(Draw{seat, number})
	default:
		g.do(Pass{seat, number})
	}
}

// until ends turns until the given seat is to move.
func (g *played) until(seat int) {
	g.t.Helper()
	for range ruleset.MaxSeats {
		if g.state.Turn.Seat != seat {
			g.turn()
		}
	}
}

// over reports whether play has ended.
func (g *played) over() bool { return g.state.Phase == PhaseOver || g.state.Ending != "" }

// out plays at most the given number of turns and returns the seats that had them.
func (g *played) out(most int) (seats []int) {
	g.t.Helper()
	for range most {
		if !g.over() {
			seats = append(seats, g.state.Turn.Seat)
			g.turn()
		}
	}
	return seats
}

// drain lets a seat draw penalty tiles until the pool has left tiles. It returns the seq of the last penalty.
func (g *played) drain(seat, left int) (last int) {
	g.t.Helper()
	for len(g.state.Pool) > left {
		last = g.do(Penalise{Grounds: why, Seat: seat, Tiles: min(ruleset.MaxPenaltyTiles, len(g.state.Pool)-left)})
	}
	return last
}

func (g *played) rewind(turn int) int {
	g.t.Helper()
	return g.do(Rewind{why, turn, g.starts[turn]})
}

func (g *played) cancel(seq int) int {
	g.t.Helper()
	return g.do(CancelRuling{why, seq})
}

// position sets the tiles as they lie with a seat to move, except that the rack of whose gets n tiles.
func (g *played) position(seat, whose, n int) int {
	g.t.Helper()
	all := slices.Concat(g.state.Racks[whose], g.state.Pool)
	return g.do(SetPosition{Grounds: why, Seat: seat, Table: g.state.Table.Laid(),
		Racks: racksWith(g.state.Seats, whose, all[:n])})
}

// move sets the tiles as they lie, with a seat to move.
func (g *played) move(seat int) int {
	g.t.Helper()
	return g.do(SetPosition{Grounds: why, Seat: seat, Table: g.state.Table.Laid()})
}

// doublesDealt returns a deal in which every seat has seven doubles.
func doublesDealt() Deal {
	var pool tile.List
	for f := range tile.Face(tile.Faces) {
		pool = append(pool, tile.Of(f, 0), tile.Of(f, 1))
	}
	return Deal{Pool: pool, Salt: "0123456789abcdef"}
}

// longer returns a copy of a list with spare capacity.
func longer[T any](list []T) []T {
	if list == nil {
		return nil
	}
	return slices.Grow(slices.Clone(list), 4)
}
