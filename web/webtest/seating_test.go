package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"testing"

	"meldhall/templates"
	deskpages "meldhall/templates/desk"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/people"
	"meldhall/web/api"
	"meldhall/web/live"
)

// seatedEvent returns a tournament with this many players and no round.
func seatedEvent(t *testing.T, name, format string, players int) (h *hall, organizer *caller, tournamentID int64) {
	t.Helper()
	h, organizer, _ = newStaffed(t)
	var made api.TournamentDetail
	organizer.must(http.MethodPost, "/tournaments", map[string]any{"name": name, "format": format,
		"rules": map[string]any{"preset": "wrc"}}, &made)
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/roster", made.ID), roster(players), nil)
	return h, organizer, made.ID
}

// TestSeatingByHandIsAskedFor checks that the desk offers to seat the next round by hand. The draft says how it was
// made, and swaps in it need no reason.
func TestSeatingByHandIsAskedFor(t *testing.T) {
	t.Parallel()
	h, organizer, tournamentID := seatedEvent(t, "By hand", "open", 8)
	r := h.signedIn("organizer")
	r.get(t, string(templates.DeskPath(tournamentID))).is(http.StatusOK).says("#seating-how", "Seated by hand")
	page := r.post(t, string(templates.RoundsPath(tournamentID)),
		url.Values{"method": {"manual"}}).is(http.StatusOK).says("main", "Starts in the order of entry")
	var round api.RoundDetail
	organizer.must(http.MethodGet, "/rounds/"+path.Base(page.path), nil, &round)
	a, b := round.Tables[0].Seats[0].Player.ID, round.Tables[1].Seats[3].Player.ID
	swap := r.get(t, string(templates.SwapPath(tournamentID, round.ID, a, b))).is(http.StatusOK)
	swapped := swap.submit("/swap").is(http.StatusOK).says("main", "Swaps by hand: 1").says("#draw-again",
		"these seats stay")
	again := swapped.submit("/draw", "note", "again", "games", "2").is(http.StatusOK)
	var round2 api.RoundDetail
	organizer.must(http.MethodGet, "/rounds/"+path.Base(again.path), nil, &round2)
	if round2.Tables[0].Seats[0].Player.ID != b || round2.Tables[1].Seats[3].Player.ID != a {
		t.Errorf("drawn again by hand: %+v", round2.Tables)
	}
	round = round2
	organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/swap", round.ID), people.SwapSeats{A: a, B: b}, nil)

	var lots api.RoundDetail
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", tournamentID),
		map[string]any{"method": "random", "note": "lots after all"}, &lots)
	organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_why_missing", http.MethodPost,
		fmt.Sprintf("/rounds/%d/swap", lots.ID), people.SwapSeats{A: a, B: b})
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", tournamentID),
		map[string]any{"method": "manual", "note": "by hand after all"}, &lots)
	if lots.Tables[0].Seats[0].Player.ID != a || lots.Method != "manual" {
		t.Errorf("got %+v", lots)
	}
	draft := string(templates.RoundPath(tournamentID, lots.ID))
	if r.get(t, draft).count("select[name=method]") != 1 {
		t.Error("a draft offers no other way of seating")
	}
	if err := h.store.Write.Exec("UPDATE rounds SET play_off = 1 WHERE id = ?", lots.ID).Error; err != nil {
		t.Fatal(err)
	}
	if page := r.get(t,
		draft).is(http.StatusOK); page.count("select[name=method]")+page.count("select[name=seats_most]") != 0 ||
		page.count("#draw-again") != 1 {
		t.Error("a play-off offers another way of seating")
	}
}

// TestAFileSeatsTheWholeStage checks that a seating file can be uploaded at the desk before there is a draft, that
// errors name the line and the player, and that later rounds come from the file too.
func TestAFileSeatsTheWholeStage(t *testing.T) {
	t.Parallel()
	h, organizer, tournamentID := seatedEvent(t, "By a file", "open", 8)
	r, desk := h.signedIn("organizer"), string(templates.DeskPath(tournamentID))
	r.get(t, desk).is(http.StatusOK).says("#seating-how", "CSV with the columns")
	file := "round,table,seat,player\n"
	for round := range 3 {
		for i := range 8 {
			file += fmt.Sprintf("%d,%d,%d,%d\n", round+1, i/4+1, i%4+1, (i+round)%8+1)
		}
	}
	refused := r.upload(t, desk+"/script", "file", file+"3,3,1,1\n").is(http.StatusUnprocessableEntity).says(".flash",
		"Line 26: 1 already has a seat on line 24")
	if live := find(refused.doc, "#live"); len(live) != 1 || len(find(live[0], ".flash")) != 0 {
		t.Error("why it was refused stands where the page's stream takes it away")
	}
	page := r.upload(t, desk+"/script", "file", file).is(http.StatusOK).says("main",
		"The file also seats 2 more rounds")
	var round api.RoundDetail
	organizer.must(http.MethodGet, "/rounds/"+path.Base(page.path), nil, &round)
	if round.Method != "script" || round.Tables[1].Seats[3].Player.Number != 8 {
		t.Errorf("got %+v", round)
	}
	thrown := page.says("#draw-discard",
		"for later rounds: 2").submit("/round.discard").is(http.StatusConflict).says(".flash",
		"seats for 2 more rounds").submit("/round.discard", "drop_file", "true").is(http.StatusOK)
	r.get(t, string(templates.LogPath(tournamentID))).is(http.StatusOK).says("main",
		"seats for later rounds discarded: 2")
	page = r.upload(t, thrown.path+"/script", "file", file).is(http.StatusOK)
	organizer.must(http.MethodGet, "/rounds/"+path.Base(page.path), nil, &round)
	organizer.refusedWith(t, http.StatusConflict, "err_draw_file", http.MethodPost,
		fmt.Sprintf("/rounds/%d/discard", round.ID), nil)
	organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/discard?drop_file=true", round.ID), nil, nil)
	page = r.upload(t, thrown.path+"/script", "file", file).is(http.StatusOK)
	page = page.says("#draw-again", "its seats stay").submit("/draw", "note", "again", "games",
		"2").is(http.StatusOK).says("main", "The file also seats 2 more rounds")
	page.submit("/draw", "note", "smaller", "seats_most", "3").is(http.StatusConflict).says(".flash",
		"Table 1 of the seating file has 4 players")
	asked := page.submit("/draw", "note", "no file", "method", "random").is(http.StatusConflict).says(".flash",
		"seats for 2 more rounds")
	page = asked.submit("/draw", "note", "no file", "method", "random", "drop_file",
		"true").is(http.StatusOK).says("main", "Seated at random")
	if page.count("input[name=drop_file]") != 0 {
		t.Error("a file that is given up is asked about")
	}
	if r.get(t, desk).is(http.StatusOK).count("#seating-how") != 0 {
		t.Error("the desk offers another draw of a round that is drafted")
	}
}

