package copies

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Plan says when the program copies the database automatically, while data changes. Folder is the chosen place, empty
// for the one beside the database. Every is in minutes, 0 for never. Rounds adds a copy after each round. Keep is how
// many of these copies are kept in a place.
type Plan struct {
	Folder string `json:"folder,omitempty"`
	Every  int    `json:"every"`
	Rounds bool   `json:"rounds"`
	Keep   int    `json:"keep"`
}

// The limits of a plan.
const (
	EveryMost = 24 * 60 // minutes
	KeepMost  = 500
)

var usual = Plan{Every: 10, Rounds: true, Keep: 24}

// planRow is the plan in the database. Apart records that its place was on another disk than the database when it was
// chosen. If it no longer is, the USB stick was removed and only its mount point is left.
type planRow struct {
	ID      int64
	Folder  string
	Apart   bool
	Minutes int
	Rounds  bool
	Keep    int
}

// TableName returns the database table of the plan.
func (planRow) TableName() string { return "copy_plan" }

func (r planRow) plan() Plan { return Plan{r.Folder, r.Minutes, r.Rounds, r.Keep} }

func rowOf(db *gorm.DB) (planRow, error) {
	r, ok, err := store.First[planRow](db)
	if !ok {
		r = planRow{ID: 1, Minutes: usual.Every, Rounds: usual.Rounds, Keep: usual.Keep}
	}
	return r, err
}

// PlanOf returns the plan.
func PlanOf(ctx context.Context, s *store.DB) (Plan, error) {
	r, err := rowOf(s.Read.WithContext(ctx))
	return r.plan(), err
}

// SetPlan changes the plan.
type SetPlan struct {
	Folder string `json:"folder,omitempty" doc:"a copy location; empty: only beside the database"`
	Every  int    `json:"every" minimum:"0" maximum:"1440" doc:"interval in minutes; 0: no timed copies"`
	Rounds bool   `json:"rounds,omitempty" doc:"also at the end of each round"`
	Keep   int    `json:"keep" minimum:"1" maximum:"500" doc:"number of copies kept in each place"`
}

var _ = action.NewKind[SetPlan](action.Kind{Name: "copy.plan", Right: rights.MayBackUp,
	Changes: []action.What{action.TopicHall}, Details: action.Keep[action.Change[Plan]]})

// Phrases describes a plan.
func (p Plan) Phrases() []action.Phrase {
	if p == (Plan{}) {
		return nil
	}
	said := []action.Phrase{action.Say("log.is.copy_keep", "n", p.Keep)}
	if p.Rounds {
		said = append([]action.Phrase{action.Say("log.is.copy_rounds")}, said...)
	}
	if p.Every > 0 {
		said = append([]action.Phrase{action.Say("log.is.copy_every", "n", p.Every)}, said...)
	}
	if p.Folder != "" {
		said = append(said, action.Tell(p.Folder))
	}
	return said
}

func (p SetPlan) Do(tx *action.Tx) (Plan, error) {
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
	tx.Record(action.Entry{Is: action.Change[Plan]{Was: before.plan(), Is: plan}})
	return plan, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
}
