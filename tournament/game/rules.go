package game

import (
	"encoding/json"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/tournament/format"
)

// RuleChange is a ruling that changes the rules from a round on. Rules maps names of fields of a rule set to values.
type RuleChange struct {
	From  int            `json:"from"` // the first round it applies to
	Rules map[string]any `json:"rules"`
	Why   string         `json:"why"`
	By    string         `json:"by"` // the actor
	At    engine.Millis  `json:"at"`
	// Cancelled is when it was withdrawn, before any game used it; 0: it holds.
	Cancelled engine.Millis `json:"cancelled,omitempty"`
}

// ParseRuleChanges parses the rule changes stored with a tournament.
func ParseRuleChanges(text string) (all []RuleChange, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &all)
	}
	return all, err
}

// RulesIn returns the rule set of a round. It starts with the tournament's, then applies the format's changes for the
// stage, then the rulings in force in that round. Of two rulings on the same field, the one from the later round wins;
// within a round, the later ruling.
func RulesIn(base ruleset.Ruleset, f format.Format, changes []RuleChange, stage, round int) (ruleset.Ruleset, error) {
	rules := base
	var err error
	if stage >= 0 && stage < len(f.Stages) {
		if rules, err = base.With(f.Stages[stage].Rules); err != nil {
			return rules, err
		}
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c RuleChange) bool {
		return c.Cancelled != 0 ||
			c.From > round
	})
	slices.SortStableFunc(changes, func(a, b RuleChange) int { return a.From - b.From })
	for _, c := range changes {
		if rules, err = rules.With(c.Rules); err != nil {
			return rules, err
		}
	}
	return rules, nil
}

// ruling is the stored data that determines the rules of a round.
type ruling struct {
	format, rules, changes string
	stage, round           int
}

// roundRules caches the rules read last, since all games of a round begin with the same ones.
type roundRules struct {
	mu   sync.Mutex
	of   ruling
	read ruleset.Ruleset
}

func (k *roundRules) get(of ruling) (ruleset.Ruleset, error) {
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

func (r ruling) ruleset() (ruleset.Ruleset, error) {
	base, err := ruleset.ParseRuleset(ruleset.Ruleset{}, []byte(r.rules))
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
