package templates

import (
	"testing"

	"meldhall/engine"
)

// TestPointsSign: who is charged 35 points has not gained them.
func TestPointsSign(t *testing.T) {
	result := func(points ...int) Game {
		g := Game{Corrected: &Result{}}
		for _, p := range points {
			g.View.Seats = append(g.View.Seats, engine.SeatView{})
			g.Corrected.Lines = append(g.Corrected.Lines, ResultLine{Points: engine.Whole(p)})
		}
		return g
	}
	for _, tc := range []struct {
		points []int
		want   string
	}{
		{[]int{0, 35, 12}, "35"},
		{[]int{-47, 35, 12}, "+35"},
		{[]int{118, 35, -16}, "+35"},
	} {
		g := result(tc.points...)
		if got := pointsText(t.Context(), g.line(1).Points, g.charged()); got != tc.want {
			t.Errorf("%v: got %s, want %s", tc.points, got, tc.want)
		}
	}
	if rows := []RankRow{{Total: engine.Whole(12)}, {Total: engine.Whole(35)}}; !chargedRows(rows) {
		t.Error("the lowest total leads, and it is not seen")
	}
	if rows := []RankRow{{Total: engine.Whole(35)}, {Total: engine.Whole(12)}}; chargedRows(rows) {
		t.Error("the highest total leads, and it is not seen")
	}
}
