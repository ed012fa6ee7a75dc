package templates

import (
	"context"
	"maps"
	"slices"
	"strings"
)

// Reason is a canned reason of an official's ruling: a text reason.<Code> in every language, and the rule that it cites.
type Reason struct {
	Code string
	Rule string
}

// reasons are the canned reasons by ruling, the usual one first, with the article of the regulations that each rests on.
var reasons = map[string][]Reason{
	"penalty":   {{"disturbed", "7.2"}, {"out_of_turn", "7.2"}, {"slow", "7.3"}, {"drew_wrong", "7.5"}, {"talked", "7.1"}, {"showed", "7.4"}, {"conduct", "7.6"}},
	"warning":   {{"talked", "7.1"}, {"showed", "7.4"}, {"out_of_turn", "7.2"}, {"slow", "7.3"}, {"conduct", "7.6"}},
	"points":    {{"conduct", "7.6"}, {"late_arrival", "7.7"}, {"talked", "7.1"}},
	"time":      {{"referee", "8.2"}, {"device", "10.2"}, {"disturbance", "8.2"}, {"unwell", "8.11"}},
	"pause":     {{"referee", "8.2"}, {"device", "10.2"}, {"unwell", "8.11"}, {"evacuation", "8.11"}, {"break", "8.11"}},
	"resume":    nil,
	"call-time": {{"slot_over", "6.3"}, {"schedule", "6.3"}},
	"skip":      {{"absent", "7.8"}, {"slow", "7.3"}, {"device", "10.2"}},
	"illegal":   {{"not_legal", "4.6"}, {"joker", "3.6"}, {"not_restored", "4.7"}},
	"leftovers": {{"not_restored", "4.7"}},
	"rewind":    {{"misruled", "8.10"}, {"device", "10.2"}, {"disturbance", "8.10"}},
	"position":  {{"real_table", "8.10"}, {"device", "10.2"}},
	"redeal":    {{"doubles", "5.3"}, {"misdealt", "5.4"}},
	"no-redeal": {{"no_doubles", "5.3"}},
	"waive":     {{"first_time", "8.4"}, {"device", "10.2"}, {"unclear", "8.4"}},
	"forfeit":   {{"absent", "7.7"}, {"gave_up", "8.8"}, {"unwell", "8.8"}},
	"out":       {{"conduct", "8.8"}, {"cheated", "8.8"}},
	"cancel":    {{"mistake", "8.9"}, {"wrong_player", "8.9"}, {"wrong_table", "8.9"}, {"appeal", "8.9"}},
}

// ReasonsFor are the canned reasons of a ruling, the usual one first.
func ReasonsFor(action string) []Reason { return reasons[action] }

// RuleOf is the article that a canned reason of a ruling rests on; "" for none.
func RuleOf(action, code string) string {
	for _, r := range reasons[action] {
		if r.Code == code {
			return r.Rule
		}
	}
	return ""
}

// ReasonActions are the rulings in the order of their names.
func ReasonActions() []string { return slices.Sorted(maps.Keys(reasons)) }

// cannedMark stands before the code of a canned reason in a ruling's reason; free text may follow after a space.
const cannedMark = "@"

// PackReason writes a canned reason, a free text, or both, as a ruling keeps them. An unknown code is left out.
func PackReason(code, text string) string {
	text = strings.TrimPrefix(strings.TrimSpace(text), cannedMark)
	if code == "" || !HasText("reason."+code) {
		return text
	}
	return strings.TrimSpace(cannedMark + code + " " + text)
}

// ReasonWords is a ruling's reason in the reader's language: the canned part translated, free text as it was written.
func ReasonWords(ctx context.Context, reason string) string {
	packed, ok := strings.CutPrefix(reason, cannedMark)
	code, text, _ := strings.Cut(packed, " ")
	switch {
	case !ok:
		return reason
	case !HasText("reason." + code):
		return packed
	case text == "":
		return T(ctx, "reason."+code)
	}
	return T(ctx, "reason."+code) + " " + isolate(text)
}
