package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/people"
	"meldhall/web/api"
	"meldhall/web/view"
)

// TestAHeldTableOnTheFloor checks that the floor page lists a table whose players never had a tablet above a table with
// a lost tablet. The floor page and the table's sheet name these players; the public pages show no problem. A referee
// starts the table from the sheet, which explains the effect first.
func TestAHeldTableOnTheFloor(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(8), nil)
	e.games.HoldAbsent = true
	table := e.round.Tables[1]
	name := func(seat int) string { return table.Seats[seat].Player.Name }
	for seat := range 4 {
		e.joinAt(e.round.Tables[0], seat)
	}
	for seat := range 3 {
		e.joinAt(table, seat)
	}
	e.start()
	game := table.Games[0].ID
	if v := e.public().view(game); v.Paused == nil || v.Paused.Why != engine.HeldForPlayers ||
		v.Phase != engine.PhaseDealt {
		t.Fatalf("%s %+v", v.Phase, v.Paused)
	}
	if v := e.public().view(e.round.Tables[0].Games[0].ID); v.Paused != nil {
		t.Errorf("a table whose players are all there is held: %+v", v.Paused)
	}
	ref := e.signedIn("referee")
	floor := ref.get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK).says("main", "1 table needs")
	if rows := find(floor.doc, "li.floor-row"); len(rows) != 2 ||
		!strings.Contains(attr(rows[0], "class"), "need-held") || !strings.Contains(textOf(rows[0]), name(3)) {
		t.Errorf("the first row: %s", floor.text("main"))
	}
	floor.says("main", name(3)).says("main", "no tablet yet")
	var lines view.Floor
	e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/floor", e.round.ID), nil, &lines)
	if l := lines.Tables[0]; l.Need != "held" || len(l.Unlinked) != 1 || l.Unlinked[0] != 3 {
		t.Errorf("%+v", l)
	}
	e.reader().get(t, fmt.Sprintf("/events/%d/tables", e.id)).is(http.StatusOK)
	e.signedIn("organizer").get(t, fmt.Sprintf("/desk/%d", e.id)).says(".flash", "1 table is held")
	sheet := fmt.Sprintf("/referee/%d/tables/%d", e.id, table.ID)
	page := ref.get(t, sheet).says("main", "Start anyway").says("main", name(3))
	ask := page.rule(t, "resume").is(http.StatusOK).says("main", "no longer waits for").says("main", name(3))
	ask.says("#rule-go", "Start anyway").submit("/resume").is(http.StatusOK)
	if v := e.public().view(game); v.Paused == nil || v.Paused.Why == engine.HeldForPlayers || v.Paused.ResumeAt == 0 {
		t.Errorf("started: %+v", v.Paused)
	}
	ref.get(t, fmt.Sprintf("/referee/%d", e.id)).says("main", name(3)).says("main", "no tablet yet")
}

// TestAHeldTableBeginsWhenItsPlayersAreReady checks that a held game starts once its late players have linked a tablet
// and are ready.
func TestAHeldTableBeginsWhenItsPlayersAreReady(t *testing.T) {
	t.Parallel()
	e := newPublished(t, "Test", roster(4), nil)
	e.games.HoldAbsent = true
	table := e.round.Tables[0]
	e.start()
	game := table.Games[0].ID
	for seat := range 4 {
		late := e.joinAt(table, seat)
		late.post(game, "ready", map[string]any{"turn": 0})
		if v := e.public().view(game); (v.Phase == engine.PhasePlaying) != (seat == 3) {
			t.Errorf("after %d are ready: %s", seat+1, v.Phase)
		}
	}
	if v := e.public().view(game); v.Paused != nil {
		t.Errorf("%+v", v.Paused)
	}
}

// joinAt joins a device to a seat with the player's code.
func (e *event) joinAt(table api.TableView, seat int) *caller {
	e.t.Helper()
	var joined api.JoinedView
	e.public().must(http.MethodPost, "/join", people.Join{Code: table.Seats[seat].Code}, &joined)
	return &caller{e.hall, fmt.Sprintf("table %d seat %d", table.Number, seat), joined.Token}
}
