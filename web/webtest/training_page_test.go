package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/practice"
	"meldhall/tournament/rights"
)

// TestATrainingIsMarkedAndApart checks that every page of a training is marked, that the tournament's own pages do not
// mention it, that officials without the right to rule are not offered one, and that the tablet in its dispute goes
// silent.
func TestATrainingIsMarkedAndApart(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	ref, public := e.signedIn("referee"), e.reader()
	floor := fmt.Sprintf("/referee/%d", e.id)
	if page := ref.get(t, floor); page.count(".train") != 1 {
		t.Error("the floor has no training")
	}
	desk := e.signedIn("organizer").get(t, fmt.Sprintf("/desk/%d", e.id))
	if desk.count(fmt.Sprintf("a[href=/referee/%d/training]", e.id)) != 1 {
		t.Error("the desk has no training")
	}
	counter := e.staff(rights.RoleScorekeeper)
	if got, body := counter.probe(http.MethodPost, "/actions/training.open",
		map[string]any{"tournament": e.id}); got != http.StatusForbidden {
		t.Errorf("a scorekeeper trains: %d %s", got, body)
	}
	ref.post(t, "/actions/training.open", form("tournament", e.id, "name", "Training · Test", "back",
		floor+"/training")).is(http.StatusOK).says("main", "Not ruled on yet")
	me := rights.Staff(rights.RoleReferee, "referee")
	if err := e.store.ReadSQL.QueryRow("SELECT account FROM trainings").Scan(&me.Account); err != nil {
		t.Fatal(err)
	}
	own, ok, err := practice.TrainingOf(t.Context(), e.store, me, e.id)
	if err != nil || !ok {
		t.Fatalf("%t, %v", ok, err)
	}
	for _, path := range []string{"/referee/%d", "/referee/%d/training", "/referee/%d/penalties", "/desk/%d/results",
		"/events/%d", "/events/%d/tables", "/events/%d/display/1", "/events/%d/regulations"} {
		if text := ref.get(t, fmt.Sprintf(path, own.ID)).is(http.StatusOK).text("#news"); !strings.Contains(text,
			"Training: nothing here counts.") {
			t.Errorf("%s is marked %q", path, text)
		}
		if text := ref.get(t, fmt.Sprintf(path, e.id)).is(http.StatusOK).text("#news"); strings.Contains(text,
			"Training") {
			t.Errorf("%s of the event is marked %q", path, text)
		}
	}
	if text := public.get(t, "/").text("main"); strings.Contains(text, "Training") {
		t.Errorf("it is in the list: %s", text)
	}
	e.fallsSilent(t, own)
	t.Run("after the program has started again", func(t *testing.T) {
		players, err := tournament.Players(t.Context(), e.store, own.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range players {
			e.server.View.Presence.ForgetDevice(p.ID) // as a server start does
		}
		if err := e.server.ResumePractice(t.Context()); err != nil {
			t.Fatal(err)
		}
		e.fallsSilent(t, own)
	})
}

// fallsSilent waits until a training dispute's tablet has stopped reporting.
func (e *event) fallsSilent(t *testing.T, own tournament.Tournament) {
	t.Helper()
	players, err := tournament.Players(t.Context(), e.store, own.ID)
	if err != nil || len(players) != 4*len(practice.Disputes) {
		t.Fatalf("%d players, %v", len(players), err)
	}
	for i, d := range practice.Disputes {
		for seat := range 4 {
			player := players[4*i+seat].ID
			heard := func() bool { return e.server.View.Presence.Seen(player).Heard != 0 }
			for end := time.Now().Add(5 * time.Second); d.Silent && seat == d.Seat && !heard() &&
				time.Now().Before(end); {
				time.Sleep(10 * time.Millisecond)
			}
			if heard() != (d.Silent && seat == d.Seat) {
				t.Errorf("%s, seat %d: heard %t", d.Name, seat, heard())
			}
		}
	}
}
