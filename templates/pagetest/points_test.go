package pagetest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/templates/desk"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/templates/screens"
)

// TestPointsSign checks that a charge of 35 points is never shown as a gain, wherever a game's points appear.
func TestPointsSign(t *testing.T) {
	for _, tc := range []struct {
		rules  string
		points []int
		want   string
	}{
		{ruleset.Penalty, []int{0, 35, 12}, "35"},
		{ruleset.Penalty, []int{5, 35, 12}, "35"}, // after a ruling
		{ruleset.Penalty, []int{-10, 35, 12}, "35"},
		{ruleset.PlusMinus, []int{-47, 35, 12}, "+35"},
		{ruleset.PlusMinus, []int{0, 35, 12}, "+35"}, // after a ruling
	} {
		for name, part := range pointsShown(tc.rules == ruleset.Penalty, tc.points) {
			var html bytes.Buffer
			if err := part.Render(t.Context(), &html); err != nil {
				t.Fatal(err)
			}
			text := strings.NewReplacer("<", " ", ">", " ").Replace(html.String())
			if plain, plus := strings.Contains(text, " 35 "), strings.Contains(text, " +35 "); plain == plus ||
				plus != (tc.want == "+35") {
				t.Errorf("%s, %s %v: not %s in %s", name, tc.rules, tc.points, tc.want, text)
			}
		}
	}
}

// pointsShown returns every part of a page that shows the points of a game or their sum.
func pointsShown(charged bool, points []int) map[string]templ.Component {
	whole := make([]score.Twelfth, len(points))
	g := play.Game{Charged: charged, View: engine.View{Result: &engine.ResultView{Why: ruleset.EndedEmptied}}}
	result := play.Result{Charged: charged, Rev: 1, Status: "provisional"}
	correction := desk.CorrectionView{Charged: charged}
	var rows []play.RankRow
	for i, n := range points {
		whole[i] = score.Whole(n)
		g.Seats = append(g.Seats, play.Person{Name: "Anna"})
		g.View.Seats = append(g.View.Seats, engine.SeatView{Tiles: 100})
		line := play.ResultLine{Name: "Anna", Points: whole[i]}
		result.Lines = append(result.Lines, line)
		correction.Lines = append(correction.Lines, desk.CorrectedLine{Before: play.ResultLine{}, After: line})
		correction.Moves = append(correction.Moves, desk.StandingMove{Name: "Anna",
			Before: desk.Standing{Place: "2", Charged: charged}, After: desk.Standing{Place: "1", Points: whole[i],
				Charged: charged}})
		rows = append(rows, play.RankRow{Rank: "1", Name: "Anna", Total: whole[i], Points: whole[i], Charged: charged})
	}
	g.View.Result.Points, g.View.Result.Wins, g.View.Result.Charges = whole, make([]score.Twelfth, len(points)),
		make([]score.Charge, len(points))
	p := referee.ProtocolView{P: referee.Protocol{EndText: "Over.", Rules: ruleset.Ruleset{Points: ruleset.PlusMinus},
		Players: []referee.ProtocolPlayer{{Name: "Anna"}, {Name: "Anna"}, {Name: "Anna"}}}}
	if charged {
		p.P.Rules.Points = ruleset.Penalty
	}
	counted := p
	counted.P.Revisions = []referee.ProtocolResult{{Rev: 1, Points: whole, Wins: make([]score.Twelfth, len(points))}}
	for seat := range points {
		p.P.Count = append(p.P.Count, referee.ProtocolSeat{Seat: seat, Points: whole[seat]})
	}
	return map[string]templ.Component{
		"count": play.CountedRacks(g), "scores": play.Scores(g),
		"display":    screens.DisplayResult(screens.DisplayView{Game: g}),
		"sheet":      referee.SheetPoints(g, whole),
		"results":    desk.ResultsPage(desk.ResultsView{Games: []desk.ResultRow{{Result: result}}}),
		"result":     play.ResultTable(result),
		"correction": desk.CorrectionPage(desk.CorrectionView{Charged: charged, Lines: correction.Lines}),
		"moves":      desk.CorrectionPage(desk.CorrectionView{Moves: correction.Moves}),
		"protocol":   referee.ProtocolEnd(p), "protocol's results": referee.ProtocolEnd(counted),
		"standings": play.RankTable(rows, play.RankColumns{}),
	}
}

// TestTheProtocolNamesItsRules checks that the protocol names the rules, and their edition only from the second one on.
func TestTheProtocolNamesItsRules(t *testing.T) {
	ctx := locale.WithLanguage(t.Context(), "en")
	for version, want := range map[int]string{1: "WRC", 2: "WRC, edition 2"} {
		v := referee.ProtocolView{P: referee.Protocol{Rules: ruleset.Ruleset{Version: version}, RulesName: "WRC"}}
		if got := v.P.RulesWords(ctx); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
