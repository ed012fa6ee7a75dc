package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
)

// TestStartOneTable: a table is started before the others of its round, which begin later; until then every page says so.
func TestStartOneTable(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 12, map[string]any{"turn_seconds": 0})
	o, ref, public := e.signedIn("organizer"), e.signedIn("referee"), e.reader()
	plan := fmt.Sprintf("/desk/%d/plan", e.id)
	begins := e.store.Now().Add(time.Hour).Truncate(time.Minute)
	o.get(t, plan).submit(plan, "make", "1", "starts", begins.Format(dayFormat), "minutes", "60", "pause", "15")
	round, desk, hall := fmt.Sprintf("/desk/%d/rounds/%d", e.id, e.round.ID), fmt.Sprintf("/desk/%d", e.id), fmt.Sprintf("/referee/%d", e.id)
	schedule := fmt.Sprintf("/events/%d/schedule", e.id)
	live := map[string]<-chan string{"round": o.regions(t, round+"/live"), "schedule": public.regions(t, schedule+"/live"), "hall": ref.regions(t, hall+"/live")}
	phases := func() string {
		var all []string
		for _, table := range e.round.Tables {
			all = append(all, string(e.public().view(table.Games[0].ID).Phase))
		}
		return strings.Join(all, ",")
	}

	sheet := fmt.Sprintf("%s/tables/%d", hall, e.round.Tables[1].ID)
	waits := ref.get(t, sheet).says("main", "The game has not begun")
	sure := ""
	for _, button := range find(waits.doc, "button") {
		sure += attr(button, "data-sure")
	}
	if sure != "Start table 2 before the others? The seats of the whole round stay as they are from then on." {
		t.Errorf("it asks %q", sure)
	}
	waits.submit("/start").is(http.StatusOK).says("main", "The table is playing")
	waits.submit("/start").is(http.StatusOK).says("main", "had already been started")
	if got := phases(); got != ",dealt," {
		t.Fatalf("the tables are at %q", got)
	}
	const some = "1 of 3 tables has started"
	for page, messages := range live {
		t.Run(page+" says so by itself", func(t *testing.T) { until(t, messages, some) })
	}
	t.Run("every page says so", func(t *testing.T) {
		at := o.get(t, round).says(".title", some).says(".actions", "Start the rest")
		if n := strings.Count(at.text("main"), "Start this table"); n != 2 {
			t.Errorf("%d tables can be started alone", n)
		}
		for path, selector := range map[string]string{desk: ".next", hall + "/pace": ".title", hall: ".floor-head", schedule: "main"} {
			o.get(t, path).is(http.StatusOK).says(selector, some)
		}
		o.get(t, desk).says(".next", "Start the rest of round 1")
		o.get(t, desk+"/log").says("main", "Table started early")
		public.get(t, fmt.Sprintf("/events/%d/tables", e.id)).is(http.StatusOK).says("main", "waiting")
		if floor := o.get(t, hall).text("main"); strings.Contains(floor, "pool 0") || strings.Count(floor, "pool 50") != 1 {
			t.Errorf("a table that waits has a pool: %s", floor)
		}
		e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &e.round)
		if e.round.TablesStarted != 1 || e.round.Status != tournament.RoundRunning || e.round.Started != 0 {
			t.Errorf("got %+v", e.round.RoundView)
		}
	})
	t.Run("the others are forecast from when the plan lets them begin", func(t *testing.T) {
		var pace RoundPaceView
		e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/pace", e.round.ID), nil, &pace)
		from := engine.MillisOf(begins)
		for _, table := range pace.Tables {
			if early := table.GameEnds < from; early != (table.Table == 2) {
				t.Errorf("table %d: its game ends %d minutes after the round begins", table.Table, (table.GameEnds-from)/60_000)
			}
		}
		var day ScheduleAnswer
		e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/schedule", e.id), nil, &day)
		if first := day.Slots[0]; day.Behind != 0 || first.Started != 0 || first.ExpectedStart != from || day.Ends < from {
			t.Errorf("got %+v", day)
		}
	})
	t.Run("its seating stays", func(t *testing.T) {
		e.organizer.refusedWith(t, http.StatusConflict, "err_round_begun", http.MethodPost, fmt.Sprintf("/rounds/%d/duplicate", e.round.ID), DuplicateBody{true})
		if status, body := e.organizer.probe(http.MethodPost, fmt.Sprintf("/rounds/%d/discard", e.round.ID), nil); status != http.StatusConflict {
			t.Errorf("got %d %s", status, body)
		}
	})
	t.Run("over the API and from the round's page", func(t *testing.T) {
		for range 2 {
			e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/start", e.round.Tables[0].ID), nil, &e.round)
		}
		if got := phases(); e.round.TablesStarted != 2 || got != "dealt,dealt," {
			t.Errorf("%d are started, at %q", e.round.TablesStarted, got)
		}
		e.begin(1)
		before := e.public().view(e.round.Tables[1].Games[0].ID).Seq
		o.get(t, round).submit("/start").is(http.StatusOK).says("main", "The round has started").says(".title", "running")
		e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", e.round.ID), nil, &e.round)
		if got := phases(); got != "dealt,playing,dealt" || e.round.TablesStarted != 3 || e.round.Started == 0 || e.public().view(e.round.Tables[1].Games[0].ID).Seq != before {
			t.Errorf("at %q, %+v", got, e.round.RoundView)
		}
		if o.get(t, round).count("form") == 0 || strings.Contains(o.get(t, round).text("main"), "Start this table") {
			t.Error("a table can be started again")
		}
	})
	t.Run("a table that is not of the event is not found", func(t *testing.T) {
		ref.post(t, fmt.Sprintf("/referee/%d/tables/%d/start", e.id, 9999), nil).is(http.StatusNotFound)
		o.post(t, round+"/start-table", map[string][]string{"table": {"9999"}}).is(http.StatusNotFound)
	})
}
