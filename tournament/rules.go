package tournament

import (
	"encoding/json"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// ChangeRules changes fields of an event's own copy of its rules, until its first game is dealt: after that see RuleFrom.
type ChangeRules struct {
	Tournament int64          `json:"tournament,omitempty" path:"id" minimum:"1"`
	Rules      map[string]any `json:"rules" doc:"the fields that change, as a rule set has them"`
	Why        string         `json:"why,omitempty" maxLength:"500" doc:"for the log"`
}

// RulesChanged is what a change of rules does. Fields are those that are others now, by name.
type RulesChanged struct {
	Tournament Tournament
	From       int // the number of the first round that goes by them; 0: all do
	Fields     []RuleField
}

// RuleField is a field of a rule set that became another one.
type RuleField struct {
	Name    string
	Was, Is any
	Stages  []int // those whose own rule stays as it is, from 0
}

// WholeEventRules are the fields that hold for a whole event: what ranks its games together, and who sits at its tables.
var WholeEventRules = []string{"ends_at", "points", "seats_max", "seats_min", "standings"}

var _ = door.NewKind[ChangeRules](door.Kind{Name: "tournament.rules", Right: rights.MayEditFormats, Changes: []door.What{door.TopicSettings},
	Details: door.Keep[rulesStep]})

// rulesStep is what a record keeps of changed rules: the fields as they were and as they are.
type rulesStep struct {
	From int            `json:"from,omitempty"`
	Was  map[string]any `json:"was,omitempty"`
	Is   map[string]any `json:"is,omitempty"`
}

// Before tells the fields as they were.
func (s rulesStep) Before() []door.Phrase { return tellRules(s.Was) }

// After tells the fields as they are, and from which round on.
func (s rulesStep) After() []door.Phrase {
	told := tellRules(s.Is)
	if s.From > 0 && len(told) > 0 {
		told = append([]door.Phrase{door.Say("log.is.from_round", "round", s.From)}, told...)
	}
	return told
}

// RulesRecorded are the fields that a record of changed rules tells of, as they were and as they are; false for another record.
func RulesRecorded(r door.Record) (was, is map[string]any, ok bool) {
	step, ok := r.Details().(*rulesStep)
	if !ok {
		return nil, nil, false
	}
	return step.Was, step.Is, true
}

func tellRules(rules map[string]any) (told []door.Phrase) {
	for _, f := range engine.RuleFields() {
		value, ok := rules[f.Name]
		if !ok {
			continue
		}
		told = append(told, door.Say("log.is.rule", "rule", door.Word("rule."+f.Name), "value", tellRule(f, value)))
	}
	return told
}

func tellRule(f engine.RuleField, value any) any {
	text, _ := json.Marshal(value) // of a number, a word or a truth
	if f.Hi > 0 {
		return string(text)
	}
	return door.Word("rule." + f.Name + "." + trimQuotes(string(text)))
}

func trimQuotes(text string) string {
	if len(text) > 1 && text[0] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

func (c ChangeRules) Do(tx *door.Tx) (out RulesChanged, err error) {
	t, err := openEvent(tx.DB, c.Tournament)
	if err != nil {
		return out, err
	}
	why, err := cleanWhy(c.Why)
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
	f, old, err := t.plan()
	if err != nil {
		return out, err
	}
	rules, err := changedRules(old, c.Rules)
	if err != nil {
		return out, err
	}
	out.Tournament = t
	if out.Fields = ruleFieldsBetween(old, rules); len(out.Fields) == 0 {
		return out, nil
	}
	if err := checkRules(f, rules); err != nil {
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
	tx.Record(door.Entry{Event: t.ID, On: t.about(), Why: why, Is: out.step()})
	return out, out.Tournament.follow(tx.DB, f, rules)
}

// openEvent is an event that is not over.
func openEvent(db *gorm.DB, id int64) (Tournament, error) {
	t, err := FindTournament(db, id)
	if err == nil && t.Status == StatusFinished {
		err = refuse.Conflict("err_tournament_finished")
	}
	return t, err
}

// firstUndealt is the number of the first round of which, and after which, no game was dealt.
func firstUndealt(db *gorm.DB, event int64) (first int, err error) {
	err = db.Raw(`SELECT 1 + coalesce(max(r.number), 0) FROM rounds r JOIN tables t ON t.round_id = r.id JOIN games g ON g.table_id = t.id
		WHERE r.tournament_id = ? AND (g.status <> ? OR g.started_at <> 0 OR r.status NOT IN (?, ?))`, event, game.Waiting, RoundDraft, RoundPublished).Scan(&first).Error
	return first, err
}

// changedRules are rules with fields changed, each of which is one that an event may change.
func changedRules(rules engine.Ruleset, fields map[string]any) (engine.Ruleset, error) {
	known := engine.RuleFields()
	for name := range fields {
		if !slices.ContainsFunc(known, func(f engine.RuleField) bool { return f.Name == name }) {
			return rules, preset.AsRefusal(&engine.FieldError{Field: name, Why: "unknown field"})
		}
	}
	return preset.WithRules(rules, fields)
}

// ruleFieldsBetween are the fields in which two rule sets differ, by name.
func ruleFieldsBetween(was, is engine.Ruleset) (changed []RuleField) {
	a, b := RuleValues(was), RuleValues(is)
	for _, f := range engine.RuleFields() {
		if !reflect.DeepEqual(a[f.Name], b[f.Name]) {
			changed = append(changed, RuleField{Name: f.Name, Was: a[f.Name], Is: b[f.Name]})
		}
	}
	return changed
}

// RuleValues are the fields of a rule set by name, each with a number, a word, or true or false.
func RuleValues(rules engine.Ruleset) map[string]any {
	if rules.Penalties == "" {
		rules.Penalties = engine.Automatic
	}
	if rules.Assist == "" {
		rules.Assist = engine.None
	}
	var fields map[string]any
	text, err := json.Marshal(rules)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic(err) // plain values
	}
	for name, value := range fields {
		if n, ok := value.(float64); ok {
			fields[name] = int(n)
		}
	}
	return fields
}

// checkSeatedBy refuses rules by which a table of a draft, or of a published round, could not be played.
func checkSeatedBy(db *gorm.DB, t Tournament, rules engine.Ruleset) error {
	var tables []struct{ Round, Number, Players int }
	err := db.Raw(`SELECT r.number AS round, t.number, count(*) AS players FROM rounds r JOIN tables t ON t.round_id = r.id JOIN seats s ON s.table_id = t.id
		WHERE r.tournament_id = ? GROUP BY t.id HAVING count(*) NOT BETWEEN ? AND ? ORDER BY r.number, t.number LIMIT 1`, t.ID, rules.SeatsMin, rules.SeatsMax).Scan(&tables).Error
	if err != nil || len(tables) == 0 {
		return err
	}
	return refuse.Conflict("err_rules_seated", "round", tables[0].Round, "table", tables[0].Number, "players", tables[0].Players)
}

// stagesWith are the stages of a format that have a rule of their own.
func stagesWith(f format.Format, rule string) (stages []int) {
	for i, s := range f.Stages {
		if _, own := s.Rules[rule]; own {
			stages = append(stages, i)
		}
	}
	return stages
}

func (c RulesChanged) step() rulesStep {
	s := rulesStep{From: c.From, Was: map[string]any{}, Is: map[string]any{}}
	for _, f := range c.Fields {
		s.Was[f.Name], s.Is[f.Name] = f.Was, f.Is
	}
	return s
}
