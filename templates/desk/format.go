package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"meldhall/engine/ruleset"
	"meldhall/templates/locale"
	"meldhall/templates/part"
)

// StagesMost is the maximum number of stages in a format.
const StagesMost = 8

// FormatsView lists the formats.
type FormatsView struct {
	part.Page
	Own     []FormatRow
	Presets []FormatRow
}

// FormatRow is a format in the list. From identifies it for copying; ID is set for an organizer's own format.
type FormatRow struct {
	ID     int64
	From   string
	Name   string
	Note   string
	Source string
}

// FormatView is the form of a format. Values maps field names, such as stages[1].cut, to their texts; Problems maps
// them to their faults. Field gives the number of players in each stage; Misfit explains why the format does not work
// for the number of entrants.
type FormatView struct {
	part.Page
	ID       int64 // the organizer's own format being edited
	Event    int64 // tournament with its own copy of the format; 0: none
	Action   templ.SafeURL
	Values   map[string]string
	Stages   int
	Ties     int
	Problems map[string]string
	Problem  string
	Checked  bool
	Field    []FieldRow
	Misfit   string
}

// FieldRow is the number of players in a stage.
type FieldRow struct {
	Stage   string
	Players int
}

// formatInput is a field of the form: a number, a line, a multi-line text, or one of Words.
type formatInput struct {
	Name  string
	Kind  string // number | line | text | word
	Words []string
	Free  bool // the word may be empty
}

// The fields of the form by section, in order.
var (
	FormatEntry = []formatInput{{Name: "players_min", Kind: "number"}, {Name: "players_max", Kind: "number"},
		{Name: "players_step", Kind: "number"},
		{Name: "divisions", Kind: "line"}, {Name: "qualification.berths", Kind: "number"},
		{Name: "qualification.per_players", Kind: "number"},
		{Name: "qualification.reserves", Kind: "number"}, {Name: "qualification.per_division", Kind: "word",
			Words: []string{"true"}, Free: true}}
	FormatScoring = []formatInput{{Name: "ranking", Kind: "word", Words: rankingWords, Free: true},
		{Name: "first_to", Kind: "number"},
		{Name: "table_points", Kind: "line"}, {Name: "table_points_per", Kind: "word", Words: []string{"game", "round"},
			Free: true},
		{Name: "win_bonus", Kind: "number"}, {Name: "second_bonus", Kind: "number"},
		{Name: "loss_most", Kind: "number"}, {Name: "gain_most", Kind: "number"},
		{Name: "winner_only", Kind: "word", Words: []string{"true"}, Free: true}, {Name: "min_games", Kind: "number"}}
	FormatStage = []formatInput{{Name: "name", Kind: "line"},
		{Name: "kind", Kind: "word", Words: []string{"preliminary", "semi", "final"}},
		{Name: "rounds", Kind: "number"}, {Name: "games_per_round", Kind: "number"}, {Name: "cut", Kind: "number"},
		{Name: "per_table", Kind: "number"},
		{Name: "fill", Kind: "word", Words: []string{"overall", "next"}, Free: true},
		{Name: "seating", Kind: "word", Words: seatingWords},
		{Name: "first_seating", Kind: "word", Words: seatingWords, Free: true},
		{Name: "carry_over", Kind: "word", Words: []string{"all", "half", "none"}},
		{Name: "until", Kind: "word", Words: []string{"wins", "points"}, Free: true},
		{Name: "until_at", Kind: "number"}, {Name: "table_size", Kind: "word", Words: []string{"2"}, Free: true},
		{Name: "seat_change", Kind: "word", Words: []string{"every_round", "keep"}},
		{Name: "round_minutes", Kind: "number"}, {Name: "break_minutes", Kind: "number"},
		{Name: "decide", Kind: "number"}}
	rankingWords = []string{"wins_points", "wins", "points", "table_points", "first_to", "lowest_points"}
	seatingWords = []string{"random", "plan", "standings", "snake", "interval", "winners", "chart", "script", "manual"}
	tieWords     = []string{"wins", "points", "table_points", "best_game", "opponents", "turn_order", "play_off", "lot"}
)

// label returns a field's label.
func (i formatInput) label(ctx context.Context) string { return locale.T(ctx, "ffield."+i.Name) }

// word returns the text for one of a field's words; the empty word stands for no choice.
func (i formatInput) word(ctx context.Context, word string) string {
	name := i.Name
	switch {
	case name == "first_seating" && word != "":
		name = "seating"
	case word == "":
		word = "none"
	}
	return locale.T(ctx, "fword."+name+"."+word)
}

func stageAt(stage int) string { return fmt.Sprintf("stages[%d].", stage) }

func tieAt(at string, i int) string { return fmt.Sprintf("%stie_breaks[%d]", at, i) }

// RuleLinesMost is the maximum number of rules in one place of the form.
const RuleLinesMost = 40

// RuleAt returns the field name of line i of the rules of a stage, whose prefix is at, or of the format if at is empty.
// The line's own fields end in .name and .value.
func RuleAt(at string, i int) string { return fmt.Sprintf("%srules[%d]", at, i) }

// ruleLines returns how many lines of rules to show: up to the last one in use, and two more.
func (v FormatView) ruleLines(at string) int {
	last := 0
	for i := range RuleLinesMost {
		if line := RuleAt(at, i); v.Values[line+".name"] != "" || v.Values[line+".value"] != "" {
			last = i + 1
		}
	}
	return min(last+2, RuleLinesMost)
}

// RuleChoice returns the form value for a rule together with its word.
func RuleChoice(name, word string) string { return name + "=" + word }

// numberTyped returns the value for the field beside a rule. It is "" for a rule with words, where the choice includes
// the word.
func numberTyped(name, value string) string {
	if f := ruleset.RuleFieldNamed(name); f.Name != "" && len(RuleWords(f)) > 0 {
		return ""
	}
	return value
}

// ruleProblem returns the problem with a line of the rules: with its name, or with the value of the rule it names.
func (v FormatView) ruleProblem(at string, line string) string {
	return cmp.Or(v.Problems[line+".name"], v.Problems[fmt.Sprintf("%srules.%s", at, v.Values[line+".name"])])
}

// problemAt returns the problem with a field or with a part of it, such as table_points[1].
func (v FormatView) problemAt(name string) string {
	if text, ok := v.Problems[name]; ok {
		return text
	}
	for field, text := range v.Problems {
		if strings.HasPrefix(field, name+"[") {
			return text
		}
	}
	return ""
}

// hasProblem reports whether a field whose name has one of these prefixes has a problem.
func (v FormatView) hasProblem(begins ...string) bool {
	for field := range v.Problems {
		if slices.ContainsFunc(begins, func(begin string) bool { return strings.HasPrefix(field, begin) }) {
			return true
		}
	}
	return false
}

// invalid returns the attributes that mark a field as invalid for screen readers, or nil if the field has no problem.
func invalid(v FormatView, name string) templ.Attributes { return invalidBy(name, v.problemAt(name)) }

func invalidBy(name, problem string) templ.Attributes {
	if problem == "" {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": name + "-problem"}
}
