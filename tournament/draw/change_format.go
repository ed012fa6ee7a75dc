package draw

import (
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/ranking"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// ChangeFormat changes a tournament's own copy of its format. What has been played cannot change. Once a round exists,
// the scoring and the rules are fixed. In a stage that has begun, only the names, the times, the seating and the number
// of rounds can change, and the number of rounds cannot fall below those drawn. A draft must be discarded first.
type ChangeFormat struct {
	Tournament int64         `json:"tournament"`
	Format     format.Format `json:"format"`
	Why        string        `json:"why,omitempty"`
}

var _ = action.NewKind[ChangeFormat](action.Kind{Name: "tournament.format", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSettings, action.TopicSeats}, Details: action.Keep[tournament.FormatStep]})

func (c ChangeFormat) Do(tx *action.Tx) (t tournament.Tournament, err error) {
	c.Format.Name = spelling.Clean(c.Format.Name)
	f, err := tournament.AsStored(c.Format)
	if err != nil {
		return t, err
	}
	if t, err = tournament.FindTournament(tx.DB, c.Tournament); err != nil {
		return t, err
	}
	old, rules, err := t.Plan()
	if err != nil {
		return t, err
	}
	f.Version = old.Version + 1
	rounds, err := tournament.CheckBegun(tx.DB, t, old, f)
	if err != nil {
		return t, err
	}
	if rounds == 0 {
		if rules, err = preset.WithRules(rules, tournament.NewRules(old.Rules, f.Rules)); err != nil {
			return t, err
		}
	}
	if err := tournament.CheckRules(f, rules); err != nil {
		return t, err
	}
	tx.Record(action.Entry{Event: c.Tournament, On: t.About(), Is: tournament.FormatStep{Was: &old, Is: &f},
		Why: spelling.Clean(c.Why)})
	if err := t.Follow(tx.DB, f, rules); err != nil || rounds == 0 {
		return t, err
	}
	return t, ranking.PromiseLot(tx, t.ID)
}
