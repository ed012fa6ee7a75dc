package tournament

import (
	"encoding/json"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// CorrectedResult is the kind of penalty that is none: the correction of a confirmed result that waits for a second official, as a
// disqualification does, and of no player.
const CorrectedResult = "correction"

// SetSecondOver says by how many points a confirmed result may change for somebody before a second official has to confirm that; 0:
// none ever has to.
type SetSecondOver struct {
	Tournament int64 `json:"tournament,omitempty" path:"id" minimum:"1"`
	Points     int   `json:"points" minimum:"0" doc:"0: never"`
}

var _ = door.NewKind[SetSecondOver](door.Kind{Name: "result.second_over", Right: rights.MayEditFormats, Changes: []door.What{door.TopicSettings},
	Details: door.Keep[door.Value]})

func (s SetSecondOver) Do(tx *door.Tx) (Tournament, error) {
	t, err := FindTournament(tx.DB, s.Tournament)
	if err != nil || t.SecondOver == s.Points {
		return t, err
	}
	if s.Points < 0 || s.Points > pointsMost {
		return t, refuse.Invalid("err_correction_weight", "points", s.Points, "most", pointsMost)
	}
	tx.Record(door.Entry{Event: t.ID, On: t.about(), Is: door.Value{Was: fmt.Sprint(t.SecondOver), Is: fmt.Sprint(s.Points)}})
	t.SecondOver = s.Points
	return t, tx.Model(&t).Update("second_over", s.Points).Error
}

// heavier tells whether a correction is too heavy for one official: beside the newest result and, so that many light ones make no heavy
// one, beside the one that was confirmed first.
func (r revising) heavier(is game.Result, over int) bool {
	first := slices.IndexFunc(r.results, game.Result.Confirmed)
	return heavierThan(r.latest, is, over) || first >= 0 && heavierThan(r.results[first], is, over)
}

// heavierThan tells whether a result changes by more than some points for somebody, or in who has won; 0: nothing is too heavy.
func heavierThan(was, is game.Result, over int) bool {
	if over == 0 {
		return false
	}
	for i, l := range is.Lines {
		if d := l.Points - was.Lines[i].Points; max(d, -d) > engine.Whole(over) || l.Wins != was.Lines[i].Wins {
			return true
		}
	}
	return false
}

// correctionKind is the record of a correction that waits.
var correctionKind = door.RecordKind(door.Kind{Name: "result.propose", Changes: []door.What{door.TopicStandings}, Details: door.Keep[revision]})

// propose keeps the correction until a second official has confirmed it. A result waits for one at a time.
func (c correcting) propose(tx *door.Tx, r revising, is game.Result) error {
	all, err := recordedPenalties(tx.Where("game_id = ? AND kind = ?", c.Game, CorrectedResult))
	if err != nil {
		return err
	}
	for _, other := range all {
		if other.State() == PenaltyProposed {
			return refuse.Conflict("err_correction_waits", "by", nameOf(other.Actor))
		}
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	p := Penalty{TournamentID: r.game.TournamentID, GameID: &r.game.ID, Kind: CorrectedResult, Reason: c.Why, CorrectionJSON: string(text)}
	p.Actor, p.AccountID, p.At = tx.Actor.String(), accountOf(tx.Actor), tx.Now()
	p.Round = r.game.on.Round
	if err := tx.Create(&p).Error; err != nil {
		return err
	}
	is.Rev, is.Status = c.Rev+1, PenaltyProposed
	tx.Record(door.Entry{Kind: correctionKind, Event: p.TournamentID, On: r.game.on, Why: c.Why,
		Is: revision{Was: toldOf(r.latest, r.game.names), Is: toldOf(is, r.game.names)}, Topics: r.game.topics()})
	return nil
}

// enter enters a correction that a second official has confirmed.
func (p *Penalty) enter(tx *door.Tx) error {
	var c correcting
	if err := json.Unmarshal([]byte(p.CorrectionJSON), &c); err != nil {
		return fmt.Errorf("correction %d: %w", p.ID, err)
	}
	e, err := c.do(tx, true)
	p.Corrected = &e
	return err
}
