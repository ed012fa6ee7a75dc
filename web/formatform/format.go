// Package formatform represents a format as text fields, which organizers edit in a form.
package formatform

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"meldhall/templates/desk"
	"meldhall/tournament/format"
	"meldhall/tournament/preset"
	"meldhall/tournament/spelling"
	"meldhall/web/view"
)

// Values holds a format as shown in the form: the text of each field by its name, such as stages[1].cut.
type Values map[string]string

// Of returns the form's values for a format.
func Of(f format.Format) Values {
	v := Values{"name": f.Name, "source": f.Source, "divisions": strings.Join(f.Divisions, ", ")}
	v.rules("", f.Rules)
	v.numbers("", map[string]int{"players_min": f.PlayersMin, "players_max": f.PlayersMax,
		"players_step":         f.PlayersStep,
		"qualification.berths": f.Qualification.Berths, "qualification.per_players": f.Qualification.PerPlayers,
		"qualification.reserves": f.Qualification.Reserves})
	if f.Qualification.PerDivision {
		v["qualification.per_division"] = "true"
	}
	v.scoring("scoring.", f.Scoring)
	v["stages"] = strconv.Itoa(len(f.Stages))
	for i, s := range f.Stages {
		v.stage(fmt.Sprintf("stages[%d].", i), s)
	}
	return v
}

// numbers sets the numbers that are not 0; an empty field means 0.
func (v Values) numbers(at string, numbers map[string]int) {
	for name, n := range numbers {
		if n != 0 {
			v[at+name] = strconv.Itoa(n)
		}
	}
}

func (v Values) stage(at string, s format.Stage) {
	maps.Copy(v, Values{at + "name": s.Name, at + "kind": s.Kind, at + "until": s.Until,
		at + "first_seating": s.FirstSeating, at + "seating": s.Seating, at + "seat_change": s.SeatChange,
		at + "carry_over": s.CarryOver, at + "fill": s.Fill})
	if s.BreakMinutes != nil {
		v[at+"break_minutes"] = strconv.Itoa(*s.BreakMinutes)
	}
	v.rules(at, s.Rules)
	v.numbers(at, map[string]int{"rounds": s.Rounds, "until_at": s.UntilAt, "games_per_round": s.GamesPerRound,
		"round_minutes": s.RoundMinutes,
		"cut":           s.Cut, "per_table": s.PerTable, "table_size": s.TableSize, "decide": s.Decide})
	if s.Scoring != nil {
		v[at+"own_scoring"] = "yes"
		v.scoring(at+"scoring.", *s.Scoring)
	}
}

func (v Values) scoring(at string, s format.Scoring) {
	var scales []string
	for _, scale := range s.TablePoints {
		scales = append(scales, strings.Trim(strings.ReplaceAll(fmt.Sprint(scale), " ", "-"), "[]"))
	}
	maps.Copy(v, Values{at + "ranking": s.Ranking, at + "table_points": strings.Join(scales, ", "), at +
		"table_points_per": s.TablePointsPer})
	v.numbers(at, map[string]int{"first_to": s.FirstTo, "win_bonus": s.WinBonus, "second_bonus": s.SecondBonus,
		"loss_most": s.LossMost,
		"gain_most": s.GainMost, "min_games": s.MinGames})
	if s.WinnerOnly {
		v[at+"winner_only"] = "true"
	}
	for i, tie := range s.TieBreaks {
		v[fmt.Sprintf("%stie_breaks[%d]", at, i)] = tie
	}
}

// formReader converts the form's values to a format and collects the invalid fields.
type formReader struct {
	Values
	problems []*format.Problem
}

// Typed returns the submitted fields of a form. A rule's name and value may be submitted as one choice
// (desk.RuleChoice).
func Typed(form url.Values) Values {
	v := Values{}
	for name, text := range form {
		v[name] = text[0]
	}
	for name, text := range form {
		line, isRule := strings.CutSuffix(name, ".name")
		if rule, word, chosen := strings.Cut(text[0], "="); isRule && chosen && strings.Contains(line, "rules[") {
			v[name], v[line+".value"] = rule, word
		}
	}
	return v
}

