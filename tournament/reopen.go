package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
)

// Reopening is how an event that was over goes on. Stage, from 0, gets one more round where all were played: Rounds are those it
// Has then, 0 where the format has some left.
type Reopening struct{ Stage, Rounds int }

// Reopen lets an event go on that is over: it ends again when its rounds are played, or the stage gets the rounds that it had.
type Reopen struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var reopenKind = door.NewKind[Reopen, Reopening](door.Kind{Name: "tournament.reopen", Right: rights.MayEditFormats,
	Changes: []door.What{door.TopicSeats, door.TopicStandings, door.TopicSettings}, Details: func() door.Details { return &goesOn{Step: door.Step{Prefix: "status."}} }})

func (Reopen) Kind() *door.Kind { return reopenKind }

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
	if len([]rune(why)) > whyMost {
		return made, refuse.Invalid("err_why_missing", "most", whyMost)
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
	rules, err := t.Rules()
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
	f, err := t.Format()
	if err != nil {
		return made, err
	}
	made.Stage = len(f.Stages) - 1
	f.Stages[made.Stage].Rounds++
	f.Version++
	made.Rounds = f.Stages[made.Stage].Rounds
	if err := f.Validate(); err != nil {
		return made, asError(err)
	}
	if err := t.follow(tx, f, rules); err != nil {
		return made, err
	}
	if over, err := ended(); err != nil {
		return made, err
	} else if over {
		return made, refuse.Conflict("err_reopen_by_rules")
	}
	return made, nil
}
