// Package referee renders the pages of referees: the floor, the sheet of a table with its rulings, penalties, protests,
// counts, devices and the training.
package referee

import (
	"context"

	"github.com/a-h/templ"

	"meldhall/templates/locale"
	"meldhall/templates/part"
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

// needWords returns a text with the number of tables that need attention.
func needWords(ctx context.Context, n int) string {
	if n == 0 {
		return locale.T(ctx, "floor.need_none")
	}
	return locale.T(ctx, "floor.need", "n", n)
}

// rulingNowWords names the officials who are ruling on a table at the moment. It returns "" if there are none.
func rulingNowWords(ctx context.Context, table int, who []string) string {
	switch len(who) {
	case 0:
		return ""
	case 1:
		return locale.T(ctx, "desk.rules_now", "name", locale.Isolate(who[0]), "table", table)
	}
	return locale.T(ctx, "desk.rule_now", "names", part.Names(who), "table", table)
}

// MinutesAttrs are the attributes of a field for whole minutes.
var MinutesAttrs = templ.Attributes{"required": true, "min": "1", "max": "720", "step": "1", "inputmode": "numeric"}

// PauseAttrs are the attributes of a field for whole minutes that may be 0.
var PauseAttrs = templ.Attributes{"required": true, "min": "0", "max": "720", "step": "1", "inputmode": "numeric"}