// Read returns the format in the form with all its problems, those of reading first. Its version is 1; when it is
// stored, it continues from the version that it replaces.
func (v Values) Read() (format.Format, []*format.Problem) {
	r := &formReader{Values: v}
	f := format.Format{Name: r.text("name"), Version: 1, Source: r.text("source"), Rules: r.rules(""),
		PlayersMin: r.number("players_min"), PlayersMax: r.number("players_max"), PlayersStep: r.number("players_step"),
		Qualification: format.Qualification{Berths: r.number("qualification.berths"),
			PerPlayers:  r.number("qualification.per_players"),
			Reserves:    r.number("qualification.reserves"),
			PerDivision: r.text("qualification.per_division") == "true"},
		Scoring: r.scoring("scoring.")}
	for d := range strings.SplitSeq(r.text("divisions"), ",") {
		if d = spelling.Clean(d); d != "" {
			f.Divisions = append(f.Divisions, d)
		}
	}
	for i := range r.Stages() {
		f.Stages = append(f.Stages, r.stage(fmt.Sprintf("stages[%d].", i)))
	}
	return f, append(r.problems, f.Problems()...)
}

// Stages returns the number of stages in the form.
func (v Values) Stages() int {
	n, err := strconv.Atoi(v["stages"])
	if err != nil {
		return 0
	}
	return min(max(n, 0), desk.StagesMost)
}

func (r *formReader) text(field string) string { return spelling.Clean(r.Values[field]) }

func (r *formReader) number(field string) int {
	text := r.text(field)
	if text == "" {
		return 0
	}
	n, isNumber := spelling.Whole(text)
	if !isNumber {
		r.bad(field, text, "number")
	}
	return n
}

func (r *formReader) bad(field, value, why string) {
	r.problems = append(r.problems, format.FieldProblem(field, value, why))
}

func (r *formReader) stage(at string) format.Stage {
	s := format.Stage{Name: r.text(at + "name"), Kind: r.text(at + "kind"), Rounds: r.number(at + "rounds"),
		Until:   r.text(at + "until"),
		UntilAt: r.number(at + "until_at"), GamesPerRound: r.number(at + "games_per_round"),
		RoundMinutes: r.number(at + "round_minutes"),
		Cut:          r.number(at + "cut"), PerTable: r.number(at + "per_table"), Fill: r.text(at + "fill"),
		TableSize:    r.number(at + "table_size"),
		FirstSeating: r.text(at + "first_seating"), Seating: r.text(at + "seating"),
		SeatChange: r.text(at + "seat_change"),
		CarryOver:  r.text(at + "carry_over"), Decide: r.number(at + "decide"), Rules: r.rules(at)}
	if r.text(at+"break_minutes") != "" {
		minutes := r.number(at + "break_minutes")
		s.BreakMinutes = &minutes
	}
	if s.Until == "" {
		s.UntilAt = 0
	}
	if r.text(at+"own_scoring") != "" {
		own := r.scoring(at + "scoring.")
		s.Scoring = &own
	}
	return s
}

func (r *formReader) scoring(at string) format.Scoring {
	s := format.Scoring{Ranking: r.text(at + "ranking"), FirstTo: r.number(at + "first_to"),
		TablePointsPer: r.text(at + "table_points_per"),
		WinBonus:       r.number(at + "win_bonus"), SecondBonus: r.number(at + "second_bonus"),
		LossMost: r.number(at + "loss_most"),
		GainMost: r.number(at + "gain_most"), MinGames: r.number(at + "min_games"),
		TablePoints: r.scales(at + "table_points"),
		WinnerOnly:  r.text(at+"winner_only") == "true"}
	for i := range format.TieBreaks { // each at most once
		if tie := r.text(fmt.Sprintf("%stie_breaks[%d]", at, i)); tie != "" {
			s.TieBreaks = append(s.TieBreaks, tie)
		}
	}
	return s
}

// scales parses table points such as 4-3-1-0, 4-2-1.
func (r *formReader) scales(field string) (scales [][]int) {
	for _, text := range strings.FieldsFunc(r.text(field), func(c rune) bool {
		return c == ',' || c == ';' ||
			c == '\n'
	}) {
		var scale []int
		for word := range strings.SplitSeq(spelling.Fold(text), "-") {
			n, isNumber := spelling.Whole(word)
			if !isNumber {
				r.bad(field, text, "scale")
				return scales
			}
			scale = append(scale, n)
		}
		scales = append(scales, scale)
	}
	return scales
}

