package game

import (
	"encoding/json"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/tournament/format"
)

// RuleChange is a ruling that games go by other rules from a round on. Rules are fields of a rule set by their names.
type RuleChange struct {
	From  int            `json:"from"` // the number of the round
	Rules map[string]any `json:"rules"`
	Why   string         `json:"why"`
	By    string         `json:"by"` // an actor
	At    engine.Millis  `json:"at"`
	// Cancelled is when it was taken back, before a game went by it; 0: it holds.
	Cancelled engine.Millis `json:"cancelled,omitempty"`
}

// ParseRuleChanges reads the rulings of an event as it keeps them.
func ParseRuleChanges(text string) (all []RuleChange, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &all)
	}
	return all, err
}

// RulesIn is the rule set of a round: the event's, with the fields that the format says otherwise for its stage, and those that were
// ruled to be others from a round up to it on; of two such rulings that of the later round, or the later one, holds.
func RulesIn(base engine.Ruleset, f format.Format, changes []RuleChange, stage, round int) (engine.Ruleset, error) {
	rules := base
	var err error
	if stage >= 0 && stage < len(f.Stages) {
		if rules, err = base.With(f.Stages[stage].Rules); err != nil {
			return rules, err
		}
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c RuleChange) bool { return c.Cancelled != 0 || c.From > round })
	slices.SortStableFunc(changes, func(a, b RuleChange) int { return a.From - b.From })
	for _, c := range changes {
		if rules, err = rules.With(c.Rules); err != nil {
			return rules, err
		}
	}
	return rules, nil
}

// ruling is what the rules of a round follow from, as the database has it.
type ruling struct {
	format, rules, changes string
	stage, round           int
}

// roundRules are the rules that were read last: the games of a round all begin with the same ones.
type roundRules struct {
	mu   sync.Mutex
	of   ruling
	read engine.Ruleset
}

func (k *roundRules) get(of ruling) (engine.Ruleset, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of.rules != "" && k.of == of {
		return k.read, nil
	}
	read, err := of.ruleset()
	if err == nil {
		k.of, k.read = of, read
	}
	return read, err
}

func (r ruling) ruleset() (engine.Ruleset, error) {
	base, err := engine.ParseRuleset(engine.Ruleset{}, []byte(r.rules))
	if err != nil {
		return base, err
	}
	changes, err := ParseRuleChanges(r.changes)
	if err != nil {
		return base, err
	}
	var f format.Format
	if err := json.Unmarshal([]byte(r.format), &f); err != nil {
		return base, err
	}
	return RulesIn(base, f, changes, r.stage, r.round)
}
