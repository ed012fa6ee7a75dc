package tournament

import (
	"encoding/json"
	"errors"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
)

func (c *crowd) rules(a door.Action, key string) {
	c.t.Helper()
	_, err := deskOf(c.s).Do(c.t.Context(), organizer, a)
	var e *refuse.Error
	switch {
	case key == "" && err != nil:
		c.t.Fatalf("%+v: %v", a, err)
	case key != "" && (!errors.As(err, &e) || e.Key != key):
		c.t.Errorf("%+v: got %v, want %s", a, err, key)
	}
}

// dealtBy are the rules that the first game of a round was dealt by; they agree with those that the event has for the round.
func (c *crowd) dealtBy(r Round) engine.Ruleset {
	c.t.Helper()
	tables, err := Tables(c.t.Context(), c.s, r.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	dealt := tables[0].Games[0].ID
	var log []byte
	if err := c.s.Read.Raw(`SELECT data FROM game_events WHERE game_id = ? AND seq = 1`, dealt).Row().Scan(&log); err != nil {
		c.t.Fatalf("no game of round %d was dealt: %v", r.Number, err)
	}
	var first struct{ Rules engine.Ruleset }
	tour, err := TournamentByID(c.t.Context(), c.s, c.tour.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	says, err := tour.RulesIn(r.Stage, r.Number)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal(log, &first); err != nil || first.Rules != says {
		c.t.Errorf("round %d was dealt by %+v, the event says %+v, %v", r.Number, first.Rules, says, err)
	}
	return first.Rules
}

// TestRulesChange: every rule changes until a game is dealt; then a ruling changes them from a round on that has not begun, and what was dealt
// keeps its rules.
func TestRulesChange(t *testing.T) {
	c := newCrowd(t, 8)
	newGames(t, c.s)
	change := func(name string, value any) ChangeRules {
		return ChangeRules{Tournament: c.tour.ID, Rules: map[string]any{name: value}}
	}
	from := func(round int, name string, value any) RuleFrom {
		return RuleFrom{Tournament: c.tour.ID, Round: round, Rules: map[string]any{name: value}, Why: "late"}
	}
	for _, f := range engine.RuleFields() {
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
	one := c.draw()
	c.rules(change("seats_max", 3), "err_rules_seated")
	c.publish(one)
	c.rules(ChangeRules{Tournament: c.tour.ID, Rules: map[string]any{"turn_seconds": 90, "joker_points": 30.0, "starter": "rotate", "last_to_open_relief": true}}, "")
	c.play(one)
	if got := c.dealtBy(one); got.TurnSeconds != 90 || got.JokerPoints != 30 || got.Starter != engine.Rotate || !got.LastToOpenRelief {
		t.Errorf("round 1 was dealt by %+v", got)
	}
	c.rules(change("turn_seconds", 60), "err_rules_dealt")
	c.rules(from(1, "turn_seconds", 40), "err_rules_begun")
	c.rules(from(99, "turn_seconds", 40), "err_rules_round")
	c.rules(RuleFrom{Tournament: c.tour.ID, Round: 2, Rules: map[string]any{"turn_seconds": 40}}, "err_why_missing")
	for _, name := range WholeEventRules {
		c.rules(from(2, name, 3), "err_rules_whole_event")
	}
	c.rules(from(2, "turn_seconds", 4000), "err_rules_field")
	c.rules(from(2, "turn_seconds", 40), "")
	c.rules(from(3, "joker_points", 50), "")
	c.rules(from(3, "joker_points", 100), "")
	c.rules(CancelRuleChange{Tournament: c.tour.ID, Number: 3}, "")
	c.rules(CancelRuleChange{Tournament: c.tour.ID, Number: 3}, "err_rules_change_not_found")
	two := c.draw()
	c.publish(two)
	c.play(two)
	if got := c.dealtBy(two); got.TurnSeconds != 40 || got.JokerPoints != 30 {
		t.Errorf("round 2 was dealt by %+v", got)
	}
	c.rules(CancelRuleChange{Tournament: c.tour.ID, Number: 1}, "err_rules_begun_by")
	three := c.draw()
	c.publish(three)
	c.play(three)
	if got := c.dealtBy(three); got.TurnSeconds != 40 || got.JokerPoints != 50 {
		t.Errorf("round 3 was dealt by %+v", got)
	}
	if got := c.dealtBy(one); got.TurnSeconds != 90 {
		t.Errorf("round 1 has the rules of another: %+v", got)
	}
	c.rules(from(4, "turn_seconds", 30), "err_tournament_finished")
}

// TestAStageKeepsItsRules: the rules of a game's record are those of its stage, and saving the format again leaves changed rules as they are.
func TestAStageKeepsItsRules(t *testing.T) {
	f := oneRound()
	f.Rules = map[string]any{"joker_points": 25}
	f.Stages[0].Rules = map[string]any{"turn_seconds": 45}
	s, tour := eventOf(t, f, 4)
	c := &crowd{t, s, tour}
	newGames(t, s)
	c.rules(ChangeRules{Tournament: tour.ID, Rules: map[string]any{"joker_points": 77, "turn_seconds": 10}}, "")
	c.rules(ChangeFormat{Tournament: tour.ID, Format: f}, "")
	r := c.draw()
	c.publish(r)
	c.play(r)
	if got := c.dealtBy(r); got.TurnSeconds != 45 || got.JokerPoints != 77 {
		t.Errorf("dealt by %+v", got)
	}
}
