package draw

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/preset"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// StageRounds is a change to the number of rounds of a stage.
type StageRounds struct {
	Stage   int `json:"-"`
	Before  int `json:"before"`
	After   int `json:"after"`
	Drawn   int `json:"drawn" doc:"rounds drawn so far, including a draft"`
	Planned int `json:"planned" doc:"later rounds with planned seats"`
	Slots   int `json:"slots" doc:"rounds in the day's schedule"` // 0 without a schedule
	All     int `json:"all" doc:"the event's new number of rounds"`
}

// SetStageRounds changes the number of rounds of the current or a later stage. The new number must not be below the
// number of existing rounds. Drawn rounds do not change, and a draft does not prevent the change. A stage that then has
// all its rounds is over.
type SetStageRounds struct {
	Tournament int64  `json:"tournament"`
	Stage      int    `json:"stage"` // from 0
	Rounds     int    `json:"rounds"`
	Why        string `json:"why,omitempty"`
}

var _ = action.NewKind[SetStageRounds](action.Kind{Name: "tournament.rounds", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSettings, action.TopicSeats}, Details: action.Keep[tournament.FormatStep]})

func (r SetStageRounds) Do(tx *action.Tx) (made StageRounds, err error) {
	why := spelling.Clean(r.Why)
	if len([]rune(why)) > action.ReasonMost {
		return made, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	t, made, err := stageRounds(tx.DB, r.Tournament, r.Stage, r.Rounds)
	if err != nil || made.Before == made.After {
		return made, err
	}
	f, rules, err := t.Plan()
	if err != nil {
		return made, err
	}
	was := f
	f.Stages = slices.Clone(f.Stages)
	f.Version++
	f.Stages[r.Stage].Rounds = r.Rounds
	if err := t.Follow(tx.DB, f, rules); err != nil {
		return made, err
	}
	tx.Record(action.Entry{Event: r.Tournament, On: t.About(), Is: tournament.FormatStep{Was: &was, Is: &f}, Why: why})
	if made.Drawn == 0 {
		return made, nil
	}
	return made, ranking.FinishTournament(tx, r.Tournament) // nothing else detects the end of the last stage
}

// stageRounds returns the effect of the change, or an error if it is not allowed.
func stageRounds(db *gorm.DB, tournamentID int64, stage, rounds int) (t tournament.Tournament, made StageRounds,
	err error) {
	if t, err = tournament.FindTournament(db, tournamentID); err != nil {
		return t, made, err
	}
	if t.Status == tournament.StatusFinished {
		return t, made, refuse.Conflict("err_tournament_finished")
	}
	f, err := t.Format()
	if err != nil {
		return t, made, err
	}
	if stage < 0 || stage >= len(f.Stages) {
		return t, made, refuse.NotFound("err_stage_not_found", "stage", stage+1)
	}
	var all []tournament.Round
	if err := db.Where("tournament_id = ?", tournamentID).Order("number").Find(&all).Error; err != nil {
		return t, made, err
	}
	made = StageRounds{Stage: stage, Before: f.Stages[stage].Rounds, After: rounds}
	for _, r := range all {
		if r.Stage == stage && r.PlayOff == 0 {
			made.Drawn++
			made.Planned = len(r.PlannedRounds())
		}
	}
	f.Stages[stage].Rounds = rounds
	if err := f.Validate(); err != nil {
		return t, made, preset.AsRefusal(err)
	}
	for _, one := range f.Stages {
		made.All += one.Rounds
	}
	if n := len(all); n > 0 && stage < all[n-1].Stage || rounds < made.Drawn {
		return t, made, refuse.Conflict("err_stage_rounds", "stage", f.Stages[stage].Name, "rounds", rounds, "drawn",
			made.Drawn)
	}
	return t, made, db.Raw(`SELECT count(*) FROM slots WHERE tournament_id = ? AND round <> 0`,
		tournamentID).Scan(&made.Slots).Error
}

// Reopening is how a finished tournament continues. If all rounds were played, Stage (from 0) gets one more, and Rounds
// is its new number. Rounds is 0 if the format has rounds left.
type Reopening struct{ Stage, Rounds int }

// Reopen continues a finished tournament. It ends again when its rounds are played, or when the stage's number of
// rounds is set back.
type Reopen struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = action.NewKind[Reopen](action.Kind{Name: "tournament.reopen", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSeats, action.TopicStandings, action.TopicSettings},
	Details: func() action.Details { return &goesOn{Step: action.Step{Prefix: "status."}} }})

// goesOn is the audit record of a reopened tournament. Rounds is the new number of rounds of the last stage, 0 if
// unchanged.
type goesOn struct {
	action.Step
	Rounds int `json:"rounds,omitempty"`
}

// After describes the status and the new number of rounds.
func (g goesOn) After() []action.Phrase {
	all := g.Step.After()
	if g.Rounds > 0 {
		all = append(all, action.Say("log.is.rounds", "n", g.Rounds))
	}
	return all
}

func (r Reopen) Do(tx *action.Tx) (made Reopening, err error) {
	why := spelling.Clean(r.Why)
	if len([]rune(why)) > action.ReasonMost {
		return made, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	t, err := tournament.FindTournament(tx.DB, r.Tournament)
	if err != nil {
		return made, err
	}
	if t.Status != tournament.StatusFinished || t.Practice != "" || t.Rehearses != 0 {
		return made, refuse.Conflict("err_reopen_not_over")
	}
	if made, err = reopened(tx.DB, &t); err != nil {
		return made, err
	}
	tx.Record(action.Entry{Event: r.Tournament, On: t.About(),
		Is: goesOn{action.Step{Was: tournament.StatusFinished, Is: tournament.StatusRunning}, made.Rounds}, Why: why})
	return made, nil
}

// reopened continues a tournament, with one more round if none is left. It refuses if a total or wins ended the
// tournament: that result must be corrected first.
func reopened(tx *gorm.DB, t *tournament.Tournament) (made Reopening, err error) {
	f, rules, err := t.Plan()
	if err != nil {
		return made, err
	}
	t.Status = tournament.StatusRunning
	if err := tx.Model(t).Update("status", t.Status).Error; err != nil {
		return made, err
	}
	ended := func() (bool, error) {
		board, err := ranking.LoadBoard(tx, t.ID)
		if err != nil {
			return false, err
		}
		over, err := board.Over(tx)
		return over || board.TotalReached(rules), err
	}
	if over, err := ended(); err != nil || !over {
		return made, err
	}
	made.Stage = len(f.Stages) - 1
	f.Stages[made.Stage].Rounds++
	f.Version++
	made.Rounds = f.Stages[made.Stage].Rounds
	if err := f.Validate(); err != nil {
		return made, preset.AsRefusal(err)
	}
	if err := t.Follow(tx, f, rules); err != nil {
		return made, err
	}
	if over, err := ended(); err != nil {
		return made, err
	} else if over {
		return made, refuse.Conflict("err_reopen_by_rules")
	}
	return made, nil
}
