package tournament

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
)

// StageRounds is a change of how many rounds a stage has.
type StageRounds struct {
	Stage         int
	Before, After int
	Drawn         int // rounds that are there already, a draft among them
	Planned       int // rounds to come whose seats are planned already
	Slots, All    int // rounds that the plan of the day has, 0 without a plan, and that the event will have
}

// PreviewStageRounds tells what SetStageRounds would do, or why it may not.
func (s *Store) PreviewStageRounds(ctx context.Context, actor Actor, event int64, stage, rounds int) (change StageRounds, err error) {
	if err := Authorize(actor, Place{Tournament: event}, MayEditFormats); err != nil {
		return change, err
	}
	err = s.snapshot(ctx, func(db *gorm.DB) error {
		_, change, err = stageRounds(db, event, stage, rounds)
		return err
	})
	return change, err
}

// SetStageRounds gives the stage that is played, or one to come, another number of rounds: not fewer than are there. What
// was drawn stays as it is; a draft of the stage may be there. A stage that has them all by now is over.
func (s *Store) SetStageRounds(ctx context.Context, actor Actor, event int64, stage, rounds int, why string) (made StageRounds, err error) {
	if err := Authorize(actor, Place{Tournament: event}, MayEditFormats); err != nil {
		return made, err
	}
	if why = cleanText(why); len([]rune(why)) > whyMost {
		return made, Refuse(Invalid, "err_why_missing", "most", whyMost)
	}
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		t, found, err := stageRounds(tx, event, stage, rounds)
		if err != nil || found.Before == found.After {
			made = found
			return err
		}
		made = found
		f, err := t.Format()
		if err != nil {
			return err
		}
		rules, err := t.Rules()
		if err != nil {
			return err
		}
		before := t.FormatJSON
		f.Version++
		f.Stages[stage].Rounds = rounds
		if err := t.keep(f, rules); err != nil {
			return err
		}
		if err := tx.Model(&t).Select("format", "rules").Updates(&t).Error; err != nil {
			return err
		}
		if err := s.audit(tx, actor, change{tournament: event, action: "tournament.rounds", subject: t.subject(), before: before, after: t.FormatJSON, because: why}); err != nil {
			return err
		}
		if found.Drawn == 0 {
			return nil
		}
		return s.finishTournament(tx, actor, event) // nobody else notices that the last stage has had its rounds
	})
	return made, err
}

// stageRounds finds what a change would be, or why it may not be.
func stageRounds(db *gorm.DB, event int64, stage, rounds int) (t Tournament, made StageRounds, err error) {
	if t, err = findTournament(db, event); err != nil {
		return t, made, err
	}
	if t.Status == StatusFinished {
		return t, made, Refuse(Conflict, "err_tournament_finished")
	}
	f, err := t.Format()
	if err != nil {
		return t, made, err
	}
	if stage < 0 || stage >= len(f.Stages) {
		return t, made, Refuse(NotFound, "err_stage_not_found", "stage", stage+1)
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
		return t, made, Refuse(Conflict, "err_stage_rounds", "stage", f.Stages[stage].Name, "rounds", rounds, "drawn", made.Drawn)
	}
	slots, err := slotsOf(db, event)
	for _, slot := range slots {
		if slot.Round != 0 {
			made.Slots++
		}
	}
	return t, made, err
}

// MoveRound lets a round that is not started begin at another time by the plan of the day: its slot and all after it move
// by as much.
func (s *Store) MoveRound(ctx context.Context, actor Actor, round int64, starts engine.Millis) ([]Slot, error) {
	r, err := s.RoundByID(ctx, round)
	if err != nil {
		return nil, err
	}
	if err := Authorize(actor, Place{Tournament: r.TournamentID}, MayPlanDay); err != nil {
		return nil, err
	}
	if r.Status != RoundDraft && r.Status != RoundPublished {
		return nil, Refuse(Conflict, "err_round_begun", "round", r.Number)
	}
	slots, err := s.Slots(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(slots, func(slot Slot) bool { return slot.Round == r.Number })
	if at < 0 {
		return nil, Refuse(Conflict, "err_slot_none", "round", r.Number)
	}
	by := starts - slots[at].StartsAt
	for i := range slots {
		if i >= at {
			slots[i].StartsAt, slots[i].EndsAt = slots[i].StartsAt+by, slots[i].EndsAt+by
		}
	}
	return s.SetSlots(ctx, actor, r.TournamentID, slots)
}
