package tournament

import (
	"context"

	"gorm.io/gorm"

	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// Reopening is how an event that was over goes on. Stage, from 0, gets one more round where all were played: Rounds are those it
// has then, 0 where the format has some left.
type Reopening struct{ Stage, Rounds int }

// PreviewReopen tells what Reopen would do. Nothing is changed.
func (s *Store) PreviewReopen(ctx context.Context, actor rights.Actor, event int64) (Reopening, error) {
	return s.reopen(ctx, actor, event, "", true)
}

// Reopen lets an event go on that is over: it ends again when its rounds are played, or the stage gets the rounds that it had.
func (s *Store) Reopen(ctx context.Context, actor rights.Actor, event int64, why string) (Reopening, error) {
	return s.reopen(ctx, actor, event, why, false)
}

func (s *Store) reopen(ctx context.Context, actor rights.Actor, event int64, why string, preview bool) (made Reopening, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MayEditFormats); err != nil {
		return made, err
	}
	if why = cleanText(why); len([]rune(why)) > whyMost {
		return made, refuse.Invalid("err_why_missing", "most", whyMost)
	}
	err = s.try(ctx, preview, func(tx *gorm.DB) error {
		t, err := findTournament(tx, event)
		if err != nil {
			return err
		}
		if t.Status != StatusFinished || t.Practice != "" || t.Rehearses != 0 {
			return refuse.Conflict("err_reopen_not_over")
		}
		if made, err = reopened(tx, &t); err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: event, action: "tournament.reopen", subject: t.subject(), before: StatusFinished, after: StatusRunning,
			because: why})
	})
	return made, err
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
	if err := t.keep(f, rules); err != nil {
		return made, err
	}
	if err := tx.Model(t).Select("format", "rules").Updates(t).Error; err != nil {
		return made, err
	}
	if over, err := ended(); err != nil {
		return made, err
	} else if over {
		return made, refuse.Conflict("err_reopen_by_rules")
	}
	return made, nil
}
