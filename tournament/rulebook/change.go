// Package rulebook changes the rules of a tournament: all of them until its first game is dealt, and afterwards by a
// ruling, starting with a round that has not begun.
package rulebook

import (
	"encoding/json"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// ChangeRules changes fields of a tournament's own copy of its rules. It is allowed until the first game is dealt;
// after that see RuleFrom.
type ChangeRules struct {
	Tournament int64          `json:"tournament,omitempty" path:"id" minimum:"1"`
	Rules      map[string]any `json:"rules" doc:"the changed fields of the rule set"`
	Why        string         `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log"`
}

// Changed is the effect of a change of rules. Fields lists the changed fields by name.
type Changed struct {
	Tournament tournament.Tournament
	From       int // number of the first round affected; 0: all rounds
	Fields     []Field
}

// Field is a changed field of a rule set.
type Field struct {
	Name    string
	Was, Is any
	Stages  []int // stages whose own rule stays unchanged, from 0
}

// WholeEvent lists the fields that apply to a whole tournament: those for ranking its games, and for the number of
// players at its tables.
var WholeEvent = []string{"ends_at", "points", "seats_max", "seats_min", "standings"}

var _ = action.NewKind[ChangeRules](action.Kind{Name: "tournament.rules", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[step]})

// step is the content of a record of changed rules: the fields before and after.
type step struct {
	From int            `json:"from,omitempty"`
	Was  map[string]any `json:"was,omitempty"`
	Is   map[string]any `json:"is,omitempty"`
}

// Before describes the fields before the change.
func (s step) Before() []action.Phrase { return tellRules(s.Was) }

// After describes the fields after the change, and the first round affected.
func (s step) After() []action.Phrase {
	told := tellRules(s.Is)
	if s.From > 0 && len(told) > 0 {
		told = append([]action.Phrase{action.Say("log.is.from_round", "round", s.From)}, told...)
	}
	return told
}

// Recorded returns the fields in a record of changed rules, before and after; ok is false for other records.
func Recorded(r action.Record) (was, is map[string]any, ok bool) {
	step, ok := r.Details().(*step)
	if !ok {
		return nil, nil, false
	}
	return step.Was, step.Is, true
}

func tellRules(rules map[string]any) (told []action.Phrase) {
	for _, f := range ruleset.RuleFields() {
		value, ok := rules[f.Name]
		if !ok {
			continue
		}
		told = append(told, action.Say("log.is.rule", "rule", action.Word("rule."+f.Name), "value", tellRule(f, value)))
	}
	return told
}

func tellRule(f ruleset.RuleField, value any) any {
	text, _ := json.Marshal(value) // always a number, a string or a bool
	if f.Hi > 0 {
		return string(text)
	}
	return action.Word("rule." + f.Name + "." + trimQuotes(string(text)))
}

func trimQuotes(text string) string {
	if len(text) > 1 && text[0] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

func (c ChangeRules) Do(tx *action.Tx) (out Changed, err error) {
	t, err := openEvent(tx.DB, c.Tournament)
	if err != nil {
		return out, err
	}
	why, err := action.CleanWhy(c.Why)
	if err != nil {
		return out, err
	}
	first, err := firstUndealt(tx.DB, t.ID)
	if err != nil {
		return out, err
	}
	if first > 1 {
		return out, refuse.Conflict("err_rules_dealt", "round", first)
	}
	f, old, err := t.Plan()
	if err != nil {
		return out, err
	}
	rules, err := changedRules(old, c.Rules)
	if err != nil {
		return out, err
	}
	out.Tournament = t
	if out.Fields = fieldsBetween(old, rules); len(out.Fields) == 0 {
		return out, nil
	}
	if err := tournament.CheckRules(f, rules); err != nil {
		return out, err
	}
	if old.SeatsMin != rules.SeatsMin || old.SeatsMax != rules.SeatsMax {
		if err := checkSeatedBy(tx.DB, t, rules); err != nil {
			return out, err
		}
	}
	for i := range out.Fields {
		out.Fields[i].Stages = stagesWith(f, out.Fields[i].Name)
	}
	tx.Record(action.Entry{Event: t.ID, On: action.About{Name: t.Name}, Why: why, Is: out.step()})
	return out, out.Tournament.Follow(tx.DB, f, rules)
}

// openEvent returns a tournament, or an error if it is over.
func openEvent(db *gorm.DB, id int64) (tournament.Tournament, error) {
	t, err := tournament.FindTournament(db, id)
	if err == nil && t.Status == tournament.StatusFinished {
		err = refuse.Conflict("err_tournament_finished")
	}
	return t, err
}

// firstUndealt returns the number of the first round such that no game of it or of any later round was dealt.
func firstUndealt(db *gorm.DB, tournamentID int64) (first int, err error) {
	err = db.Raw(`SELECT 1 + coalesce(max(r.number), 0) FROM rounds r JOIN tables t ON t.round_id = r.id JOIN games g ON g.table_id = t.id
		WHERE r.tournament_id = ? AND (g.status <> ? OR g.started_at <> 0 OR r.status NOT IN (?, ?))`, tournamentID, game.Waiting, tournament.RoundDraft, tournament.RoundPublished).Scan(&first).Error
	return first, err
}

// changedRules returns rules with fields changed. It rejects fields that a tournament may not change.
func changedRules(rules ruleset.Ruleset, fields map[string]any) (ruleset.Ruleset, error) {
	known := ruleset.RuleFields()
	for name := range fields {
		if !slices.ContainsFunc(known, func(f ruleset.RuleField) bool { return f.Name == name }) {
			return rules, preset.AsRefusal(&ruleset.FieldError{Field: name, Why: "unknown field"})
		}
	}
	return preset.WithRules(rules, fields)
}

// fieldsBetween returns the fields in which two rule sets differ, by name.
func fieldsBetween(was, is ruleset.Ruleset) (changed []Field) {
	a, b := Values(was), Values(is)
	for _, f := range ruleset.RuleFields() {
		if !reflect.DeepEqual(a[f.Name], b[f.Name]) {
			changed = append(changed, Field{Name: f.Name, Was: a[f.Name], Is: b[f.Name]})
		}
	}
	return changed
}

// Values returns the fields of a rule set by name; each value is a number, a string or a bool.
func Values(rules ruleset.Ruleset) map[string]any {
	if rules.Penalties == "" {
		rules.Penalties = ruleset.Automatic
	}
	if rules.Assist == "" {
		rules.Assist = ruleset.None
	}
	var fields map[string]any
	text, err := json.Marshal(rules)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic(err) // cannot happen: plain values
	}
	for name, value := range fields {
		if n, ok := value.(float64); ok {
			fields[name] = int(n)
		}
	}
	return fields
}

// checkSeatedBy rejects rules that do not allow the number of players at an existing table, including those of drafts
// and published rounds.
func checkSeatedBy(db *gorm.DB, t tournament.Tournament, rules ruleset.Ruleset) error {
	var tables []struct{ Round, Number, Players int }
	err := db.Raw(`SELECT r.number AS round, t.number, count(*) AS players FROM rounds r JOIN tables t ON t.round_id = r.id JOIN seats s ON s.table_id = t.id
		WHERE r.tournament_id = ? GROUP BY t.id, r.number HAVING count(*) NOT BETWEEN ? AND ? ORDER BY r.number, t.number LIMIT 1`, t.ID, rules.SeatsMin, rules.SeatsMax).Scan(&tables).Error
	if err != nil || len(tables) == 0 {
		return err
	}
	return refuse.Conflict("err_rules_seated", "round", tables[0].Round, "table", tables[0].Number, "players",
		tables[0].Players)
}

// stagesWith returns the stages of a format that have their own value of a rule.
func stagesWith(f format.Format, rule string) (stages []int) {
	for i, s := range f.Stages {
		if _, own := s.Rules[rule]; own {
			stages = append(stages, i)
		}
	}
	return stages
}

func (c Changed) step() step {
	s := step{From: c.From, Was: map[string]any{}, Is: map[string]any{}}
	for _, f := range c.Fields {
		s.Was[f.Name], s.Is[f.Name] = f.Was, f.Is
	}
	return s
}
