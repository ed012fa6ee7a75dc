package tournament

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// StageRounds is a change of how many rounds a stage has.
type StageRounds struct {
	Stage   int `json:"-"`
	Before  int `json:"before"`
	After   int `json:"after"`
	Drawn   int `json:"drawn" doc:"rounds that are there, a draft among them"`
	Planned int `json:"planned" doc:"rounds to come whose seats are planned"`
	Slots   int `json:"slots" doc:"rounds that the plan of the day has"` // 0 without a plan
	All     int `json:"all" doc:"rounds that the event has then"`
}

// SetStageRounds gives the stage that is played, or one to come, another number of rounds: not fewer than are there. What
// was drawn stays as it is; a draft of the stage may be there. A stage that has them all by now is over.
type SetStageRounds struct {
	Tournament int64  `json:"tournament"`
	Stage      int    `json:"stage"` // from 0
	Rounds     int    `json:"rounds"`
	Why        string `json:"why,omitempty"`
}

var _ = door.NewKind[SetStageRounds](door.Kind{Name: "tournament.rounds", Right: rights.MayEditFormats,
	Changes: []door.What{door.TopicSettings, door.TopicSeats}, Details: door.Keep[formatStep]})

func (r SetStageRounds) Do(tx *door.Tx) (made StageRounds, err error) {
	why := spelling.Clean(r.Why)
	if len([]rune(why)) > door.ReasonMost {
		return made, refuse.Invalid("err_why_missing", "most", door.ReasonMost)
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
	tx.Record(door.Entry{Event: r.Tournament, On: t.about(), Is: formatStep{&was, &f}, Why: why})
	if made.Drawn == 0 {
		return made, nil
	}
	return made, finishTournament(tx, r.Tournament) // nobody else notices that the last stage has had its rounds
}

// stageRounds finds what a change would be, or why it may not be.
func stageRounds(db *gorm.DB, event int64, stage, rounds int) (t Tournament, made StageRounds, err error) {
	if t, err = FindTournament(db, event); err != nil {
		return t, made, err
	}
	if t.Status == StatusFinished {
		return t, made, refuse.Conflict("err_tournament_finished")
	}
	f, err := t.Format()
	if err != nil {
		return t, made, err
	}
	if stage < 0 || stage >= len(f.Stages) {
		return t, made, refuse.NotFound("err_stage_not_found", "stage", stage+1)
	}
	var all []Round
	if err := db.Where("tournament_id = ?", event).Order("number").Find(&all).Error; err != nil {
		return t, made, err
	}
	made = StageRounds{Stage: stage, Before: f.Stages[stage].Rounds, After: rounds}
	for _, r := range all {
		if r.Stage == stage && r.PlayOff == 0 {
			made.Drawn++
			made.Planned = len(r.plan())
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
		return t, made, refuse.Conflict("err_stage_rounds", "stage", f.Stages[stage].Name, "rounds", rounds, "drawn", made.Drawn)
	}
	return t, made, db.Raw(`SELECT count(*) FROM slots WHERE tournament_id = ? AND round <> 0`, event).Scan(&made.Slots).Error
}

// Reopening is how an event that was over goes on. Stage, from 0, gets one more round where all were played: Rounds are those it
// has then, 0 where the format has some left.
type Reopening struct{ Stage, Rounds int }

// Reopen lets an event go on that is over: it ends again when its rounds are played, or the stage gets the rounds that it had.
type Reopen struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = door.NewKind[Reopen](door.Kind{Name: "tournament.reopen", Right: rights.MayEditFormats,
	Changes: []door.What{door.TopicSeats, door.TopicStandings, door.TopicSettings}, Details: func() door.Details { return &goesOn{Step: door.Step{Prefix: "status."}} }})

// goesOn is what a record keeps of an event that was opened again. Rounds are those that its last stage has now, 0 where that
// is not new.
type goesOn struct {
	door.Step
	Rounds int `json:"rounds,omitempty"`
}

// After tells the status, and the new number of rounds.
func (g goesOn) After() []door.Phrase {
	all := g.Step.After()
	if g.Rounds > 0 {
		all = append(all, door.Say("log.is.rounds", "n", g.Rounds))
	}
	return all
}

func (r Reopen) Do(tx *door.Tx) (made Reopening, err error) {
	why := spelling.Clean(r.Why)
	if len([]rune(why)) > door.ReasonMost {
		return made, refuse.Invalid("err_why_missing", "most", door.ReasonMost)
	}
	t, err := FindTournament(tx.DB, r.Tournament)
	if err != nil {
		return made, err
	}
	if t.Status != StatusFinished || t.Practice != "" || t.Rehearses != 0 {
		return made, refuse.Conflict("err_reopen_not_over")
	}
	if made, err = reopened(tx.DB, &t); err != nil {
		return made, err
	}
	tx.Record(door.Entry{Event: r.Tournament, On: t.about(), Is: goesOn{door.Step{Was: StatusFinished, Is: StatusRunning}, made.Rounds}, Why: why})
	return made, nil
}

// reopened sets an event going on, with a round more where it has none left. What is over by a total or by wins is not: that
// result is to be corrected first.
func reopened(tx *gorm.DB, t *Tournament) (made Reopening, err error) {
	f, rules, err := t.Plan()
	if err != nil {
		return made, err
	}
	t.Status = StatusRunning
	if err := tx.Model(t).Update("status", t.Status).Error; err != nil {
		return made, err
	}
	ended := func() (bool, error) {
		board, err := loadBoard(tx, t.ID)
		if err != nil {
			return false, err
		}
		over, err := board.over(tx)
		return over || board.totalReached(rules), err
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
