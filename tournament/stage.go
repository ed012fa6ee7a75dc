package tournament

import (
	"cmp"
	"fmt"

	"meldhall/engine/ruleset"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/preset"
	"meldhall/tournament/refuse"
)

// PlayOffTables seats tied players, each tie at its own tables.
func PlayOffTables(ties [][]int64, rules ruleset.Ruleset) (tables [][]int64, err error) {
	for _, tied := range ties {
		for _, size := range format.PlayOff(len(tied)) {
			if size < rules.SeatsMin || size > rules.SeatsMax {
				return nil, refuse.Invalid("err_table_size", "players", len(tied), "size", size, "min", rules.SeatsMin,
					"max", rules.SeatsMax)
			}
			tables, tied = append(tables, tied[:size:size]), tied[size:]
		}
	}
	return tables, nil
}

// RulesAt returns the rule set of a stage: the tournament's, with the fields that the format overrides. For an unknown
// stage it returns the tournament's.
func (t Tournament) RulesAt(stage int) (ruleset.Ruleset, error) {
	f, rules, err := t.Plan()
	if err != nil || stage < 0 || stage >= len(f.Stages) {
		return rules, err
	}
	return preset.WithRules(rules, f.Stages[stage].Rules)
}

// RuleChanges returns the rulings that change the rules from a round on, in the order given.
func (t Tournament) RuleChanges() ([]game.RuleChange, error) {
	return game.ParseRuleChanges(t.RuleChangesJSON)
}

// RulesIn returns the rule set of a round, see game.RulesIn.
func (t Tournament) RulesIn(stage, round int) (ruleset.Ruleset, error) {
	f, rules, err := t.Plan()
	if err != nil {
		return rules, err
	}
	changes, err := t.RuleChanges()
	if err != nil {
		return rules, err
	}
	rules, err = game.RulesIn(rules, f, changes, stage, round)
	return rules, preset.AsRefusal(err)
}

// CheckRules checks a format against the tournament's rules. Every stage's own fields must fit the others, and points
// must be penalties exactly where the lowest total wins.
func CheckRules(f format.Format, rules ruleset.Ruleset) error {
	for i, s := range f.Stages {
		own, err := preset.WithRules(rules, s.Rules)
		if err != nil {
			return err
		}
		ranking := cmp.Or(f.ScoringOf(i).Ranking, own.Standings)
		if (ranking == ruleset.LowestPoints) != (own.Points == ruleset.Penalty) {
			return refuse.Invalid("err_format_points", "field", fmt.Sprintf("stages[%d].scoring.ranking", i), "stage",
				s.Name, "ranking", ranking, "points", own.Points)
		}
	}
	return nil
}
