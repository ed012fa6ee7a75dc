package webtest

import (
	"fmt"
	"net/http"
	"testing"

	"meldhall/tournament/people"
	"meldhall/web/api"
)

// TestACarriedDeviceSpendsTheCode checks round 2, in which the tablet of round 1 still plays for the player. The code
// on the player's card works on no other phone, and the floor page shows the attempt. If the tablet scans it, it opens
// its seat. With a referee's new code, another tablet takes over.
func TestACarriedDeviceSpendsTheCode(t *testing.T) {
	t.Parallel()
	e := holdable(t)
	for table := range e.round.Tables {
		game := e.round.Tables[table].Games[0].ID
		e.count(table, game)
		e.confirmed(game)
	}
	e.organizer.must(http.MethodPost, fmt.Sprintf("/tournaments/%d/rounds", e.id), fields{"games": 1}, &e.round)
	e.organizer.must(http.MethodPost, fmt.Sprintf("/rounds/%d/publish", e.round.ID), nil, &e.round)
	table := e.round.Tables[0]
	seat := table.Seats[1]
	if !seat.Joined || seat.Code == "" {
		t.Fatalf("the tablet of round 1 does not carry over: %+v", seat)
	}
	mine := e.players[seat.Player.ID]
	e.public().refusedWith(t, http.StatusConflict, "err_code_used", http.MethodPost, "/join",
		people.Join{Code: seat.Code})
	e.tablet(t).expect("/join/"+seat.Code, nil, http.StatusConflict, "", "call the referee",
		"Is a tablet broken, empty or lost?", "Scan the new code that the referee shows you.",
		"open “Devices” and choose “Swap” at this seat")
	help := e.as(e.referee).get(t, "/join/"+seat.Code)
	if n := help.count(fmt.Sprintf("a[href=/referee/%d/devices]", e.id)); n != 1 {
		t.Errorf("the referee finds %d links to the devices", n)
	}
	if page := e.seated(mine).get(t, "/join/"+seat.Code); page.path != "/play" {
		t.Errorf("the tablet that has the seat is led to %s", page.path)
	}
	mine.must(http.MethodGet, "/seat", nil, nil)
	floor := e.as(e.referee).get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK)
	if n := floor.count(fmt.Sprintf("[data-alert=code-%d-1-3]", table.ID)); n != 1 {
		t.Errorf("the floor is told %d times of three tries", n)
	}

	var code api.CodeView
	e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", table.ID), api.ReissueBody{Seat: 1}, &code)
	e.public().must(http.MethodPost, "/join", people.Join{Code: code.Code}, new(api.JoinedView))
	if got, _ := mine.probe(http.MethodGet, "/seat", nil); got != http.StatusUnauthorized {
		t.Errorf("the old tablet is answered %d", got)
	}
}

// TestATablesTabletKeepsItsTable checks that the code of a table with real tiles works on no other device while one
// serves the table. The floor page shows the attempt.
func TestATablesTabletKeepsItsTable(t *testing.T) {
	t.Parallel()
	e := newRealEvent(t, 4, nil)
	device, table := e.joinTable(1), e.round.Tables[0]
	e.public().refusedWith(t, http.StatusConflict, "err_code_used", http.MethodPost, "/join-table",
		people.JoinTable{Code: table.Code})
	device.must(http.MethodGet, "/seat", nil, nil)
	floor := e.as(e.referee).get(t, fmt.Sprintf("/referee/%d", e.id)).is(http.StatusOK)
	if n := floor.count(fmt.Sprintf("[data-alert=code-%d--1-1]", table.ID)); n != 1 {
		t.Errorf("the floor is told %d times", n)
	}
	var code api.CodeView
	e.referee.must(http.MethodPost, fmt.Sprintf("/tables/%d/code", table.ID), api.ReissueBody{Seat: -1}, &code)
	e.public().must(http.MethodPost, "/join-table", people.JoinTable{Code: code.Code}, new(api.TableJoined))
}
