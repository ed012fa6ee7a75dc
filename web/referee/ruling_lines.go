package referee

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/game/record"
	"meldhall/tournament/result"
	"meldhall/web/rulingform"
	"meldhall/web/view"
)

// turnsPreviewed is how many of the turns that a ruling takes back its preview describes: on a phone, its keys stay in
// sight.
const turnsPreviewed = 2

// addRulings adds the rulings in a game to its sheet, newest first: those in its log, and the points and
// disqualifications that count apart from it. A ruling that went back, or cancelled another one, says what it took
// back.
func (s *views) addRulings(ctx context.Context, v *referee.RulingView, turns []record.PublicTurn) error {
	taken := takenBack(turns, v.Game.View.Rulings)
	for _, r := range v.Game.View.Rulings {
		line := newRulingLine(ctx, v.Game, r)
		switch {
		case r.To > 0:
			line.Text = rewoundWords(ctx, v.Game, r, taken[r.Seq])
		case r.Of > 0:
			of := slices.IndexFunc(v.Game.View.Rulings, func(o engine.Ruling) bool { return o.Seq == r.Of })
			if of >= 0 {
				line.Text = play.WithReason(ctx, locale.T(ctx, "sheet.cancelled", "ruling",
					locale.Isolate(newRulingLine(ctx, v.Game, v.Game.View.Rulings[of]).Text)), r.Reason)
			}
		}
		v.Rulings = append(v.Rulings, line)
	}
	apart, err := result.PenaltiesIn(ctx, s.View.Store, v.Game.ID)
	if err != nil {
		return err
	}
	for _, one := range apart {
		row := view.NewPenaltyRow(ctx, one)
		v.Rulings = append(v.Rulings, referee.RulingLine{At: one.At, Text: row.Sentence(ctx), By: row.By,
			Rule: one.Rule, Cancelled: one.Cancelled != nil})
	}
	slices.SortStableFunc(v.Rulings, func(a, b referee.RulingLine) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(b.Seq, a.Seq))
	})
	return nil
}

// takenBack returns the turns that each ruling took back, by the ruling's seq.
func takenBack(turns []record.PublicTurn, rulings []engine.Ruling) map[int][]record.PublicTurn {
	taken, gone := map[int][]record.PublicTurn{}, map[int]bool{}
	for _, r := range rulings {
		for _, t := range turns {
			if r.To > 0 && t.Turn >= r.To && t.Seq < r.Seq && !gone[t.Seq] {
				taken[r.Seq], gone[t.Seq] = append(taken[r.Seq], t), true
			}
		}
	}
	return taken
}

// turnsFrom returns the turns that a ruling would take back, from its own turn on. It returns nil if the ruling goes
// back to no turn.
func (s *views) turnsFrom(ctx context.Context, g rulingform.Form, game play.Game) ([]record.PublicTurn, error) {
	turn, err := g.Number("turn")
	if _, has := g.Kind.Field("turn"); !has || err != nil || g.Kind.Name == "skip" ||
		g.Kind.Name == "illegal" && g.Get("late") != "1" {
		return nil, nil // a wrong number is refused with the ruling
	}
	turns, err := s.View.Records.Turns(ctx, game.ID)
	would := engine.Ruling{Seq: math.MaxInt, To: turn}
	return takenBack(turns, append(slices.Clone(game.View.Rulings), would))[would.Seq], err
}

func rewoundWords(ctx context.Context, g play.Game, r engine.Ruling, back []record.PublicTurn) string {
	if len(back) == 0 {
		return g.RuledWords(ctx, r)
	}
	text := locale.T(ctx, "sheet.rewound", "number", back[0].Number) + " " + locale.T(ctx, "sheet.taken_back", "turns",
		strings.Join(turnWords(ctx, g, back, turnsBack), " "))
	return play.WithReason(ctx, text, r.Reason)
}

// turnWords describes the first turns of a list.
func turnWords(ctx context.Context, g play.Game, turns []record.PublicTurn, most int) (words []string) {
	for _, t := range turns[:min(len(turns), most)] {
		words = append(words, locale.T(ctx, "sheet.turn_was", "number", t.Number, "text",
			locale.Isolate(changeWords(ctx, g, t))))
	}
	if more := len(turns) - len(words); more > 0 {
		words = append(words, locale.T(ctx, "sheet.turns_more", "n", more))
	}
	return words
}
