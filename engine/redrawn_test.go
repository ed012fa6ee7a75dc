package engine

import (
	"slices"
	"testing"

	"meldhall/engine/tile"
)

// redrawnPenalties lists games whose next ruling cancels a penalty. Each function returns whether the penalty's tiles
// go back on top of the pool (top), and the seq of the penalty (of).
var redrawnPenalties = map[string]func(g *played) (top bool, of int){
	"one penalty": func(g *played) (bool, int) {
		p := g.penalise(1, 3)
		g.turn()
		g.rewind(1)
		return true, p
	},
	"rewound twice": func(g *played) (bool, int) {
		g.turn()
		p := g.penalise(0, 2)
		g.rewind(2)
		g.turn()
		g.rewind(2)
		return true, p
	},
	"the later of two": func(g *played) (bool, int) {
		g.penalise(0, 2)
		p := g.penalise(1, 3)
		g.rewind(1)
		return true, p
	},
	"the earlier of two": func(g *played) (bool, int) {
		p := g.penalise(0, 2)
		g.penalise(1, 3)
		g.rewind(1)
		return false, p
	},
	"a later one was taken back before the rewind": func(g *played) (bool, int) {
		p := g.penalise(0, 2)
		g.cancel(g.penalise(1, 3))
		g.rewind(1)
		return true, p
	},
	"somebody drew since": func(g *played) (bool, int) {
		p := g.penalise(1, 3)
		g.rewind(1)
		g.turn()
		return false, p
	},
	"the position that was set is undone": func(g *played) (bool, int) {
		p := g.penalise(1, 3)
		g.position(1, 2, 5)
		g.rewind(1)
		return true, p
	},
	"a position was set since": func(g *played) (bool, int) {
		p := g.penalise(1, 3)
		g.rewind(1)
		g.position(1, 2, 5)
		return false, p
	},
	"a position that leaves the pool alone": func(g *played) (bool, int) {
		p := g.penalise(1, 3)
		g.rewind(1)
		g.move(2)
		return true, p
	},
	"an earlier penalty is put back by the rewind": func(g *played) (bool, int) {
		first := g.penalise(0, 2)
		g.turn()
		g.cancel(first)
		p := g.penalise(1, 3)
		g.rewind(2)
		return true, p
	},
	"a warning since": func(g *played) (bool, int) {
		p := g.penalise(1, 3)
		g.rewind(1)
		g.do(Warn{why, 1})
		return true, p
	},
}

func (g *played) penalise(seat, tiles int) int {
	return g.do(Penalise{Grounds: why, Seat: seat, Tiles: tiles})
}

// TestRedrawnPenaltyIsTakenBack checks that the tiles of a redrawn penalty go back to their old place in the pool, as
// without the rewind: on top, unless the pool has changed since.
func TestRedrawnPenaltyIsTakenBack(t *testing.T) {
	for name, test := range redrawnPenalties {
		t.Run(name, func(t *testing.T) {
			g := playing(t, presetRules(t, "wrc"), 3)
			top, of := test(g)
			seat, pool := 0, g.state.Pool
			for _, r := range g.state.Rulings.All {
				if r.Seq == of {
					seat = r.Seat
				}
			}
			rack := g.state.Racks[seat]
			g.cancel(of)
			back := without(rack, g.state.Racks[seat])
			want := slices.Concat(pool, back)
			if top {
				want = slices.Concat(back, pool)
			}
			if len(back) == 0 || !slices.Equal(g.state.Pool, want) {
				t.Errorf("%v came back into %v, want top %v: %v", back, pool, top, g.state.Pool[:6])
			}
		})
	}
}

// TestRewindPutsRedrawnPenaltyOnTop checks a rewind to a turn that began with a redrawn penalty, cancelled since: it
// puts the tiles on top.
func TestRewindPutsRedrawnPenaltyOnTop(t *testing.T) {
	g := playing(t, presetRules(t, "wrc"), 3)
	p := g.do(Penalise{Grounds: why, Seat: 1, Tiles: 3})
	before := g.starts[1].Pool
	g.rewind(1)
	again := g.state.Turn.Number
	g.turn()
	g.cancel(p)
	g.rewind(again)
	if !slices.Equal(g.state.Pool, before) {
		t.Errorf("the pool is %v, want %v", g.state.Pool[:6], before[:6])
	}
}

// TestRedrawnPenaltyAfterLeftovers checks a rewind that undoes the leftovers under the pool. The tiles of the penalty
// that it redraws lay on top.
func TestRedrawnPenaltyAfterLeftovers(t *testing.T) {
	g := playing(t, presetRules(t, "wrc-50"), 3)
	run := runIn(t, g.state.Pool)
	g.do(SetPosition{Grounds: why, Seat: 0, Table: []tile.LaidFaces{{Faces: run}}})
	number := g.state.Turn.Number
	p := g.do(Penalise{Grounds: why, Seat: 1, Tiles: 3})
	pool := g.starts[number].Pool
	g.do(RuleLeftovers{Grounds: why, Seat: 0, Tiles: run})
	g.rewind(number)
	g.cancel(p)
	if !slices.Equal(g.state.Pool, pool) {
		t.Errorf("the pool is %v, want %v", g.state.Pool[:6], pool[:6])
	}
}

// runIn returns a run of three from the pool.
func runIn(t *testing.T, pool tile.List) []tile.Face {
	t.Helper()
	have := tile.CountFaces(tile.FacesOf(pool))
	for f := tile.Face(0); f < tile.Joker-2; f++ {
		run := []tile.Face{f, f + 1, f + 2}
		if tile.Valid(run) && have[f] > 0 && have[f+1] > 0 && have[f+2] > 0 {
			return run
		}
	}
	t.Fatal("the pool holds no run")
	return nil
}
