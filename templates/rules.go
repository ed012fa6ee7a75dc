package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// RulesView is the form of an event's rules, or with Look what a change of them does. Dealt says that a game was dealt: then a ruling
// changes them, from one of Rounds on, and without Rounds nothing does.
type RulesView struct {
	Page
	Event    int64
	Preset   string
	Dealt    bool
	Rounds   []int
	Round    int // that is chosen
	Shown    int // whose values the fields are beside, 0: the event's
	Rows     map[string]RuleRow
	Why      string
	Problem  string
	Problems []FieldProblem
	Last     *RulesStep
	Rulings  []RuleRuling
	Look     *RulesLook
}

// RuleRow is a field of the rules in the form. Default is nil where it is as by default, Notes are what else is to be known.
type RuleRow struct {
	Value   string // as it is typed
	Default string
	Same    bool // as by default
	Whole   bool // cannot change any more
	Notes   []string
}

// FieldProblem is what is wrong with a field of a form, whose name is also its place on the page.
type FieldProblem struct{ Name, Label, Text string }

// RulesStep is a change of the rules that can be taken back: Fields are how they were.
type RulesStep struct {
	Who    string
	Lines  []string
	Fields []FormField
}

// RuleRuling is a ruling that games go by other rules from a round on.
type RuleRuling struct {
	Number, Round int
	Rules         []RuleSaid
	By, Why       string
	Cancelled     bool
	MayCancel     bool
}

// RuleSaid is a rule in a sentence, with its article.
type RuleSaid struct{ Text, Article string }

// RulesLook is what a change does, before it is done. Fields go with the form.
type RulesLook struct {
	Changes []RuleSaid
	Effects []string
	Go      string
	Fields  []FormField
}

// rulePart is a part of the form of rules: fields with the articles that they fill.
type rulePart struct {
	name  string
	rules []ruleLine
}

type ruleLine struct{ name, article string }

// ruleParts are all fields of a rule set, in the order of the regulations.
var ruleParts = []rulePart{
	{"turn", []ruleLine{{"turn_seconds", "4.3"}, {"grace_ms", "4.3"}, {"timeout_tiles", "4.4"}, {"idle_tiles", "4.5"}, {"illegal_play", "4.6"},
		{"illegal_tiles", "4.6"}, {"leftovers", "4.7"}, {"penalties", "8.4"}}},
	{"play", []ruleLine{{"meld_points", "3.4"}, {"last_to_open_relief", "3.4"}, {"joker_release", "3.6"}, {"joker_replace", "3.7"}}},
	{"start", []ruleLine{{"starter", "5.1"}, {"redeal", "5.3"}, {"start_seconds", "5.5"}, {"assist", "7.1"}}},
	{"score", []ruleLine{{"winner_scores", "6.1"}, {"win_bonus", "6.1"}, {"exhausted", "6.2"}, {"exhausted_winner", "6.4"}, {"joker_points", "6.5"},
		{"no_meld_unable", "6.6"}, {"no_meld_able", "6.6"}, {"no_meld_counts", "6.6"}, {"able_when", "6.6"}}},
	{"event", []ruleLine{{"seats_min", "5.2"}, {"seats_max", "5.2"}, {"points", "6.1"}, {"standings", "6.7"}, {"ends_at", "6.7"}}},
}

// RuleOrder are the names of all rules, in the order of the form.
func RuleOrder() (names []string) {
	for _, part := range ruleParts {
		for _, line := range part.rules {
			names = append(names, line.name)
		}
	}
	return names
}

// RuleWords are the words that a rule may hold, as they are typed; none for a number.
func RuleWords(f engine.RuleField) []string {
	if len(f.Words) == 0 && f.Hi == 0 {
		return []string{"true", "false"}
	}
	return slices.DeleteFunc(slices.Clone(f.Words), func(word string) bool { return word == "" })
}

// RuleValue is what a rule holds, for people: a number, or one of its words.
func RuleValue(ctx context.Context, name string, value any) string {
	if key := fmt.Sprintf("rule.%s.%v", name, value); HasText(key) {
		return T(ctx, key)
	}
	return fmt.Sprint(value)
}

// TypedRule is what a rule holds, as the form has it.
func TypedRule(value any) string { return fmt.Sprint(value) }

// RuleSentence says what a rule is.
func RuleSentence(ctx context.Context, name string, value any) string {
	return T(ctx, "log.is.rule", "rule", RuleLabel(ctx, name), "value", RuleValue(ctx, name, value))
}

// RuleLabel is what people call a rule.
func RuleLabel(ctx context.Context, name string) string { return T(ctx, "rule."+name) }

// RuleArticle is the number of the article that a rule fills.
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

// RulesPath is the form of an event's rules.
func RulesPath(event int64) templ.SafeURL { return DeskPath(event) + "/rules" }

// problemOf is what is wrong with a field.
func problemOf(problems []FieldProblem, name string) string {
	for _, p := range problems {
		if p.Name == name {
			return p.Text
		}
	}
	return ""
}

// wrong marks a field that has a problem; the page opens at the first.
func wrong(problems []FieldProblem, name string) templ.Attributes {
	attrs := templ.Attributes{}
	if ruleNamed := engine.RuleFieldNamed(name).Name; ruleNamed != "" { // which has a hint
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
