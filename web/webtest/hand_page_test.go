package webtest

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/request"
)

// TestAHandTravelsWithItsSeat checks that a tablet stores how tablets read its player's hand, that a spare tablet at the
// same seat gets it, and that no other device reads or changes it.
func TestAHandTravelsWithItsSeat(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	table := e.round.Tables[0]
	linked := func(seat string, at int) *tablet {
		t.Helper()
		code, err := action.Do(context.Background(), e.desk, rights.Staff(rights.RoleReferee, "test"),
			people.ReissueCode{Table: table.ID, Seat: at})
		if err != nil {
			t.Fatal(err)
		}
		p := e.tablet(t)
		p.expect("/join/"+code, url.Values{"seat": {seat}}, http.StatusSeeOther, "/play")
		return p
	}
	keep := func(p *tablet, body string, want int) {
		t.Helper()
		status, _, text := p.send(http.MethodPost, "/play/hand", body, "Content-Type", request.JSONKind, "Accept",
			request.JSONKind)
		if status != want {
			t.Errorf("%s: %d, want %d: %s", body, status, want, text)
		}
	}
	mine, other := linked("0", 0), linked("1", 1)
	e.start()
	const hand = `{"slop":24,"press":0,"dead":450,"flip":true,"one":false,"ring":true}`
	keep(mine, hand, http.StatusNoContent)
	keep(mine, `{"slop":"far"}`, http.StatusBadRequest)
	keep(e.tablet(t), hand, http.StatusUnauthorized)
	for _, path := range []string{"/play/game", "/check"} {
		if page := html.UnescapeString(mine.expect(path, nil, 200, "")); !strings.Contains(page, hand) {
			t.Errorf("%s does not have the seat's hand", path)
		}
		if page := html.UnescapeString(other.expect(path, nil, 200, "")); strings.Contains(page, `"dead":450`) {
			t.Errorf("%s of another seat has the hand", path)
		}
	}
	spare := linked("0", 0)
	if page := html.UnescapeString(spare.expect("/play/game", nil, 200, "")); !strings.Contains(page, hand) {
		t.Error("a spare tablet does not have the seat's hand")
	}
	keep(mine, strings.Replace(hand, "450", "0", 1), http.StatusUnauthorized)

	me := rights.Actor{Role: rights.RolePlayer, Player: table.Seats[0].Player.ID}
	err := tournament.SetHand(context.Background(), e.store, me, tournament.Hand{Slop: 400, Press: 1, Dead: -5})
	if err != nil {
		t.Fatal(err)
	}
	got, err := tournament.HandOf(context.Background(), e.store, me)
	if want := `{"slop":24,"press":350,"dead":0,"flip":false,"one":false,"ring":false}`; got != want || err != nil {
		t.Errorf("numbers out of range became %s, %v; want %s", got, err, want)
	}
	if got, err := tournament.HandOf(context.Background(), e.store, rights.Staff(rights.RoleReferee, "test")); got != "" ||
		err != nil {
		t.Errorf("an official reads %q, %v", got, err)
	}
}
