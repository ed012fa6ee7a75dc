package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/web/api"
	"meldhall/web/view"
)

// earlyTable is a scheduled round of three tables, one of which starts before the others, with the pages about it.
type earlyTable struct {
	e                           *event
	o, ref, public              *reader
	begins                      time.Time // when the schedule begins the round
	round, desk, hall, schedule string
}

func newEarlyTable(t *testing.T) *earlyTable {
	t.Helper()
	e := newEvent(t, 12, map[string]any{"turn_seconds": 0})
	k := &earlyTable{e: e, o: e.signedIn("organizer"), ref: e.signedIn("referee"), public: e.reader(),
		begins: e.store.Now().Add(time.Hour).Truncate(time.Minute),
		round:  fmt.Sprintf("/desk/%d/rounds/%d", e.id, e.round.ID), desk: fmt.Sprintf("/desk/%d", e.id),
		hall: fmt.Sprintf("/referee/%d", e.id), schedule: fmt.Sprintf("/events/%d/schedule", e.id)}
	plan := fmt.Sprintf("/desk/%d/plan", e.id)
	k.o.get(t, plan).submit(plan, "make", "1", "starts", k.begins.Format(view.DayFormat), "minutes", "60", "pause",
		"15")
	return k
}

// phases returns the phases of the tables' first games.
func (k *earlyTable) phases() string {
	var all []string
	for _, table := range k.e.round.Tables {
		all = append(all, string(k.e.public().view(table.Games[0].ID).Phase))
	}
	return strings.Join(all, ",")
}

const oneOfThree = "1 of 3 tables has started"

// TestStartOneTable checks that one table can start before the others of its round, and that every page says so until
// they begin.
func TestStartOneTable(t *testing.T) {
	t.Parallel()
	k := newEarlyTable(t)
	live := map[string]<-chan string{"round": k.o.regions(t, k.round+"/live"),
		"schedule": k.public.regions(t, k.schedule+"/live"), "hall": k.ref.regions(t, k.hall+"/live")}

	sheet := fmt.Sprintf("%s/tables/%d", k.hall, k.e.round.Tables[1].ID)
	waits := k.ref.get(t, sheet).says("main", "The game has not begun")
	sure := ""
	for _, button := range find(waits.doc, "button") {
		sure += attr(button, "data-sure")
	}
	if sure != "Start table 2 before the others? After that, no seats of this round can change." {
		t.Errorf("it asks %q", sure)
	}
	waits.submit("/start").is(http.StatusOK).says("main", "The table has started")
	waits.submit("/start").is(http.StatusOK).says("main", "had already been started")
	if got := k.phases(); got != ",dealt," {
		t.Fatalf("the tables are at %q", got)
	}
	for page, messages := range live {
		t.Run(page+" says so by itself", func(t *testing.T) { until(t, messages, oneOfThree) })
	}
	t.Run("every page says so", k.testPages)
	t.Run("the others are forecast from when the plan lets them begin", k.testForecast)
	t.Run("its seating stays", k.testSeating)
	t.Run("over the API and from the round's page", k.testTheRest)
	t.Run("a table that is not of the event is not found", k.testUnknownTable)
}

func (k *earlyTable) testPages(t *testing.T) {
	at := k.o.get(t, k.round).says(".title", oneOfThree).says(".actions", "Start the rest")
	if n := strings.Count(at.text("main"), "Start this table"); n != 2 {
		t.Errorf("%d tables can be started alone", n)
	}
	for path, selector := range map[string]string{k.desk: ".next", k.hall + "/pace": ".title", k.hall: ".floor-head",
		k.schedule: "main"} {
		k.o.get(t, path).is(http.StatusOK).says(selector, oneOfThree)
	}
	k.o.get(t, k.desk).says(".next", "Start the rest of round 1")
	k.o.get(t, k.desk+"/log").says("main", "Table started early")
	k.public.get(t, fmt.Sprintf("/events/%d/tables", k.e.id)).is(http.StatusOK).says("main", "waiting")
	if floor := k.o.get(t, k.hall).text("main"); strings.Contains(floor, "pool 0") ||
		strings.Count(floor, "pool 50") != 1 {
		t.Errorf("a table that waits has a pool: %s", floor)
	}
	k.e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", k.e.round.ID), nil, &k.e.round)
	if k.e.round.TablesStarted != 1 || k.e.round.Status != tournament.RoundRunning || k.e.round.Started != 0 {
		t.Errorf("got %+v", k.e.round.RoundView)
	}
}

func (k *earlyTable) testForecast(t *testing.T) {
	var pace api.RoundPaceView
	k.e.referee.must(http.MethodGet, fmt.Sprintf("/rounds/%d/pace", k.e.round.ID), nil, &pace)
	from := engine.MillisOf(k.begins)
	for _, table := range pace.Tables {
		if early := table.GameEnds < from; early != (table.Table == 2) {
			t.Errorf("table %d: its game ends %d minutes after the round begins", table.Table,
				(table.GameEnds-from)/60_000)
		}
	}
	var day api.ScheduleAnswer
	k.e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/schedule", k.e.id), nil, &day)
	if first := day.Slots[0]; day.Behind != 0 || first.Started != 0 || first.ExpectedStart != from || day.Ends < from {
		t.Errorf("got %+v", day)
	}
}

func (k *earlyTable) testSeating(t *testing.T) {
	k.e.organizer.refusedWith(t, http.StatusConflict, "err_round_begun", http.MethodPost,
		fmt.Sprintf("/rounds/%d/duplicate", k.e.round.ID), draw.SetDuplicate{Duplicate: true})
	if status, body := k.e.organizer.probe(http.MethodPost, fmt.Sprintf("/rounds/%d/discard", k.e.round.ID),
		nil); status != http.StatusConflict {
		t.Errorf("got %d %s", status, body)
	}
}

func (k *earlyTable) testTheRest(t *testing.T) {
	for range 2 {
		k.e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/start", k.e.round.Tables[0].ID), nil, &k.e.round)
	}
	if got := k.phases(); k.e.round.TablesStarted != 2 || got != "dealt,dealt," {
		t.Errorf("%d are started, at %q", k.e.round.TablesStarted, got)
	}
	k.e.begin(1)
	before := k.e.public().view(k.e.round.Tables[1].Games[0].ID).Seq
	k.o.get(t, k.round).submit("/round.start").is(http.StatusOK).says("main", "The round has started").says(".title",
		"running")
	k.e.public().must(http.MethodGet, fmt.Sprintf("/rounds/%d", k.e.round.ID), nil, &k.e.round)
	if got := k.phases(); got != "dealt,playing,dealt" || k.e.round.TablesStarted != 3 || k.e.round.Started == 0 ||
		k.e.public().view(k.e.round.Tables[1].Games[0].ID).Seq != before {
		t.Errorf("at %q, %+v", got, k.e.round.RoundView)
	}
	if k.o.get(t, k.round).count("form") == 0 || strings.Contains(k.o.get(t, k.round).text("main"),
		"Start this table") {
		t.Error("a table can be started again")
	}
}

func (k *earlyTable) testUnknownTable(t *testing.T) {
	k.ref.post(t, fmt.Sprintf("/referee/%d/tables/%d/start", k.e.id, 9999), nil).is(http.StatusNotFound)
	k.o.post(t, "/actions/table.start", map[string][]string{"table": {"9999"}}).is(http.StatusNotFound)
}
