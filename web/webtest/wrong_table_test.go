package webtest

import (
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"meldhall/engine/testmode"
	"meldhall/web/api"
)

// An official rules at the wrong table and takes the ruling back, which needs a reason. All players at once have their
// earlier places and points again. The ruling and its cancellation both stay on record.
func TestARulingForTheWrongTable(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Parallel()
	e := newEvent(t, 100, nil)
	e.realTables(1, 2)
	e.start()
	for table := range 2 {
		game := e.round.Tables[table].Games[0].ID
		e.count(table, game)
		e.referee.must(http.MethodPost, fmt.Sprintf("/games/%d/confirm", game), fields{"rev": 1}, nil)
	}
	standings := func() (rows []api.StandingRow) {
		var view api.StandingsView
		e.public().must(http.MethodGet, fmt.Sprintf("/tournaments/%d/standings", e.id), nil, &view)
		return view.Rows
	}
	before := standings()
	wrong := e.round.Tables[1].Seats[1].Player.ID // the winner there
	var given api.SanctionView
	e.referee.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/sanctions", e.id),
		fields{"player": wrong, "kind": "points", "points": 500, "reason": "hid a tile"}, &given)
	if reflect.DeepEqual(standings(), before) {
		t.Error("500 points off change nothing")
	}
	back := fmt.Sprintf("/sanctions/%d/cancel", given.ID)
	if status, _, answer := e.referee.send(http.MethodPost, back,
		fields{"why": ""}); status != http.StatusUnprocessableEntity {
		t.Errorf("taken back without a reason: %d %s", status, answer)
	}
	began := time.Now()
	e.referee.must(http.MethodPost, back, fields{"why": "it was table 1"}, nil)
	after := standings()
	t.Logf("the standings of 100 are as before %v after the referee's word", time.Since(began).Round(time.Millisecond))
	if !reflect.DeepEqual(after, before) {
		t.Errorf("the standings are others than before the ruling:\n%+v\n%+v", after, before)
	}
	var record []api.SanctionView
	e.referee.must(http.MethodGet, fmt.Sprintf("/tournaments/%d/sanctions", e.id), nil, &record)
	if len(record) != 1 || record[0].State != "cancelled" || record[0].Reason != "hid a tile" ||
		record[0].Cancelled == nil || record[0].Cancelled.Why != "it was table 1" {
		t.Errorf("on record is %+v", record)
	}
}
