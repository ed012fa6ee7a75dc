// Package desk renders the organizer's pages: tournaments, roster, rounds, results, rules and formats.
package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/regulations"
)

// RulesView is the form for a tournament's rules or, with Look, the preview of a change. Once a game has been dealt
// (Dealt), only a ruling can change the rules, from one of Rounds on. If Rounds is then empty, the rules cannot change.
type RulesView struct {
	part.Page
	Event    int64
	Preset   string
	Dealt    bool
	Rounds   []int
	Round    int // selected round
	Shown    int // round whose values the fields show; 0: the tournament's
	Rows     map[string]RuleRow
	Why      string
	Problem  string
	Problems []FieldProblem
	Last     *RulesStep
	Rulings  []regulations.RuleRuling
	Look     *RulesLook
	MaySave  bool // may save the rules under a name
	Saved    []SavedRules
}

// SavedRules is a rule set that an organizer saved from an event.
type SavedRules struct {
	ID   int64
	Name string
}

// RuleRow is a rule in the form, with its default in words and further notes.
type RuleRow struct {
	Value   string // as typed
	Default string
	Same    bool // same as the default
	Whole   bool // applies to the whole tournament and can no longer change
	Notes   []string
}

// FieldProblem is a problem with a form field. Name is also the field's anchor on the page.
type FieldProblem struct{ Name, Label, Text string }

// RulesStep is a change of the rules that can be undone; Fields hold the previous values.
type RulesStep struct {
	Who    string
	Lines  []string
	Fields []part.FormField
}

// RulesLook previews a change. The form posts Fields.
type RulesLook struct {
	Changes []regulations.RuleSaid
	Effects []string
	Go      string
	Fields  []part.FormField
}

// rulePart is a section of the rules form: fields with the articles that contain their values.
type rulePart struct {
	name  string
	rules []ruleLine
}

type ruleLine struct{ name, article string }

// ruleParts lists all fields of a rule set, in the order of the regulations.
var ruleParts = []rulePart{
	{"turn", []ruleLine{{"turn_seconds", "4.3"}, {"grace_ms", "4.3"}, {"timeout_tiles", "4.4"}, {"idle_tiles", "4.5"},
		{"illegal_play", "4.6"},
		{"illegal_tiles", "4.6"}, {"leftovers", "4.7"}, {"penalties", "8.4"}}},
	{"play", []ruleLine{{"meld_points", "3.4"}, {"last_to_open_relief", "3.4"}, {"joker_release", "3.6"},
		{"joker_replace", "3.7"}}},
	{"start", []ruleLine{{"starter", "5.1"}, {"redeal", "5.3"}, {"start_seconds", "5.5"}, {"assist", "7.1"}}},
	{"score", []ruleLine{{"winner_scores", "6.1"}, {"win_bonus", "6.1"}, {"exhausted", "6.2"},
		{"exhausted_winner", "6.4"}, {"joker_points", "6.5"},
		{"no_meld_unable", "6.6"}, {"no_meld_able", "6.6"}, {"no_meld_counts", "6.6"}, {"able_when", "6.6"}}},
	{"event", []ruleLine{{"seats_min", "5.2"}, {"seats_max", "5.2"}, {"points", "6.1"}, {"standings", "6.7"},
		{"ends_at", "6.7"}}},
}

// RuleOrder returns the names of all rules, in the order of the form.
func RuleOrder() (names []string) {
	for _, part := range ruleParts {
		for _, line := range part.rules {
			names = append(names, line.name)
		}
	}
	return names
}

// RuleWords returns the possible words for a rule, as typed; none if the rule is a number.
func RuleWords(f ruleset.RuleField) []string {
	if len(f.Words) == 0 && f.Hi == 0 {
		return []string{"true", "false"}
	}
	return slices.DeleteFunc(slices.Clone(f.Words), func(word string) bool { return word == "" })
}

// RuleValue returns the display text of a rule's value, a number or a word.
func RuleValue(ctx context.Context, name string, value any) string {
	if key := fmt.Sprintf("rule.%s.%v", name, value); locale.HasText(key) {
		return locale.T(ctx, key)
	}
	return fmt.Sprint(value)
}

// TypedRule returns a rule's value as the form holds it.
func TypedRule(value any) string { return fmt.Sprint(value) }

// RuleSentence states a rule and its value.
func RuleSentence(ctx context.Context, name string, value any) string {
	return locale.T(ctx, "log.is.rule", "rule", RuleLabel(ctx, name), "value", RuleValue(ctx, name, value))
}

// RuleLabel returns a rule's display name.
func RuleLabel(ctx context.Context, name string) string { return locale.T(ctx, "rule."+name) }

// RuleArticle returns the number of the article that contains a rule's value, or "" if there is no such rule.
func RuleArticle(name string) string {
	for _, part := range ruleParts {
		for _, line := range part.rules {
			if line.name == name {
				return line.article
			}
		}
	}
	return ""
}

// problemOf returns the problem with a field, or "" if there is none.
func problemOf(problems []FieldProblem, name string) string {
	for _, p := range problems {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

// wrong returns a field's attributes: its hint and its problem for screen readers, and autofocus on the first field
// with a problem.
func wrong(problems []FieldProblem, name string) templ.Attributes {
	attrs := templ.Attributes{}
	if ruleNamed := ruleset.RuleFieldNamed(name).Name; ruleNamed != "" { // it has a hint
		attrs["aria-describedby"] = name + "-hint"
	}
	if hint, _ := attrs["aria-describedby"].(string); problemOf(problems, name) != "" {
		attrs["aria-invalid"], attrs["aria-describedby"] = "true", strings.TrimSpace(name+"-problem "+hint)
	}
	if len(problems) > 0 && problems[0].Name == name {
		attrs["autofocus"] = true
	}
	return attrs
}
