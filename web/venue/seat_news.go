package venue

import (
	"context"
	"time"

	"meldhall/templates"
	"meldhall/tournament"
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
