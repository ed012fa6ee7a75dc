package webtest

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"meldhall/engine/score"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// finalists returns a tournament of eight players with real tiles whose final of four is drawn and published, and the
// first round's game at table 1. The points there are 90, -20, -30 and -40, at table 2 75, -15, -25 and -35, so two
// players of each table are in the final.
func finalists(t *testing.T) (e *event, game int64, final api.RoundDetail) {
	t.Helper()
	e = &event{players: map[int64]*caller{}}
	e.hall, e.organizer, e.referee = newStaffed(t)
	var made api.TournamentDetail
	e.organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": "Cup", "format": "open",
		"rules": map[string]any{"preset": "wrc"}, "seed": 7}, &made)
	e.id = made.ID
	stage := format.Stage{Name: "Preliminary", Kind: format.Preliminary, Rounds: 1, GamesPerRound: 1,
		Seating: format.ByStandings, SeatChange: format.EveryRound, CarryOver: format.CarryAll}
	last := stage
	last.Name, last.Kind, last.Cut = "Final", format.Final, 4
	if _, err := action.Do(t.Context(), e.desk, rights.Staff(rights.RoleOrganizer, "organizer"),
		draw.ChangeFormat{Tournament: e.id, Format: format.Format{Name: "cup", Version: 1,
			Stages: []format.Stage{stage, last}}, Why: ""}); err != nil {
		t.Fatal(err)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", e.id), roster(8), nil)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	e.realTables(1, 2)
	e.start()
	for table, racks := range [][]string{{"", "R13 R7", "K13 B13 O4", "K12 B12 O12 R4"},
		{"", "R13 R2", "K13 B12", "K11 B11 O13"}} {
		game := e.round.Tables[table].Games[0].ID
		e.referee.post(game, "starter", map[string]any{"seat": 0})
		e.referee.post(game, "ready", map[string]any{"turn": 0})
		e.referee.post(game, "end-turn", map[string]any{"turn": 1, "seat": 0, "opened": true, "out": true})
		var counted []map[string]any
		for _, rack := range racks {
			counted = append(counted, map[string]any{"tiles": strings.Fields(rack), "opened": true})
		}
		e.referee.post(game, "count-racks", map[string]any{"racks": counted})
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), result.ConfirmResult{Rev: 1}, nil)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), map[string]any{}, &final)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", final.ID), nil, &final)
	return e, e.round.Tables[0].Games[0].ID, final
}

