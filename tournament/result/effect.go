package result

import (
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
)

// CorrectionEffect lists the changes that a correction of a result makes or would make, and the rounds that it leaves
// unchanged.
type CorrectionEffect struct {
	Before, After game.Result
	Moves         []StandingMove    // changed wins, points or places, by new place
	Cuts          []ranking.CutMove // changes in who advances or qualifies
	Rounds        []SeatedRound     // drawn since; they do not change
	Unbalanced    *Unbalanced       // nil when the points add up
	Second        bool              // awaits a second official; nothing has changed yet
}

// Unbalanced is a result whose points do not have the sum that the rules require of every game, by a ruling or by
// mistake.
type Unbalanced struct {
	Sum  score.Twelfth `json:"sum"`
	Want score.Twelfth `json:"want"`
}

// unbalancedIn returns the wrong sum, or nil if the points add up.
func unbalancedIn(r game.Result, rules ruleset.Ruleset) *Unbalanced {
	want, fixed := score.Balance(rules, r.Ending)
	var sum score.Twelfth
	for _, l := range r.Lines {
		sum += l.Points
	}
	if !fixed || sum == want {
		return nil
	}
	return &Unbalanced{sum, want}
}

// StandingMove is a player's standing before and after a correction.
type StandingMove struct{ Before, After ranking.StandingsRow }

// Qualifying is the Stage of a CutMove in the list of qualifiers.
const Qualifying = -1

// SeatedRound is a round drawn after the round of the corrected game. Moved counts its players whose place in the order
// it was drawn by would change. It is 0 if the method uses no order (ByPlaces not set).
type SeatedRound struct {
	tournament.Round
	ByPlaces bool
	Moved    int
}

func standingMoves(before, after *ranking.Board) (moves []StandingMove) {
	was := make(map[int64]ranking.StandingsRow, len(before.Rows))
	for _, r := range before.Rows {
		was[r.Player] = before.Row(r)
	}
	for _, r := range after.Rows {
		a, b := was[r.Player], r
		if a.Place != b.Place || a.Wins != b.Wins || a.Total != b.Total || a.Points != b.Points ||
			a.TablePoints != b.TablePoints || a.Games != b.Games {
			moves = append(moves, StandingMove{a, after.Row(r)})
		}
	}
	return moves
}
