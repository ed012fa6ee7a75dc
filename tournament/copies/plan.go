package copies

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Plan is how the program copies the database by itself, while something changes in it. Folder is the place that was chosen, empty
// for the one beside the database. Every is in minutes, 0 for never; Rounds is that a copy is made as well when a round has ended;
// Keep is how many of these copies stay in a place.
type Plan struct {
	Folder string `json:"folder,omitempty"`
	Every  int    `json:"every"`
	Rounds bool   `json:"rounds"`
	Keep   int    `json:"keep"`
}

// The bounds of a plan, and what holds until somebody makes one.
const (
	EveryMost = 24 * 60 // minutes
	KeepMost  = 500
)

var usual = Plan{Every: 10, Rounds: true, Keep: 24}

// planRow is the plan in the database. Apart is that its place was on another disk than the database when it was chosen: once it is not,
// the stick was pulled, and only the folder in which it was shown is left.
type planRow struct {
	ID      int64
	Folder  string
	Apart   bool
	Minutes int
	Rounds  bool
	Keep    int
}

// TableName is copy_plan.
func (planRow) TableName() string { return "copy_plan" }

func (r planRow) plan() Plan { return Plan{r.Folder, r.Minutes, r.Rounds, r.Keep} }

func rowOf(db *gorm.DB) (planRow, error) {
	r, ok, err := storage.First[planRow](db)
	if !ok {
		r = planRow{ID: 1, Minutes: usual.Every, Rounds: usual.Rounds, Keep: usual.Keep}
	}
	return r, err
}

// PlanOf reads the plan.
func PlanOf(ctx context.Context, s *storage.DB) (Plan, error) {
	r, err := rowOf(s.Read.WithContext(ctx))
	return r.plan(), err
}

// SetPlan makes another plan.
type SetPlan struct {
	Folder string `json:"folder,omitempty" doc:"a place of the copies; empty: beside the database alone"`
	Every  int    `json:"every" minimum:"0" maximum:"1440" doc:"minutes; 0: not by the clock"`
	Rounds bool   `json:"rounds,omitempty" doc:"also when a round has ended"`
	Keep   int    `json:"keep" minimum:"1" maximum:"500" doc:"copies that stay in a place"`
}

var _ = door.NewKind[SetPlan](door.Kind{Name: "copy.plan", Right: rights.MayBackUp, Changes: []door.What{door.TopicHall}, Details: door.Keep[door.Change[Plan]]})

// Phrases tells a plan.
func (p Plan) Phrases() []door.Phrase {
	if p == (Plan{}) {
		return nil
	}
	said := []door.Phrase{door.Say("log.is.copy_keep", "n", p.Keep)}
	if p.Rounds {
		said = append([]door.Phrase{door.Say("log.is.copy_rounds")}, said...)
	}
	if p.Every > 0 {
		said = append([]door.Phrase{door.Say("log.is.copy_every", "n", p.Every)}, said...)
	}
	if p.Folder != "" {
		said = append(said, door.Tell(p.Folder))
	}
	return said
}

func (p SetPlan) Do(tx *door.Tx) (Plan, error) {
	plan := Plan(p)
	switch {
	case p.Every < 0 || p.Every > EveryMost:
		return plan, refuse.Invalid("err_copy_every", "most", EveryMost)
	case p.Keep < 1 || p.Keep > KeepMost:
		return plan, refuse.Invalid("err_copy_keep", "most", KeepMost)
	}
	before, err := rowOf(tx.DB)
	if err != nil || before.plan() == plan {
		return plan, err
	}
	place, err := placeOf(tx.Desk, p.Folder)
	if err != nil {
		return plan, err
	}
	row := planRow{1, p.Folder, p.Folder != "" && !sameDisk(place.Root, tx.Desk.DB.Folder()), p.Every, p.Rounds, p.Keep}
	tx.Record(door.Entry{Is: door.Change[Plan]{Was: before.plan(), Is: plan}})
	return plan, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
}
