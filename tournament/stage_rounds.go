package tournament

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// StageRounds is a change of how many rounds a stage has.
type StageRounds struct {
	Stage         int
	Before, After int
	Drawn         int // rounds that are there already, a draft among them
	Planned       int // rounds to come whose seats are planned already
	Slots, All    int // rounds that the plan of the day has, 0 without a plan, and that the event will have
}

// SetStageRounds gives the stage that is played, or one to come, another number of rounds: not fewer than are there. What
// was drawn stays as it is; a draft of the stage may be there. A stage that has them all by now is over.
type SetStageRounds struct {
	Tournament int64  `json:"tournament"`
	Stage      int    `json:"stage"` // from 0
	Rounds     int    `json:"rounds"`
	Why        string `json:"why,omitempty"`
}

var stageRoundsKind = door.NewKind[SetStageRounds, StageRounds](door.Kind{Name: "tournament.rounds", Right: rights.MayEditFormats,
	Changes: []door.What{door.TopicSettings, door.TopicSeats}, Details: func() door.Details { return &formatStep{} }})

func (SetStageRounds) Kind() *door.Kind { return stageRoundsKind }

func (r SetStageRounds) Do(tx *door.Tx) (made StageRounds, err error) {
	why := spelling.Clean(r.Why)
	if len([]rune(why)) > whyMost {
		return made, refuse.Invalid("err_why_missing", "most", whyMost)
	}
	t, made, err := stageRounds(tx.DB, r.Tournament, r.Stage, r.Rounds)
	if err != nil || made.Before == made.After {
		return made, err
	}
	f, err := t.Format()
	if err != nil {
		return made, err
	}
	rules, err := t.Rules()
	if err != nil {
		return made, err
	}
	was := f
	f.Stages = slices.Clone(f.Stages)
	f.Version++
	f.Stages[r.Stage].Rounds = r.Rounds
	if err := t.follow(tx.DB, f, rules); err != nil {
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
		return t, made, asError(err)
	}
	for _, one := range f.Stages {
		made.All += one.Rounds
	}
	if n := len(all); n > 0 && stage < all[n-1].Stage || rounds < made.Drawn {
		return t, made, refuse.Conflict("err_stage_rounds", "stage", f.Stages[stage].Name, "rounds", rounds, "drawn", made.Drawn)
	}
	slots, err := slotsOf(db, event)
	for _, slot := range slots {
		if slot.Round != 0 {
			made.Slots++
		}
	}
	return t, made, err
}
