package rulebook

import (
	"context"
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// RuleFrom is the ruling that changed rules apply from a given round on. No game of that round may have been dealt. It
// is for tournaments with a dealt game; before that see ChangeRules. It takes precedence over the format's rules of a
// stage. The fields in WholeEvent cannot be changed this way.
type RuleFrom struct {
	Tournament int64          `json:"tournament,omitempty" path:"id" minimum:"1"`
	Round      int            `json:"round" minimum:"1" doc:"the number of the first round under these rules"`
	Rules      map[string]any `json:"rules" doc:"the changed fields of the rule set"`
	Why        string         `json:"why" maxLength:"500"`
}

var _ = action.NewKind[RuleFrom](action.Kind{Name: "tournament.rules_from", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[step]})

func (r RuleFrom) Do(tx *action.Tx) (out Changed, err error) {
	t, err := openEvent(tx.DB, r.Tournament)
	if err != nil {
		return out, err
	}
	why, err := action.CleanWhy(r.Why)
	if err != nil {
		return out, err
	}
	if why == "" {
		return out, refuse.Invalid("err_why_missing", "most", action.ReasonMost)
	}
	to, err := roundsToCome(tx.DB, t)
	if err != nil {
		return out, err
	}
	if err := to.check(r.Round); err != nil {
		return out, err
	}
	for _, name := range WholeEvent {
		if _, ok := r.Rules[name]; ok {
			return out, refuse.Invalid("err_rules_whole_event", "field", name)
		}
	}
	out.Tournament, out.From = t, r.Round
	was, err := t.RulesIn(to.stages[r.Round], r.Round)
	if err != nil {
		return out, err
	}
	is, err := changedRules(was, r.Rules)
	if err != nil {
		return out, err
	}
	if out.Fields = fieldsBetween(was, is); len(out.Fields) == 0 {
		return out, nil
	}
	all, err := t.RuleChanges()
	if err != nil {
		return out, err
	}
	step := out.step()
	all = append(all, game.RuleChange{From: r.Round, Rules: step.Is, Why: why, By: tx.Actor.String(), At: tx.Now()})
	tx.Record(action.Entry{Event: t.ID, On: action.About{Round: r.Round}, Why: why, Is: step})
	return out, keepRuleChanges(tx.DB, &out.Tournament, all)
}

func keepRuleChanges(db *gorm.DB, t *tournament.Tournament, all []game.RuleChange) error {
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	t.RuleChangesJSON = string(text)
	return db.Model(t).Update("rule_changes", t.RuleChangesJSON).Error
}

// RoundsToCome is the range of a tournament's rounds without a dealt game.
type RoundsToCome struct {
	First, Last int         // round numbers; First > Last: none
	stages      map[int]int // stage by round number
}

func roundsToCome(db *gorm.DB, t tournament.Tournament) (to RoundsToCome, err error) {
	if to.First, err = firstUndealt(db, t.ID); err != nil {
		return to, err
	}
	f, err := t.Format()
	if err != nil {
		return to, err
	}
	var rounds []tournament.Round
	if err := db.Where("tournament_id = ?", t.ID).Order("number").Find(&rounds).Error; err != nil {
		return to, err
	}
	to.Last, to.stages = plannedRounds(f, rounds)
	return to, nil
}

// plannedRounds returns the number of a tournament's last planned round, and the stage of each round by number. It
// counts the existing rounds, and then those that remain in the format.
func plannedRounds(f format.Format, rounds []tournament.Round) (last int, stages map[int]int) {
	stages = map[int]int{}
	stage, drawn := 0, 0
	for _, r := range rounds {
		if r.Stage != stage {
			stage, drawn = r.Stage, 0
		}
		if r.PlayOff == 0 {
			drawn++
		}
		stages[r.Number] = r.Stage
		last = r.Number
	}
	for ; stage < len(f.Stages); stage, drawn = stage+1, 0 {
		for ; drawn < f.Stages[stage].Rounds; drawn++ {
			last++
			stages[last] = stage
		}
	}
	return last, stages
}

func (to RoundsToCome) check(round int) error {
	switch {
	case to.First == 1:
		return refuse.Conflict("err_rules_not_dealt")
	case to.First > to.Last:
		return refuse.Conflict("err_rules_no_round")
	case round < to.First:
		return refuse.Conflict("err_rules_begun", "round", round, "first", to.First)
	case round > to.Last:
		return refuse.Invalid("err_rules_round", "first", to.First, "last", to.Last)
	}
	return nil
}

// CancelRuleChange cancels a RuleFrom before a game is dealt under its rules. Number counts all such rulings of the
// tournament from 1.
type CancelRuleChange struct {
	Tournament int64  `json:"tournament,omitempty" path:"id" minimum:"1"`
	Number     int    `json:"number" minimum:"1"`
	Why        string `json:"why,omitempty" maxLength:"500" doc:"the reason, for the log"`
}

var _ = action.NewKind[CancelRuleChange](action.Kind{Name: "tournament.rules_back", Right: rights.MayEditFormats,
	Changes: []action.What{action.TopicSettings},
	Details: action.Keep[step]})

func (c CancelRuleChange) Do(tx *action.Tx) (out Changed, err error) {
	t, err := openEvent(tx.DB, c.Tournament)
	if err != nil {
		return out, err
	}
	why, err := action.CleanWhy(c.Why)
	if err != nil {
		return out, err
	}
	all, err := t.RuleChanges()
	if err != nil {
		return out, err
	}
	at := c.Number - 1
	if at < 0 || at >= len(all) || all[at].Cancelled != 0 {
		return out, refuse.NotFound("err_rules_change_not_found", "number", c.Number)
	}
	to, err := roundsToCome(tx.DB, t)
	if err != nil {
		return out, err
	}
	out.Tournament, out.From = t, all[at].From
	if out.From < to.First {
		return out, refuse.Conflict("err_rules_begun_by", "round", out.From, "first", to.First)
	}
	was, err := t.RulesIn(to.stages[out.From], out.From)
	if err != nil {
		return out, err
	}
	all = slices.Clone(all)
	all[at].Cancelled = tx.Now()
	if err := keepRuleChanges(tx.DB, &out.Tournament, all); err != nil {
		return out, err
	}
	is, err := out.Tournament.RulesIn(to.stages[out.From], out.From)
	out.Fields = fieldsBetween(was, is)
	tx.Record(action.Entry{Event: t.ID, On: action.About{Round: out.From}, Why: why, Is: out.step()})
	return out, err
}

// StateOf returns the state of a tournament's rules. Only officials who may edit formats may call it.
func StateOf(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) (is State, err error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayEditFormats); err != nil {
		return is, err
	}
	db := s.Read.WithContext(ctx)
	if is.Tournament, err = tournament.FindTournament(db, tournamentID); err != nil {
		return is, err
	}
	is.RoundsToCome, err = roundsToCome(db, is.Tournament)
	return is, err
}

// State describes a tournament's rules: its current ones, whether a game was dealt, and for which rounds a ruling can
// still change them.
type State struct {
	Tournament tournament.Tournament
	RoundsToCome
}

// Dealt reports whether a game of the tournament was dealt, so that only rulings can change its rules.
func (s State) Dealt() bool { return s.First > 1 }

// Open reports whether there is a round left that a ruling can apply to.
func (s State) Open() bool {
	return s.Tournament.Status != tournament.StatusFinished && s.First <= s.Last
}

// RulesOf returns the rules of a future round, or those of the tournament as a whole for round 0.
func (s State) RulesOf(round int) (ruleset.Ruleset, error) {
	if round == 0 {
		return s.Tournament.Rules()
	}
	return s.Tournament.RulesIn(s.stages[round], round)
}
