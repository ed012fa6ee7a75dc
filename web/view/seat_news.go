package view

import (
	"context"

	"meldhall/templates/locale"
	"meldhall/tournament"
	"meldhall/tournament/format"
)

// SeatNews describes changes to the seats of the next round since they were published: they were changed or withdrawn.
// It is empty if they are unchanged, and once the round has started.
func SeatNews(ctx context.Context, rounds []tournament.Round) string {
	if len(rounds) == 0 {
		return ""
	}
	r := rounds[len(rounds)-1]
	at := locale.MinuteTime(ctx, r.ChangedAt)
	switch {
	case r.ChangedAt == 0:
		return ""
	case r.Status == tournament.RoundDraft:
		return locale.T(ctx, "seats.withdrawn", "round", r.Number, "at", at)
	case r.Status == tournament.RoundPublished:
		return locale.T(ctx, "seats.changed", "round", r.Number, "at", at)
	}
	return ""
}

// FromZero returns a notice that the next or running round begins with nothing carried over, because it is the first of
// a stage whose standings start from zero. It is empty for all other rounds, and for a draft, which is not public yet.
func FromZero(ctx context.Context, stages []format.Stage, rounds []tournament.Round) string {
	if len(rounds) == 0 {
		return ""
	}
	r := rounds[len(rounds)-1]
	if r.Stage == 0 || r.StageRound > 1 || r.Stage >= len(stages) || stages[r.Stage].CarryOver != format.CarryNone ||
		r.PlayOff > 0 || !r.Underway() {
		return ""
	}
	return locale.T(ctx, "stage.from_zero", "stage", StageName(ctx, stages, r.Stage))
}
