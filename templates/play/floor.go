package play

import (
	"context"

	"meldhall/engine"
	"meldhall/templates/locale"
)

// LateWords describes how far something is behind or ahead of schedule, in whole minutes.
func LateWords(ctx context.Context, behind engine.Millis) string {
	minutes := int((max(behind, -behind) + 30_000) / 60_000)
	switch {
	case minutes == 0:
		return locale.T(ctx, "late.on_time")
	case minutes >= 100 && behind > 0:
		return locale.T(ctx, "late.behind_hours", "hours", minutes/60, "minutes", minutes%60)
	case minutes >= 100:
		return locale.T(ctx, "late.ahead_hours", "hours", minutes/60, "minutes", minutes%60)
	case behind > 0:
		return locale.T(ctx, "late.behind", "n", minutes)
	}
	return locale.T(ctx, "late.ahead", "n", minutes)
}

// LateKind returns the sign for a delay: good up to one minute, bad above five.
func LateKind(behind engine.Millis) string {
	switch {
	case behind > 5*60_000:
		return "bad"
	case behind > 60_000:
		return "now"
	}
	return "good"
}
