package templates

import (
	"context"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"meldhall/engine"
)

// Urgency returns the rank of a kind of need: the lower, the more urgent. Needs that wait for an official come first,
// unknown kinds last.
func Urgency(need string) int {
	for i, kind := range []string{"called", "broken", "held", "unlinked", "offline", "protest", "proposal", "hurry",
		"count", "coming", "paused", "closing", "expired", "running", "waiting"} {
		if kind == need {
			return i
		}
	}
	return 99
}

func needs(tables []FloorRow) int {
	n := 0
	for _, t := range tables {
		if len(t.Needs) > 0 && Urgency(t.Needs[0].Kind) <= Urgency("count") {
			n++
		}
	}
	return n
}

// needWords states how many tables need attention.
func needWords(ctx context.Context, n int) string {
	if n == 0 {
		return T(ctx, "floor.need_none")
	}
	return T(ctx, "floor.need", "n", n)
}

func names(list []string) string {
	all := make([]string, len(list))
	for i, n := range list {
		all[i] = Isolate(n)
	}
	return strings.Join(all, ", ")
}

// rulingNowWords names the officials who are ruling on a table at the moment. It returns "" if there are none.
func rulingNowWords(ctx context.Context, table int, who []string) string {
	switch len(who) {
	case 0:
		return ""
	case 1:
		return T(ctx, "desk.rules_now", "name", Isolate(who[0]), "table", table)
	}
	return T(ctx, "desk.rule_now", "names", names(who), "table", table)
}

// Isolate keeps a name's text direction from affecting the sentence around it, as the bdi element does in HTML.
func Isolate(name string) string { return "\u2068" + name + "\u2069" }

// NewsItem is an announcement to a whole tournament. Text is in the language Lang; Left is how long it stays visible,
// in milliseconds.
type NewsItem struct {
	ID    int64
	Level string // note | urgent
	Text  string
	Lang  string
	Left  engine.Millis
}

// NewsMark is the level of a notice that marks the whole tournament, for example as a rehearsal. Readers cannot close
// it.
const NewsMark = "mark"

func (n NewsItem) role() string {
	if n.Level == "urgent" {
		return "alert"
	}
	return "status"
}

func (n NewsItem) sign() string {
	if n.Level == "urgent" {
		return "now"
	}
	return "dot"
}

// minutesAttrs are the attributes of a field for whole minutes.
var minutesAttrs = templ.Attributes{"required": true, "min": "1", "max": "720", "step": "1", "inputmode": "numeric"}

// pauseAttrs are the attributes of a field for whole minutes that may be 0.
var pauseAttrs = templ.Attributes{"required": true, "min": "0", "max": "720", "step": "1", "inputmode": "numeric"}

// lateWords describes how far something is behind or ahead of schedule, in whole minutes.
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

// rate formats turns per minute with one decimal; "–" if there are none.
func rate(ctx context.Context, perMinute float64) string {
	if perMinute == 0 {
		return "–"
	}
	return message.NewPrinter(language.Make(LanguageOf(ctx).Tag)).Sprintf("%.1f", perMinute)
}
