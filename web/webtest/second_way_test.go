package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"meldhall/tournament/account"
	"meldhall/tournament/rights"
	"meldhall/web/api"
)

// headOf creates a head referee through the organizer, who therefore also knows the password.
func (e *event) headOf(t *testing.T) (head *reader, token *caller) {
	t.Helper()
	e.organizer.must(http.MethodPost, "/accounts", account.CreateAccount{Name: "Hal", Password: password,
		Role: rights.RoleHeadReferee}, nil)
	var session api.SessionView
	e.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: "Hal", Password: password}, &session)
	token = &caller{e.hall, "Hal", session.Token}
	e.officials["Hal"] = token
	return e.signedIn("Hal"), token
}

// TestAProposalSaysWhoCanConfirmIt has only one other official, who created the proposer's account. The forms for a
// disqualification say so and what to do; after that the confirmation works. Before that, no page offers it, and a
// rejected confirmation returns to the form.
func TestAProposalSaysWhoCanConfirmIt(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.start()
	e.begin(0)
	hal, token := e.headOf(t)
	organizer := e.signedIn("organizer")
	table, penalties := e.round.Tables[0], fmt.Sprintf("/referee/%d/penalties", e.id)
	first := fmt.Sprint(table.Seats[1].Player.ID)
	for _, at := range []string{penalties, fmt.Sprintf("/referee/%d/tables/%d/rule/disqualification?seat=1&game=%d",
		e.id, table.ID, table.Games[0].ID)} {
		hal.get(t, at).is(http.StatusOK).says("main", "No one can confirm it yet").says("main",
			"should first set a password of their own")
	}
	hal.get(t, penalties).submit("/penalties", "kind", "disqualification", "points", "", "player", first, "reason",
		"x").is(http.StatusOK)
	page := organizer.get(t, penalties).is(http.StatusOK).says(".sanction", "could be one person").says(".sanction",
		"withdraw this proposal")
	if page.count("form[action='/actions/sanction.seconded']") != 0 {
		t.Error("a confirmation that will be refused is offered")
	}
	forced := organizer.post(t, "/actions/sanction.seconded",
		map[string][]string{"id": {"1"}, "back": {penalties}, "from": {penalties}})
	if forced.status != http.StatusForbidden || !strings.Contains(forced.text("main"), "could be one person") ||
		forced.count("#penalties") != 1 {
		t.Errorf("%d: %s", forced.status, forced.text("main"))
	}
	token.must(http.MethodPost, "/own/password", account.ChangePassword{Old: password,
		Password: "nobody else knows it"},
		nil)
	var session api.SessionView
	e.public().must(http.MethodPost, "/sign-in", api.SignInBody{Name: "Hal", Password: "nobody else knows it"},
		&session)
	e.officials["Hal"] = &caller{e.hall, "Hal", session.Token}
	hal = e.signedIn("Hal")
	hal.get(t, penalties).says("main", "These officials can confirm it: \u2068organizer\u2069")
	hal.get(t, penalties).submit("/sanction.cancelled", "why", "once more").is(http.StatusOK)
	hal.get(t, penalties).submit("/penalties", "kind", "disqualification", "points", "", "player", first, "reason",
		"x").is(http.StatusOK)
	organizer.get(t, penalties).submit("/sanction.seconded").is(http.StatusOK).says(".flash", "Confirmed")
}

// TestNobodyElseToConfirm checks that the page warns a lone organizer before a proposal.
func TestNobodyElseToConfirm(t *testing.T) {
	t.Parallel()
	e := newEvent(t, 4, nil)
	e.signedIn("organizer").get(t, fmt.Sprintf("/referee/%d/penalties", e.id)).says("main",
		"no other organizer or head referee serves this event")
}
