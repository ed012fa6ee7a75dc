package pagetest

import (
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/templates/play"
	"meldhall/templates/referee"
)

// TestWhoCouldStillHaveLaid checks that the counted racks come with a proof that all players had to pass, or the names
// of those who could still have laid tiles. Viewers who may not see the racks get neither.
func TestWhoCouldStillHaveLaid(t *testing.T) {
	for _, row := range []struct {
		result         engine.ResultView
		says, saysNone string
	}{
		{engine.ResultView{Proven: true}, "proves it: no player could lay a tile", "could still"},
		{engine.ResultView{Could: []int{0, 2}}, "could still have played: \u2068Anna\u2069, \u2068Carla\u2069.",
			"proves"},
		{engine.ResultView{}, "Everyone passed", "No player can"},
	} {
		g := play.Game{View: engine.View{Result: &row.result}}
		row.result.Why, row.result.Points, row.result.Wins = ruleset.EndedStuck, make([]score.Twelfth, 3),
			[]score.Twelfth{0, 12, 0}
		row.result.Charges = make([]score.Charge, 3)
		for _, name := range []string{"Anna", "Bruno", "Carla"} {
			g.Seats, g.View.Seats = append(g.Seats, play.Person{Name: name}),
				append(g.View.Seats, engine.SeatView{Tiles: 3})
		}
		var page strings.Builder
		if err := play.CountedRacks(g).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		text := page.String() + referee.EndWords(t.Context(), g)
		if strings.Count(text, row.says) == 0 || strings.Contains(text, row.saysNone) {
			t.Errorf("%+v: %s", row.result, text)
		}
	}
}
