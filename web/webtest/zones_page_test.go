package webtest

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"meldhall/tournament/rights"
	"meldhall/web/api"
)

func TestZonesPage(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 8, nil)
	e.account(rights.RoleHeadReferee)
	head := e.signedIn(string(rights.RoleHeadReferee))
	page := head.get(t, "/referee/1/zones").is(http.StatusOK)
	if n := page.count("input[name=tables]"); n != 3 {
		t.Fatalf("%d officials can be given tables, want 3", n)
	}
	var accounts []api.AccountView
	e.organizer.must(http.MethodGet, "/accounts", nil, &accounts)
	referee := ""
	for _, a := range accounts {
		if a.Role == "referee" {
			referee = strconv.FormatInt(a.ID, 10)
		}
	}
	t.Run("what cannot be read stays typed", func(t *testing.T) {
		again := head.post(t, "/referee/1/zones", url.Values{"account": {referee},
			"tables": {"one"}, "at": {"zone-" + referee}}).is(http.StatusUnprocessableEntity).says("main", "1-6, 9")
		if attr(find(again.doc, "#tables-"+referee)[0], "value") != "one" {
			t.Error("what was typed is lost")
		}
	})
	t.Run("a zone is set and seen by a referee who cannot change it", func(t *testing.T) {
		head.post(t, "/referee/1/zones", url.Values{"account": {referee},
			"tables": {"2, 1"}}).is(http.StatusOK).says(".flash", "referee")
		seen := e.signedIn("referee").get(t, "/referee/1/zones").is(http.StatusOK).says("main", "1, 2")
		if seen.count("form.inline") != 0 {
			t.Error("a referee is shown forms that are refused")
		}
	})
	t.Run("tables of no referee are named, unless one has the whole hall", func(t *testing.T) {
		if said := head.get(t, "/referee/1/zones").text("main"); strings.Contains(said, "without a referee") {
			t.Errorf("the head referee has the whole hall: %s", said)
		}
		for _, a := range accounts {
			if a.Role != "organizer" {
				head.post(t, "/referee/1/zones", url.Values{"account": {strconv.FormatInt(a.ID, 10)}, "tables": {"1"}})
			}
		}
		head.get(t, "/referee/1/zones").says("main", "Tables without a referee: \u20682\u2069")
	})
	t.Run("an account that is none", func(t *testing.T) {
		head.post(t, "/referee/1/zones", url.Values{"account": {"x"},
			"tables": {"1"}}).is(http.StatusUnprocessableEntity)
	})
}
