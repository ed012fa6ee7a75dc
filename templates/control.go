package templates

import (
	"context"

	"github.com/a-h/templ"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"meldhall/engine"
)

// minutesAttrs are those of a field of whole minutes.
var minutesAttrs = templ.Attributes{"required": true, "min": "1", "max": "720", "step": "1", "inputmode": "numeric"}

// pauseAttrs are those of a field of minutes that may be none.
var pauseAttrs = templ.Attributes{"required": true, "min": "0", "max": "720", "step": "1", "inputmode": "numeric"}

// lateWords says how much something is late or early, in whole minutes.
func lateWords(ctx context.Context, behind engine.Millis) string {
	minutes := int((max(behind, -behind) + 30_000) / 60_000)
	switch {
	case minutes == 0:
		return T(ctx, "late.on_time")
	case minutes >= 100 && behind > 0:
		return T(ctx, "late.behind_hours", "hours", minutes/60, "minutes", minutes%60)
	case minutes >= 100:
		return T(ctx, "late.ahead_hours", "hours", minutes/60, "minutes", minutes%60)
	case behind > 0:
		return T(ctx, "late.behind", "n", minutes)
	}
	return T(ctx, "late.ahead", "n", minutes)
}

func lateKind(behind engine.Millis) string {
	switch {
	case behind > 5*60_000:
		return "bad"
	case behind > 60_000:
		return "now"
	}
	return "good"
}

// hourTime writes a moment as hours and minutes of the server's zone; "–" for none.
func hourTime(at engine.Millis) string {
	if at == 0 {
		return "–"
	}
	return clockTime(at)[:5]
}

// rate writes turns a minute with one decimal; "–" for none.
func rate(ctx context.Context, perMinute float64) string {
	if perMinute == 0 {
		return "–"
	}
	return message.NewPrinter(language.Make(LanguageOf(ctx).Tag)).Sprintf("%.1f", perMinute)
}
