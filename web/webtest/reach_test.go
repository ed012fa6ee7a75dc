package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/web/view"
)

// reachWithin is how soon a desk action must reach every tablet it affects.
const reachWithin = 2 * time.Second

// hears reads a tablet's stream until its state satisfies holds.
func hears(t *testing.T, tablet <-chan message, holds func(view.LiveState) bool) {
	t.Helper()
	for {
		var state view.LiveState
		if err := json.Unmarshal([]byte(next(t, tablet).data), &state); err != nil {
			t.Fatal(err)
		}
		if holds(state) {
			return
		}
	}
}

// TestTheDeskReachesEveryTablet checks that start, pause, resume and call time, at one table and at all, reach each of
// 64 tablets at 16 tables within two seconds, and no tablet of another table.
func TestTheDeskReachesEveryTablet(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 64, map[string]any{"turn_seconds": 600, "start_seconds": 600})
	desk := e.signedIn("organizer")
	var all []<-chan message // four per table
	for table := range e.round.Tables {
		for seat := range e.round.Tables[table].Seats {
			all = append(all, e.at(table, seat).watch("/seat/live"))
		}
	}
	if len(all) != 64 {
		t.Fatalf("%d tablets", len(all))
	}
	one := e.round.Tables[5].Games[0].ID
	paused := func(s view.LiveState) bool { return s.View.Paused != nil && s.View.Paused.ResumeAt == 0 }
	goesOn := func(s view.LiveState) bool { return s.View.Paused == nil || s.View.Paused.ResumeAt > 0 }
	timeOver := func(s view.LiveState) bool { return s.View.TimeOver }
	atAll := func(action string) func() {
		return func() {
			desk.post(t, fmt.Sprintf("/referee/%d/rounds/%d/%s", e.id, e.round.ID, action),
				url.Values{"key": {e.key()}, "reason": {"test"}}).is(http.StatusOK)
		}
	}
	atOne := func(action string) func() {
		return func() {
			e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/%s", one, action),
				map[string]any{"key": e.key(), "reason": "test"}, nil)
		}
	}
	ready := func() {
		for table := range e.round.Tables {
			e.begin(table)
		}
	}
	for _, step := range []struct {
		name    string
		prepare func()
		do      func()
		tablets []<-chan message
		holds   func(view.LiveState) bool
	}{
		{"start", nil, func() { e.start() }, all,
			func(s view.LiveState) bool { return s.View.Phase == engine.PhaseDealt }},
		{"pause one", ready, atOne("pause"), all[20:24], paused},
		{"resume one", nil, atOne("resume"), all[20:24], goesOn},
		{"pause all", nil, atAll("pause"), all, paused},
		{"resume all", nil, atAll("resume"), all, goesOn},
		{"call time at one", nil, atOne("call-time"), all[20:24], timeOver},
		{"call time at all", nil, atAll("call-time"), append(all[:20:20], all[24:]...), timeOver},
	} {
		t.Run(step.name, func(t *testing.T) {
			if step.prepare != nil {
				step.prepare()
			}
			began := time.Now()
			step.do()
			for _, tablet := range step.tablets {
				hears(t, tablet, step.holds)
			}
			held(t, fmt.Sprintf("on the last of %d tablets", len(step.tablets)), time.Since(began), reachWithin)
			for _, table := range e.round.Tables {
				if view := e.public().view(table.Games[0].ID); len(step.tablets) == 4 && table.Games[0].ID != one &&
					(view.Paused != nil && view.Paused.ResumeAt == 0 || view.TimeOver) {
					t.Errorf("table %d is held too", table.Number)
				}
			}
		})
	}
}
