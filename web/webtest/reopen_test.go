package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// playedOut returns a tournament of four whose only round is played with real tiles and confirmed. It is over unless
// change adds rounds to the format.
func playedOut(t *testing.T, change ...func(*format.Format)) (e *event, game int64) {
	t.Helper()
	e = &event{players: map[int64]*caller{}}
	e.hall, e.organizer, e.referee = newStaffed(t)
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Evening", "format": "open",
		"rules": map[string]any{"preset": "wrc"}, "seed": 7}, &made)
	e.id = made.ID
	stage := format.Stage{Name: "Games", Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1,
		Seating: format.ByStandings, SeatChange: format.EveryRound, CarryOver: format.CarryAll}
	f := format.Format{Name: "evening", Version: 1, Stages: []format.Stage{stage}}
	for _, c := range change {
		c(&f)
	}
	if _, err := action.Do(t.Context(), e.desk, rights.Staff(rights.RoleOrganizer, "organizer"),
		draw.ChangeFormat{Tournament: e.id, Format: f, Why: ""}); err != nil {
		t.Fatal(err)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id), roster(4), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	e.realTables(1)
	e.start()
	game = e.round.Tables[0].Games[0].ID
	e.referee.post(game, "starter", map[string]any{"seat": 0})
	e.referee.post(game, "ready", map[string]any{"turn": 0})
	e.referee.post(game, "end-turn", map[string]any{"turn": 1, "seat": 0, "opened": true, "out": true})
	e.referee.post(game, "count-racks", map[string]any{"racks": []map[string]any{{"tiles": []string{}, "opened": true},
		{"tiles": []string{"R7"}, "opened": true},
		{"tiles": []string{"B4"}, "opened": true}, {"tiles": []string{"K1"}, "opened": true}}})
	e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	return e, game
}

// TestAnEventIsReopened checks that a tournament ended by mistake is reopened with one more round, after a preview and
// with a log entry. Resetting the number of rounds to those played ends it again.
func TestAnEventIsReopened(t *testing.T) {
	t.Parallel()
	e, _ := playedOut(t)
	status := func() string {
		t.Helper()
		var d api.TournamentDetail
		e.organizer.must(http.MethodGet, fmt.Sprintf("/tournaments/%d", e.id), nil, &d)
		return d.Status
	}
	desk, rounds := fmt.Sprintf("/desk/%d", e.id), fmt.Sprintf("/tournaments/%d/rounds", e.id)
	e.organizer.refusedWith(t, http.StatusConflict, "err_tournament_finished", http.MethodPost, rounds,
		map[string]any{})
	var made api.ReopenAnswer
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/reopen", e.id), api.ReopenBody{Preview: true}, &made)
	if made != (api.ReopenAnswer{Stage: 1, Rounds: 2}) || status() != tournament.StatusFinished {
		t.Errorf("looked at: %+v, the event is %s", made, status())
	}
	o := e.signedIn("organizer")
	o.get(t, desk).says("main", "Reopen the event")
	look := o.get(t, desk+"/reopen").is(http.StatusOK).says(".effects", "one more round: 2 in all").says(".effects",
		"not final")
	look.submit("/tournament.reopen", "why", "there is time for one more").is(http.StatusOK).says(".flash",
		"continues").says("main", "Seat round 2")
	o.get(t, desk+"/reopen").is(http.StatusConflict).says(".flash", "Only an event that is over")
	o.get(t, desk+"/log?q=one+more").says(".log", "Event reopened").says(".log", "running")
	o.get(t, desk+"/stages/0/rounds?rounds=1").submit("/tournament.rounds", "why", "they went home").is(http.StatusOK)
	if got := status(); got != tournament.StatusFinished {
		t.Errorf("with the rounds that were played the event is %s", got)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/reopen", e.id), api.ReopenBody{Why: "again"}, nil)
	var next api.RoundDetail
	e.organizer.must(http.MethodPost, rounds, map[string]any{}, &next)
	if next.Number != 2 {
		t.Errorf("round %d was drawn", next.Number)
	}
}
