package engine

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/judge"
	"meldhall/engine/score"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// positions deals a table of sets and a rack from one shuffled pool.
func positions(c chooser) (table [][]tile.Face, rack []tile.Face) {
	order := tile.FacesOf(randomOrder(c))
	left := tile.CountFaces(order[:c.pick(50, "table")])
	for {
		sets := rackSets(left)
		if len(sets) == 0 {
			break
		}
		set := sets[c.pick(len(sets), "set")]
		table, left = append(table, set), left.Minus(tile.CountFaces(set))
	}
	return table, order[50 : 50+c.pick(16, "rack")]
}

func TestBestPlayIsLegalUnderAllRules(t *testing.T) {
	known, laid := allPresets(t), map[bool]int{}
	one := func(t *rapid.T, c drawn) {
		r := randomRules(c, known)
		m := judge.Move{Opened: chance(c, 60, "opened"), Relief: chance(c, 50, "relief")}
		m.Before, m.Rack = positions(c)
		q := solve.Question{Aim: oneOf(c, "aim", solve.MostTiles, solve.MostValue), Keep: chance(c, 50, "keep")}
		play := judge.BestPlay(r, m, q)
		if can, proven := judge.CanMove(r, m, 0); !play.Proven || !proven || can != (play.Tiles > 0) {
			t.Fatalf("can move: %v, proven %v, but %+v", can, proven, play)
		}
		if play.Tiles == 0 {
			if !slices.EqualFunc(play.Table, m.Before, slices.Equal) || play.Value != 0 || play.Played.Total() != 0 {
				t.Fatalf("nothing is laid, yet %+v", play)
			}
			return
		}
		laid[m.Opened]++
		m.After = play.Table
		if v := judge.Judge(r, m); !v.Legal || tile.CountFaces(v.Played) != play.Played {
			t.Fatalf("%+v is judged %+v", play, v)
		}
		if play.Tiles != play.Played.Total() || play.Value != score.RackCharge(r, play.Played.List()) {
			t.Fatalf("%+v", play)
		}
		if !m.Opened && (play.Kept != len(m.Before) || !slices.EqualFunc(play.Table[:play.Kept], m.Before,
			slices.Equal)) {
			t.Fatalf("an opening keeps the table: %+v", play)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 8 {
			one(t, drawn{t})
		}
	})
	if laid[true] == 0 || laid[false] == 0 {
		t.Errorf("tiles were laid by so many who have opened and who have not: %v", laid)
	}
}
