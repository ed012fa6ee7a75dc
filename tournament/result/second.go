package result

import (
	"encoding/json"
	"fmt"
	"slices"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// CorrectedResult is a kind of penalty that stands for a correction of a confirmed result. Like a disqualification it
// waits for a second official, but it has no player.
const CorrectedResult = "correction"

// SetSecondOver sets how many points a confirmed result may change for a player before a second official must confirm
// the correction; 0 means never.
type SetSecondOver struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
	Points     int   `json:"points" minimum:"0" doc:"0: never"`
}

var _ = action.NewKind[SetSecondOver](action.Kind{Name: "result.second_over", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[action.Value]})

func (s SetSecondOver) Do(tx *action.Tx) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(tx.DB, s.Tournament)
	if err != nil || t.SecondOver == s.Points {
		return t, err
	}
	if s.Points < 0 || s.Points > PointsMost {
		return t, refuse.Invalid("err_correction_weight", "points", s.Points, "most", PointsMost)
	}
	tx.Record(action.Entry{Event: t.ID, On: t.About(), Is: action.Value{Was: fmt.Sprint(t.SecondOver),
		Is: fmt.Sprint(s.Points)}})
	t.SecondOver = s.Points
	return t, tx.Model(&t).Update("second_over", s.Points).Error
}

// heavier reports whether a correction needs a second official, compared with the newest result and with the first
// confirmed one. The latter prevents a series of small corrections.
func (r revising) heavier(is game.Result, over int) bool {
	first := slices.IndexFunc(r.results, game.Result.Confirmed)
	return heavierThan(r.latest, is, over) || first >= 0 && heavierThan(r.results[first], is, over)
}

// heavierThan reports whether a result changes by more than over points for a player, or changes the wins. It is false
// if over is 0.
func heavierThan(was, is game.Result, over int) bool {
	if over == 0 {
		return false
	}
	for i, l := range is.Lines {
		if d := l.Points - was.Lines[i].Points; max(d, -d) > score.Whole(over) || l.Wins != was.Lines[i].Wins {
			return true
		}
	}
	return false
}

// correctionKind is the kind of the records of proposed corrections.
var correctionKind = action.RecordKind(action.Kind{Name: "result.propose",
	Changes: []action.What{action.TopicStandings}, Details: action.Keep[revision]})

// propose stores the correction until a second official confirms it. A result can have only one at a time.
func (c correcting) propose(tx *action.Tx, r revising, is game.Result) error {
	all, err := recordedPenalties(tx.Where("game_id = ? AND kind = ?", c.Game, CorrectedResult))
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.State() == PenaltyProposed {
			return refuse.Conflict("err_correction_waits", "by", tournament.NameOf(other.Actor))
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	p := Penalty{TournamentID: r.game.TournamentID, GameID: &r.game.ID, Kind: CorrectedResult, Reason: c.Why,
		CorrectionJSON: string(text)}
	p.Actor, p.AccountID, p.At = tx.Actor.String(), accountOf(tx.Actor), tx.Now()
	p.Round = r.game.On.Round
	if err := tx.Create(&p).Error; err != nil {
		return err
	}
	is.Rev, is.Status = c.Rev+1, PenaltyProposed
	tx.Record(action.Entry{Kind: correctionKind, Event: p.TournamentID, On: r.game.On, Why: c.Why,
		Is: revision{Was: toldOf(r.latest, r.game.Names), Is: toldOf(is, r.game.Names)}, Topics: r.game.Topics()})
	return nil
}

// enter applies a correction that a second official has confirmed, and sets Corrected to its effect.
func (p *Penalty) enter(tx *action.Tx) error {
	var c correcting
	if err := json.Unmarshal([]byte(p.CorrectionJSON), &c); err != nil {
		return fmt.Errorf("correction %d: %w", p.ID, err)
	}
	e, err := c.do(tx, true)
	p.Corrected = &e
	return err
}
