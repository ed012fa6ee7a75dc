package rulebook

import (
	"encoding/json"
	"errors"
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
)

type event struct{ *actiontest.Event }

func (c *event) rules(a action.Action, key string) {
	c.Helper()
	_, err := c.Desk.Do(c.Context(), actiontest.Organizer, a)
	var e *refuse.Error
	switch {
	case key == "" && err != nil:
		c.Fatalf("%+v: %v", a, err)
	case key != "" && (!errors.As(err, &e) || e.Key != key):
		c.Errorf("%+v: got %v, want %s", a, err, key)
	}
}

// dealtBy returns the rules that the first game of a round was dealt with, after checking that the tournament has the
// same rules for the round.
func (c *event) dealtBy(r tournament.Round) ruleset.Ruleset {
	c.Helper()
	tables, err := tournament.Tables(c.Context(), c.DB, r.ID)
	if err != nil {
		c.Fatal(err)
	}
	dealt := tables[0].Games[0].ID
	var log []byte
	if err := c.DB.Read.Raw(`SELECT data FROM game_events WHERE game_id = ? AND seq = 1`,
		dealt).Row().Scan(&log); err != nil {
		c.Fatalf("no game of round %d was dealt: %v", r.Number, err)
	}
	var first struct{ Rules ruleset.Ruleset }
	tour, err := tournament.TournamentByID(c.Context(), c.DB, c.ID)
	if err != nil {
		c.Fatal(err)
	}
	says, err := tour.RulesIn(r.Stage, r.Number)
	if err != nil {
		c.Fatal(err)
	}
	if err := json.Unmarshal(log, &first); err != nil || first.Rules != says {
		c.Errorf("round %d was dealt by %+v, the event says %+v, %v", r.Number, first.Rules, says, err)
	}
	return first.Rules
}

// TestRulesChange checks that every rule can change until a game is dealt. After that a ruling changes them from a
// future round on, and games already dealt keep their rules.
func TestRulesChange(t *testing.T) {
	f := actiontest.OneRound()
	f.Stages[0].Rounds = 3
	c := &event{actiontest.NewEvent(t, f, 8)}
	change := func(name string, value any) ChangeRules {
		return ChangeRules{Tournament: c.ID, Rules: map[string]any{name: value}}
	}
	from := func(round int, name string, value any) RuleFrom {
		return RuleFrom{Tournament: c.ID, Round: round, Rules: map[string]any{name: value}, Why: "late"}
	}
	for _, f := range ruleset.RuleFields() {
		for _, wrong := range []any{f.Hi + 1, -1, "nonsense", nil, 1.5} {
			if wrong == nil {
				continue
			}
			c.rules(change(f.Name, wrong), "err_rules_field")
		}
	}
	c.rules(change("name", "mine"), "err_rules_field")
	c.rules(change("turn_second", 5), "err_rules_field")
	c.rules(from(1, "turn_seconds", 40), "err_rules_not_dealt")
	one := actiontest.Do(c.Event, draw.PairRound{Tournament: c.ID})
	c.rules(change("seats_max", 3), "err_rules_seated")
	actiontest.Do(c.Event, draw.PublishRound{Round: one.ID})
	c.rules(ChangeRules{Tournament: c.ID, Rules: map[string]any{"turn_seconds": 90, "joker_points": 30.0,
		"starter": "rotate", "last_to_open_relief": true}}, "")
	c.Play(one.ID)
	if got := c.dealtBy(one); got.TurnSeconds != 90 || got.JokerPoints != 30 || got.Starter != ruleset.Rotate ||
		!got.LastToOpenRelief {
		t.Errorf("round 1 was dealt by %+v", got)
	}
	c.rules(change("turn_seconds", 60), "err_rules_dealt")
	c.rules(from(1, "turn_seconds", 40), "err_rules_begun")
	c.rules(from(99, "turn_seconds", 40), "err_rules_round")
	c.rules(RuleFrom{Tournament: c.ID, Round: 2, Rules: map[string]any{"turn_seconds": 40}}, "err_why_missing")
	for _, name := range WholeEvent {
		c.rules(from(2, name, 3), "err_rules_whole_event")
	}
	c.rules(from(2, "turn_seconds", 4000), "err_rules_field")
	c.rules(from(2, "turn_seconds", 40), "")
	c.rules(from(3, "joker_points", 50), "")
	c.rules(from(3, "joker_points", 100), "")
	c.rules(CancelRuleChange{Tournament: c.ID, Number: 3}, "")
	c.rules(CancelRuleChange{Tournament: c.ID, Number: 3}, "err_rules_change_not_found")
	two := actiontest.Do(c.Event, draw.PairRound{Tournament: c.ID})
	actiontest.Do(c.Event, draw.PublishRound{Round: two.ID})
	c.Play(two.ID)
	if got := c.dealtBy(two); got.TurnSeconds != 40 || got.JokerPoints != 30 {
		t.Errorf("round 2 was dealt by %+v", got)
	}
	c.rules(CancelRuleChange{Tournament: c.ID, Number: 1}, "err_rules_begun_by")
	three := actiontest.Do(c.Event, draw.PairRound{Tournament: c.ID})
	actiontest.Do(c.Event, draw.PublishRound{Round: three.ID})
	c.Play(three.ID)
	if got := c.dealtBy(three); got.TurnSeconds != 40 || got.JokerPoints != 50 {
		t.Errorf("round 3 was dealt by %+v", got)
	}
	if got := c.dealtBy(one); got.TurnSeconds != 90 {
		t.Errorf("round 1 has the rules of another: %+v", got)
	}
	c.rules(from(4, "turn_seconds", 30), "err_tournament_finished")
}

// TestAStageKeepsItsRules checks that a game's record has the rules of its stage, and that saving the format again does
// not undo changed rules.
func TestAStageKeepsItsRules(t *testing.T) {
	f := actiontest.OneRound()
	f.Rules = map[string]any{"joker_points": 25}
	f.Stages[0].Rules = map[string]any{"turn_seconds": 45}
	c := &event{actiontest.NewEvent(t, f, 4)}
	c.rules(ChangeRules{Tournament: c.ID, Rules: map[string]any{"joker_points": 77, "turn_seconds": 10}}, "")
	c.rules(draw.ChangeFormat{Tournament: c.ID, Format: f}, "")
	r := actiontest.Do(c.Event, draw.PairRound{Tournament: c.ID})
	actiontest.Do(c.Event, draw.PublishRound{Round: r.ID})
	c.Play(r.ID)
	if got := c.dealtBy(r); got.TurnSeconds != 45 || got.JokerPoints != 77 {
		t.Errorf("dealt by %+v", got)
	}
}
