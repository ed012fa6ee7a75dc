package tournament

import (
	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/spelling"
)

// Correction is a result as an official rules it. Lines holds every seat once; Why is for the record.
type Correction struct {
	Ending string
	Lines  []game.ResultLine
	Why    string
}

// Limits of a correction, so that a typing mistake is caught: characters, and points of one game.
const (
	whyMost    = 500
	pointsMost = 100_000
)

// check holds a correction against the result it corrects: the same seats, one win shared by somebody,
// or nothing for anybody when the game is annulled.
func (c Correction) check(before game.Result) (Correction, error) {
	c.Why = spelling.Clean(c.Why)
	if err := checkWhy(c.Why); err != nil {
		return c, err
	}
	if c.Ending == "" {
		c.Ending = before.Ending
	}
	if len(c.Lines) != len(before.Lines) {
		return c, refuse.Invalid("err_result_seats", "have", len(c.Lines), "want", len(before.Lines))
	}
	var wins engine.Twelfth
	for i := range c.Lines {
		l, was := &c.Lines[i], before.Lines[i]
		if l.Seat != was.Seat || l.PlayerID != 0 && l.PlayerID != was.PlayerID {
			return c, refuse.Invalid("err_result_seats", "have", len(c.Lines), "want", len(before.Lines))
		}
		l.PlayerID = was.PlayerID
		if l.Points > engine.Whole(pointsMost) || l.Points < -engine.Whole(pointsMost) || l.Charge < 0 || l.Charge > pointsMost {
			return c, refuse.Invalid("err_result_points", "seat", l.Seat+1, "most", pointsMost)
		}
		if l.Wins < 0 || c.Ending == game.EndingAnnulled && (l.Wins != 0 || l.Points != 0) {
			return c, refuse.Invalid("err_result_annulled", "seat", l.Seat+1)
		}
		wins += l.Wins
	}
	if c.Ending != game.EndingAnnulled && wins != engine.Whole(1) {
		return c, refuse.Invalid("err_result_wins", "wins", wins)
	}
	return c, nil
}
