package templates

import (
	"bytes"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
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
	g := Game{Charged: charged, View: engine.View{Result: &engine.ResultView{Why: ruleset.EndedEmptied}}}
	result := Result{Charged: charged, Rev: 1, Status: "provisional"}
	correction := CorrectionView{Charged: charged}
	var rows []RankRow
	for i, n := range points {
		whole[i] = score.Whole(n)
		g.Seats = append(g.Seats, Person{Name: "Anna"})
		g.View.Seats = append(g.View.Seats, engine.SeatView{Tiles: 100})
		line := ResultLine{Name: "Anna", Points: whole[i]}
		result.Lines = append(result.Lines, line)
		correction.Lines = append(correction.Lines, CorrectedLine{Before: ResultLine{}, After: line})
		correction.Moves = append(correction.Moves, StandingMove{Name: "Anna",
			Before: Standing{Place: "2", Charged: charged}, After: Standing{Place: "1", Points: whole[i],
				Charged: charged}})
		rows = append(rows, RankRow{Rank: "1", Name: "Anna", Total: whole[i], Points: whole[i], Charged: charged})
	}
	g.View.Result.Points, g.View.Result.Wins, g.View.Result.Charges = whole, make([]score.Twelfth, len(points)),
		make([]score.Charge, len(points))
	p := ProtocolView{P: Protocol{EndText: "Over.", Rules: ruleset.Ruleset{Points: ruleset.PlusMinus},
		Players: []ProtocolPlayer{{Name: "Anna"}, {Name: "Anna"}, {Name: "Anna"}}}}
	if charged {
		p.P.Rules.Points = ruleset.Penalty
	}
	counted := p
	counted.P.Revisions = []ProtocolResult{{Rev: 1, Points: whole, Wins: make([]score.Twelfth, len(points))}}
	for seat := range points {
		p.P.Count = append(p.P.Count, ProtocolSeat{Seat: seat, Points: whole[seat]})
	}
	return map[string]templ.Component{
		"count": countedRacks(g), "scores": Scores(g), "display": displayResult(DisplayView{Game: g}),
		"sheet":   SheetPoints(g, whole),
		"results": ResultsPage(ResultsView{Games: []ResultRow{{Result: result}}}), "result": resultTable(result),
		"correction": CorrectionPage(CorrectionView{Charged: charged, Lines: correction.Lines}),
		"moves":      CorrectionPage(CorrectionView{Moves: correction.Moves}),
		"protocol":   protocolEnd(p), "protocol's results": protocolEnd(counted),
		"standings": rankTable(rows, rankColumns{}),
	}
}

// TestTheProtocolNamesItsRules checks that the protocol names the rules, and their edition only from the second one on.
func TestTheProtocolNamesItsRules(t *testing.T) {
	ctx := WithLanguage(t.Context(), "en")
	for version, want := range map[int]string{1: "WRC", 2: "WRC, edition 2"} {
		v := ProtocolView{P: Protocol{Rules: ruleset.Ruleset{Version: version}, RulesName: "WRC"}}
		if got := v.P.RulesWords(ctx); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
