package venue

import (
	"context"
	"time"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/format"
)

// SeatNews says what has become of the seats of the round to come since people saw them: they are others, or were taken back. It is
// empty where they are as they were, and once the round is started.
func SeatNews(ctx context.Context, rounds []tournament.Round) string {
	if len(rounds) == 0 {
		return ""
	}
	r := rounds[len(rounds)-1]
	at := time.UnixMilli(int64(r.ChangedAt)).Format("15:04")
	switch {
	case r.ChangedAt == 0:
		return ""
	case r.Status == tournament.RoundDraft:
		return templates.T(ctx, "seats.withdrawn", "round", r.Number, "at", at)
	case r.Status == tournament.RoundPublished:
		return templates.T(ctx, "seats.changed", "round", r.Number, "at", at)
	}
	return ""
}

// FromZero says that the round to come, or the one that is on, begins with nothing carried over: it is the first of a stage whose
// standings start anew. It is empty for all others, and for a draft, which nobody knows yet.
func FromZero(ctx context.Context, stages []format.Stage, rounds []tournament.Round) string {
	if len(rounds) == 0 {
		return ""
	}
	r := rounds[len(rounds)-1]
	if r.Stage == 0 || r.StageRound > 1 || r.Stage >= len(stages) || stages[r.Stage].CarryOver != format.CarryNone || r.PlayOff > 0 || !r.Underway() {
		return ""
	}
	return templates.T(ctx, "stage.from_zero", "stage", StageName(ctx, stages, r.Stage))
}
