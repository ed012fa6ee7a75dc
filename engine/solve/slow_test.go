package solve_test

import (
	"math/rand/v2"
	"testing"

	"meldhall/engine/solve"
)

// TestPositionsBeyondALimitGetTheSameAnswers lowers the limits of the chains, so that small positions exceed them.
func TestPositionsBeyondALimitGetTheSameAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name           string
		states, seated int
		least          int // of 2,000 positions, those that must exceed the limit
	}{{"no state", 0, 4, 1_500}, {"three states of a colour at a number", 3, 4, 500}, {"no new group", 1024, 0, 2}} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(44, 8))
			positions, beyond := positionsToCompare(t), 0
			for range positions {
				p, q := decodePosition(randomCode(random))
				want := solve.BestUnlisted(p, q)
				got, slowly := solve.BestWithin(c.states, c.seated, p, q)
				if slowly {
					beyond++
				}
				if !got.Proven || got.Tiles != want.Tiles || got.Value != want.Value ||
					q.Keep && got.Kept != want.Kept {
					t.Fatalf("%s: %d tiles, %d, %d kept, proven %v: %s; want %d, %d, %d: %s", positionText(p, q),
						got.Tiles, got.Value, got.Kept, got.Proven, layoutText(got.Table), want.Tiles, want.Value,
						want.Kept, layoutText(want.Table))
				}
				if fault := playFault(p, got); fault != "" {
					t.Fatalf("%s: %s", positionText(p, q), fault)
				}
			}
			if positions >= 2_000 && beyond < c.least {
				t.Errorf("%d of %d positions exceeded the limit, want %d", beyond, positions, c.least)
			}
		})
	}
}

// TestCountedRacksBeyondALimitAreSolved checks racks that exceed the limits of the chains themselves. All their tiles
// can be laid, so the answer is known.
func TestCountedRacksBeyondALimitAreSolved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, table, rack string
		joker             int
	}{
		{"more than 1024 states of a colour at a number", "J J R6 R7 / B4 O4 K4 / B3 O3 K3",
			"K6 R3 R4 R5 R5 R5 R5 R6 R6 R6 R7 R7 R7 R8 R8 R8 R8 B3 B5", 30},
		{"more than four new groups of a number", "B4 O4 K4 / B7 J K7 R7",
			"K3 K5 K5 K6 K8 K8 K8 K8 R6 R8 R8 R8 R8 B6 B8 B8 B8 B8 O8 O8 O8 O8", 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := solve.Position{Rules: solve.Rules{WithRackTile: true, JokerPoints: c.joker},
				Table: layout(t, c.table), Rack: rackOf(t, c.rack)}
			if _, slowly := solve.BestWithin(1024, 4, p, solve.Question{}); !slowly {
				t.Error("the position is within the limits")
			}
			for _, q := range []solve.Question{{}, {Aim: solve.MostValue}} {
				play := solve.Best(p, q)
				if fault := playFault(p, play); fault != "" || play.Tiles != p.Rack.Total() || !play.Proven {
					t.Errorf("%d tiles of %d, proven %v: %s: %s", play.Tiles, p.Rack.Total(), play.Proven,
						layoutText(play.Table), fault)
				}
			}
			play := solve.Best(p, solve.Question{Keep: true, Limit: 2_000})
			if fault := playFault(p, play); fault != "" || play.Tiles != p.Rack.Total() || !play.Proven {
				t.Errorf("keeping sets: %d tiles, proven %v: %s", play.Tiles, play.Proven, fault)
			}
			if can, proven := solve.CanPlay(p, 2_000); !can || !proven {
				t.Errorf("can play %v, proven %v", can, proven)
			}
			if play := solve.Best(p, solve.Question{Limit: 40}); play.Proven || playFault(p, play) != "" {
				t.Errorf("stopped at the limit: %d tiles, proven %v: %s", play.Tiles, play.Proven, playFault(p, play))
			}
		})
	}
}