// rules reads the lines with a rule and its value.
func (r *formReader) rules(at string) map[string]any {
	rules := map[string]any{}
	for i := range desk.RuleLinesMost {
		line := desk.RuleAt(at, i)
		name, text := r.text(line+".name"), r.text(line+".value")
		n, err := strconv.Atoi(text)
		switch _, twice := rules[name]; {
		case name == "" && text == "":
		case name == "":
			r.bad(line+".name", text, format.WhyEmpty)
		case twice:
			r.bad(line+".name", name, format.WhyTwice)
		case err == nil:
			rules[name] = n
		case text == "true" || text == "false":
			rules[name] = text == "true"
		default:
			rules[name] = text
		}
	}
	if len(rules) == 0 {
		return nil
	}
	return rules
}

func (v Values) rules(at string, rules map[string]any) {
	for i, name := range slices.Sorted(maps.Keys(rules)) {
		text, _ := json.Marshal(rules[name]) // always a number, a string or a bool
		line := desk.RuleAt(at, i)
		v[line+".name"], v[line+".value"] = name, strings.Trim(string(text), `"`)
	}
}

// Words maps the names of formats and stages in the preset files to their translations.
type Words struct{ formats, stages map[string]string }

// WordsOf returns the translations of the presets' names.
func WordsOf(ctx context.Context, presets preset.Library) Words {
	w := Words{map[string]string{}, map[string]string{}}
	for name, f := range presets.Formats {
		w.formats[name] = view.TextOr(ctx, "format."+name, name)
		for i, stage := range f.Stages {
			w.stages[stage.Name] = view.StageName(ctx, f.Stages, i)
		}
	}
	return w
}

// Put returns the form's values with translations instead of names. ofEvent is false for an organizer's own format,
// whose name is not translated.
func (w Words) Put(v Values, ofEvent bool) Values {
	v = maps.Clone(v)
	if ofEvent {
		v["name"] = cmp.Or(w.formats[v["name"]], v["name"])
	}
	for i := range v.Stages() {
		field := fmt.Sprintf("stages[%d].name", i)
		v[field] = cmp.Or(w.stages[v[field]], v[field])
	}
	return v
}

// TakenBack replaces the translations from Put with the names, so that everyone sees their own language. was is the
// name of the format that the form was filled with. It is empty for an organizer's own format, which keeps its name
// even if it equals a preset's translation.
func (w Words) TakenBack(v Values, was string) {
	if word := w.formats[was]; word != "" && word == spelling.Clean(v["name"]) {
		v["name"] = was
	}
	for i := range v.Stages() {
		field := fmt.Sprintf("stages[%d].name", i)
		for name, word := range w.stages {
			if word == spelling.Clean(v[field]) {
				v[field] = name
			}
		}
	}
}

// NewStage adds a stage at the end, unless there are already desk.StagesMost.
func (v Values) NewStage() {
	n := v.Stages()
	if n >= desk.StagesMost {
		return
	}
	v.stage(fmt.Sprintf("stages[%d].", n), format.Stage{Name: format.Final, Kind: format.Final, Rounds: 1,
		GamesPerRound: 4, Cut: 4,
		Seating: format.ByStandings, SeatChange: format.EveryRound, CarryOver: format.CarryNone})
	v["stages"] = strconv.Itoa(n + 1)
}

// DropStage removes a stage, unless it is the only one. Later stages move up.
func (v Values) DropStage(stage int) {
	n := v.Stages()
	if stage < 0 || stage >= n || n == 1 {
		return
	}
	for i := stage; i < n; i++ {
		at, next := fmt.Sprintf("stages[%d].", i), fmt.Sprintf("stages[%d].", i+1)
		maps.DeleteFunc(v, func(name, _ string) bool { return strings.HasPrefix(name, at) })
		moved := Values{}
		for name, value := range v {
			if rest, ok := strings.CutPrefix(name, next); ok {
				moved[at+rest] = value
			}
		}
		maps.Copy(v, moved)
	}
	v["stages"] = strconv.Itoa(n - 1)
}
