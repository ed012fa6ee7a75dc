package webtest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/practice"
	"meldhall/web/api"
	"meldhall/web/bots"
)

// TestRehearsal lets bots play a copy of a tournament to its champion with clocks ten times as fast. The public cannot
// find the copy, and the tournament itself stays unchanged.
func TestRehearsal(t *testing.T) {
	t.Parallel()
	h, o, referee := newStaffed(t)
	h.server.Request.Bots.Rehearsal = bots.Pace{Look: 2 * time.Millisecond, Think: time.Millisecond,
		Report: time.Second}
	var made api.TournamentDetail
	o.must(http.MethodPost, "/tournaments", map[string]any{"name": "Cup", "format": "quick",
		"rules": map[string]any{"preset": "wrc"}, "seed": 3}, &made)
	o.refusedWith(t, http.StatusConflict, "err_players_too_few", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/rehearsal", made.ID), api.RehearsalBody{By: "all"})
	o.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID),
		"name,email\nAnn,ann@example.org\nBob,\nCid,\nDot,\n", nil)
	referee.refusedWith(t, http.StatusForbidden, "err_not_allowed", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/rehearsal", made.ID), api.RehearsalBody{By: "all"})
	var copied api.TournamentView
	o.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rehearsal", made.ID), api.RehearsalBody{By: "all"}, &copied)
	o.refusedWith(t, http.StatusConflict, "err_rehearsal_of", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/rehearsal", copied.ID), api.RehearsalBody{By: "all"})

	var detail api.TournamentDetail
	for limit := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		o.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", copied.ID), nil, &detail)
		if detail.Status == tournament.StatusFinished {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("it is not over: %+v", detail.Rounds)
		}
	}
	if detail.Rules.TurnSeconds != 6 || detail.Players != 4 || !strings.Contains(detail.Name, "Rehearsal") {
		t.Errorf("got %d s for a turn, %d players, %q", detail.Rules.TurnSeconds, detail.Players, detail.Name)
	}
	players, err := tournament.Players(t.Context(), h.store, copied.ID)
	if err != nil || slices.ContainsFunc(players, func(p tournament.Player) bool { return p.Email != "" }) {
		t.Errorf("%v: addresses were copied: %+v", err, players)
	}
	var list []api.TournamentView
	h.public().must(http.MethodGet, "/tournaments", nil, &list)
	if len(list) != 0 { // the tournament itself is a hidden draft
		t.Errorf("the public list holds %+v", list)
	}
	if page := h.signedIn("referee").get(t, fmt.Sprintf("/events/%d", copied.ID)); !strings.Contains(page.text(".news"),
		"nothing counts") {
		t.Errorf("it is not marked: %q", page.text(".news"))
	}
	o.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", made.ID), nil, &detail)
	if detail.Status != tournament.StatusDraft || len(detail.Rounds) != 0 {
		t.Errorf("the event itself has moved: %+v", detail)
	}
	referee.refusedWith(t, http.StatusForbidden, "err_not_allowed", http.MethodPost,
		fmt.Sprintf("/rehearsals/%d/remove", copied.ID), nil)
	o.refusedWith(t, http.StatusConflict, "err_rehearsal_none", http.MethodPost,
		fmt.Sprintf("/rehearsals/%d/remove", made.ID), nil)
	o.must(http.MethodPost, fmt.Sprintf("/rehearsals/%d/remove", copied.ID), nil, nil)
	if got, _ := o.probe(http.MethodGet, fmt.Sprintf("/tournaments/%d", copied.ID), nil); got != http.StatusNotFound {
		t.Errorf("it is there yet: %d", got)
	}
}

// TestRehearsalEndsByItself checks that after an hour the bots stop, and time is called in the remaining games.
func TestRehearsalEndsByItself(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 60, "start_seconds": 0})
	now := e.store.Now
	late := make(chan struct{})
	e.store.Now = func() time.Time {
		select {
		case <-late:
			return now().Add(practice.RehearsalLife + time.Second)
		default:
			return now()
		}
	}
	e.server.Request.Bots.Rehearsal = bots.Pace{Look: 2 * time.Millisecond, Think: 20 * time.Millisecond,
		Report: time.Second}
	o := e.signedIn("organizer")
	page := o.get(t, fmt.Sprintf("/desk/%d/rehearsal", e.id)).is(http.StatusOK)
	page = page.submit(fmt.Sprintf("/desk/%d/rehearsal", e.id), "by", "all").is(http.StatusOK)
	page.says(".flash", "step by step")
	copied, ok, err := practice.RehearsalOf(t.Context(), e.store, e.id)
	if err != nil || !ok || page.path != fmt.Sprintf("/referee/%d", copied.ID) {
		t.Fatalf("led to %s: %v", page.path, err)
	}
	until(t, o.regions(t, fmt.Sprintf("/referee/%d/live", copied.ID)), "floor-row")
	until(t, o.regions(t, fmt.Sprintf("/referee/%d/devices/live", copied.ID)), "8 of 8 tablets are connected")
	close(late)
	e.botsStop(t)
	rounds, err := draw.Rounds(t.Context(), e.store, copied.ID)
	if err != nil {
		t.Fatal(err)
	}
	current, err := game.CurrentInRound(t.Context(), e.store, rounds[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range current {
		snap, err := e.games.Look(t.Context(), at.Game)
		if err != nil {
			t.Fatal(err)
		}
		if state := snap.State; state.Phase == "playing" && !state.TimeOver {
			t.Errorf("table %d plays on", at.TableNumber)
		}
	}
	o.get(t, fmt.Sprintf("/desk/%d/rehearsal", e.id)).says("main",
		"The rehearsal is over").submit(fmt.Sprintf("/desk/%d/rehearsal", e.id), "remove", "1").says(".flash",
		"removed")
}

// TestBotsStopWithARemovedRehearsal checks that the bots stop when their rehearsal is removed.
func TestBotsStopWithARemovedRehearsal(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, map[string]any{"turn_seconds": 0})
	e.server.Request.Bots.Rehearsal = bots.Pace{Look: 2 * time.Millisecond, Think: 20 * time.Millisecond,
		Report: time.Second}
	var copied api.TournamentView
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rehearsal", e.id), api.RehearsalBody{By: "all"},
		&copied)
	until(t, e.signedIn("organizer").regions(t, fmt.Sprintf("/referee/%d/live", copied.ID)), "floor-row")
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rehearsals/%d/remove", copied.ID), nil, nil)
	e.botsStop(t)
}

// botsStop fails the test if the bots do not stop soon.
func (e *event) botsStop(t *testing.T) {
	t.Helper()
	over := make(chan struct{})
	go func() { e.server.Request.Bots.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(patience):
		t.Fatal("the bots play yet")
	}
}