// TestACorrectionShowsWhatItChanges checks that a correction shows, before it is entered, whose standing changes, who
// would have been in the final, and that the final stays unchanged. Entering it then does exactly that.
func TestACorrectionShowsWhatItChanges(t *testing.T) {
	t.Parallel()
	e, game, final := finalists(t)
	name := func(seat int) string { return e.round.Tables[0].Seats[seat].Player.Name }
	before := e.standings(t)
	o := e.signedIn("organizer")
	typed := []string{"points-1", "-30", "points-2", "-20", "charge-1", "30", "charge-2", "20", "why",
		"two racks were exchanged"}
	look := o.get(t, fmt.Sprintf("/desk/%d/results/%d", e.id, game)).look(t, "/correct", typed...).is(http.StatusOK)
	look.says("#correct-standings", name(2)).says(".effects", "Final").says(".effects",
		name(2)+"\u2069 would have advanced").says(".effects", name(1)+"\u2069 would not").
		says(".effects", "stays as it is").says("#correct-rounds", "Round 2").says("#correct-rounds",
		"published").says("#correct-rounds", "Other players would have been in it")
	if said := look.text("main"); strings.Contains(said, "add up") {
		t.Errorf("points that add up are warned about: %s", said)
	}
	if wrong := o.get(t, fmt.Sprintf("/desk/%d/results/%d", e.id, game)).look(t, "/correct", "points-1", "many", "why",
		"mistyped").text("main"); !strings.Contains(wrong, name(1)+" · Points : “many” is not a number") {
		t.Errorf("a number that is none is not called by the form's words: %s", wrong)
	}
	o.get(t, fmt.Sprintf("/desk/%d/results/%d", e.id, game)).look(t, "/correct", "points-1", "-31", "why",
		"mistyped").is(http.StatusOK).
		says("p.flash", "add up to \u221211, not to 0").says("main", "Correct the result")
	if now := e.standings(t); !reflect.DeepEqual(now, before) {
		t.Errorf("looking at it changed the standings: %+v", now)
	}
	links := find(find(look.doc, "main")[0], "a.btn")
	back := o.get(t, attr(links[len(links)-1], "href"))
	if back.value("points-1") != "-30" || back.value("why") != "two racks were exchanged" {
		t.Errorf("back at the numbers, what was typed is lost: %q", back.value("points-1"))
	}
	lines := make([]api.CorrectLine, 4)
	for seat, points := range []int{90, -30, -20, -40} {
		lines[seat] = api.CorrectLine{Seat: seat, Points: score.Whole(points)}
	}
	lines[0].Wins = score.Whole(1)
	body := api.CorrectBody{Rev: 2, Why: "two racks were exchanged", Lines: lines, Preview: true}
	path := fmt.Sprintf("/games/%d/correct", game)
	var seen, done api.Corrected
	e.organizer.must(http.MethodPost, path, body, &seen)
	if seen.Done || len(seen.Changes) != 3 || len(seen.Cuts) != 1 || !seen.Cuts[0].Drawn || seen.Cuts[0].Stage != 2 ||
		len(seen.Seated) != 1 || seen.Seated[0].ID != final.ID {
		t.Errorf("looked at over the API: %+v", seen)
	}
	e.referee.refusedWith(t, http.StatusForbidden, "err_not_allowed", http.MethodPost, path, body)
	if seen.Sum != nil {
		t.Errorf("points that add up are warned about: %+v", seen.Sum)
	}
	body.Lines[3].Points -= score.Whole(5)
	e.organizer.must(http.MethodPost, path, body, &done)
	if done.Sum == nil || done.Sum.Sum != -score.Whole(5) || done.Sum.Want != 0 {
		t.Errorf("five points that nobody wins: %+v", done.Sum)
	}
	body.Lines[3].Points += score.Whole(5)
	body.Preview = false
	look.submit(fmt.Sprintf("/results/%d", game)).is(http.StatusOK).says(".flash", "1 later round")
	e.organizer.refusedWith(t, http.StatusConflict, "err_result_changed", http.MethodPost, path, body)
	body.Rev, body.Lines[1].Points, body.Lines[2].Points = 3, score.Whole(-20), score.Whole(-30)
	e.organizer.must(http.MethodPost, path, body, &done)
	if !done.Done || fmt.Sprint(done.Cuts[0].In, done.Cuts[0].Out) != fmt.Sprint(seen.Cuts[0].Out, seen.Cuts[0].In) {
		t.Errorf("corrected back: %+v", done)
	}
	if now := e.standings(t); !reflect.DeepEqual(now, before) {
		t.Errorf("corrected twice, the standings are %+v", now)
	}
	var is api.RoundDetail
	e.organizer.must(http.MethodGet, fmt.Sprintf("/rounds/%d", final.ID), nil, &is)
	for i, seat := range is.Tables[0].Seats {
		if seat.Player.ID != final.Tables[0].Seats[i].Player.ID {
			t.Errorf("seat %d of the final changed", i)
		}
	}
}

// A replay is previewed in the same way, from the count.
func TestAReplayShowsWhatItChanges(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	game := e.begin(0)
	e.byDraws(game)
	referee := e.signedIn("referee")
	count := fmt.Sprintf("/referee/%d/games/%d/count", e.id, game)
	referee.get(t, count).look(t, "/replay", "why", " ").is(http.StatusUnprocessableEntity).says(".flash",
		"Give a reason")
	look := referee.get(t, count).look(t, "/replay", "why", "the deal was seen").is(http.StatusOK).says("main",
		"is annulled")
	var seen api.Corrected
	path, body := fmt.Sprintf("/games/%d/replay", game), api.ReplayBody{Rev: 1, Why: "the deal was seen", Preview: true}
	e.referee.must(http.MethodPost, path, body, &seen)
	if seen.Done || len(seen.Changes) != 4 {
		t.Errorf("looked at over the API: %+v", seen)
	}
	look.submit("/result.replay").is(http.StatusOK).says(".flash", "recorded")
	body.Preview = false
	if status, _, _ := e.referee.send(http.MethodPost, path, body); status != http.StatusConflict {
		t.Errorf("twice: %d", status)
	}
}