// TestDrawnNumbersAreWrittenDown checks that the roster stores the numbers that players drew in the hall, reports
// duplicates and keeps the typed values. The server draws the others, and a draft by the chart uses them.
func TestDrawnNumbersAreWrittenDown(t *testing.T) {
	t.Parallel()
	h, organizer, tournamentID := seatedEvent(t, "Numbers", "belgium", 8)
	players, err := tournament.Players(t.Context(), h.store, tournamentID)
	if err != nil {
		t.Fatal(err)
	}
	r, roster := h.signedIn("organizer"), string(templates.RosterPath(tournamentID))
	field := func(i int) string { return fmt.Sprint(deskpages.DrawnField, players[i].ID) }
	page := r.get(t, roster).is(http.StatusOK).submit("/roster/drawn", field(0), "5", field(3),
		"2").is(http.StatusOK).says("main", "have been saved")
	if page.value(field(0)) != "5" || page.value(field(1)) != "" {
		t.Errorf("got %q and %q", page.value(field(0)), page.value(field(1)))
	}
	for _, typed := range []string{"abc", "2.5", "99999999999999999999"} {
		wrong := page.submit("/roster/drawn", field(1), typed, field(2), "7", field(6),
			"later").is(http.StatusUnprocessableEntity).says("main",
			players[1].Name+": "+typed+" is not a possible number")
		if wrong.value(field(1)) != typed || wrong.value(field(2)) != "7" {
			t.Errorf("what was typed is gone: %q", wrong.value(field(1)))
		}
	}
	taken := page.submit("/roster/drawn", field(1), "5", field(2), "7").is(http.StatusConflict).says("main",
		players[0].Name+" has number 5")
	if taken.value(field(2)) != "7" {
		t.Error("what was typed is gone")
	}
	organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/drawn", tournamentID),
		draw.WriteDrawn{Numbers: []draw.DrawnNumber{{Player: players[4].ID, Number: 8}}}, nil)
	organizer.refusedWith(t, http.StatusUnprocessableEntity, "err_drawn_twice", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/drawn", tournamentID),
		draw.WriteDrawn{Numbers: []draw.DrawnNumber{{Player: players[1].ID, Number: 3},
			{Player: players[1].ID, Number: 4}}})
	organizer.refusedWith(t, http.StatusConflict, "err_drawn_taken", http.MethodPost,
		fmt.Sprintf("/tournaments/%d/drawn", tournamentID),
		draw.WriteDrawn{Numbers: []draw.DrawnNumber{{Player: players[1].ID, Number: 2}}})
	lots := page.submit("/roster/drawn", field(2), "7", "lots", "yes").is(http.StatusOK).says("main",
		"Numbers drawn by lot: 4")
	if lots.value(field(2)) != "7" || lots.value(field(4)) != "8" {
		t.Errorf("typed before the lots: %q; written elsewhere meanwhile: %q", lots.value(field(2)),
			lots.value(field(4)))
	}
	// for the draft's page, which shows how many have a number
	watcher := h.server.Request.Hub.Watch(live.Topics(tournamentID, action.TopicPeople)...)
	defer watcher.Stop()
	drawn := fmt.Sprintf("/tournaments/%d/drawn", tournamentID)
	for _, change := range []func(){
		func() { lots.submit("/roster/drawn", field(6), "").is(http.StatusOK) },
		func() { lots.submit("/roster/drawn", "lots", "yes").is(http.StatusOK) },
		func() {
			organizer.must(http.MethodPost, drawn,
				draw.WriteDrawn{Numbers: []draw.DrawnNumber{{Player: players[4].ID, Number: 0}}}, nil)
		},
		func() { organizer.must(http.MethodPost, drawn+"/lots", nil, nil) },
	} {
		change()
		select {
		case <-watcher.Woken():
		default:
			t.Error("a change of the numbers wakes nobody")
		}
	}
	r.get(t, string(templates.PersonPath(tournamentID, players[0].ID))).is(http.StatusOK).says(".facts", "Drawn 5")
	r.get(t, string(templates.LogPath(tournamentID))).is(http.StatusOK).says("main", "Number drawn by lot").says("main",
		" (random seed ")
	r.post(t, string(templates.RoundsPath(tournamentID)), url.Values{}).is(http.StatusOK).says("main",
		"Numbers drawn in the hall: 8 of 8")
}
