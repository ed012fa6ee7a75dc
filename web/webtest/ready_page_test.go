package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/view"
)

func (e *event) readiness() (found view.Readiness, checks map[string]view.ReadyCheck) {
	e.t.Helper()
	e.referee.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/readiness", e.id), nil, &found)
	checks = map[string]view.ReadyCheck{}
	for _, c := range found.Checks {
		checks[c.Key] = c
	}
	return found, checks
}

func (e *event) checkIn(t *testing.T, player int64) {
	t.Helper()
	if _, err := action.Do(t.Context(), e.desk, rights.Staff(rights.RoleOrganizer, "test"),
		people.CheckIn{Tournament: e.id, Player: player}); err != nil {
		t.Fatal(err)
	}
}

// TestReadyCountsNoTabletsOfRealTables checks that only the seats of tables without real tiles need a tablet.
func TestReadyCountsNoTabletsOfRealTables(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 8, nil)
	if _, checks := e.readiness(); checks["seats"].State != "good" || len(checks["seats"].Names) != 0 {
		t.Errorf("real tiles: %+v", checks["seats"])
	}
	e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/tiles", e.round.Tables[0].ID),
		tournament.SetTableTiles{Tiles: tournament.DigitalTiles}, &e.round)
	if _, checks := e.readiness(); checks["seats"].State != "bad" || !strings.Contains(checks["seats"].Text, "0 of 4") {
		t.Errorf("one table on tablets: %+v", checks["seats"])
	}
}

// TestReadyNamesWhoIsNotCheckedIn checks that a round is not ready while players show no sign of being in the hall.
func TestReadyNamesWhoIsNotCheckedIn(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, nil)
	absent := e.round.Tables[0].Seats[2].Player
	for _, seat := range e.round.Tables[0].Seats {
		if seat.Player.ID != absent.ID {
			e.checkIn(t, seat.Player.ID)
		}
	}
	found, checks := e.readiness()
	if round := checks["round"]; found.Ready || round.State != "bad" || len(round.Names) != 1 ||
		round.Names[0] != absent.Name || !strings.Contains(round.Text, "not checked in") {
		t.Errorf("%v %+v", found.Ready, round)
	}
	e.checkIn(t, absent.ID)
	if _, checks = e.readiness(); checks["round"].State != "good" {
		t.Errorf("%+v", checks["round"])
	}
}

// TestReadyAfterTheEnd checks that a finished tournament is not called ready and has no open checks.
func TestReadyAfterTheEnd(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	if err := e.store.Write.Exec("UPDATE tournaments SET status = 'finished' WHERE id = ?", e.id).Error; err != nil {
		t.Fatal(err)
	}
	found, checks := e.readiness()
	if found.Ready || !found.Over || len(checks["seats"].Key) != 0 {
		t.Errorf("%+v", found)
	}
	page := e.signedIn("organizer").get(t, fmt.Sprintf("/referee/%d/ready", e.id)).is(http.StatusOK).says("main",
		"The event is over")
	if strings.Contains(page.text("main"), "Everything is ready") {
		t.Error(page.text("main"))
	}
}
