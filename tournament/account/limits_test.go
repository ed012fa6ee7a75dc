package account

import (
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

// TestEventsOfOrganizationsAreFound checks that an official's tournaments are found by their index, without reading all
// practice tables.
func TestEventsOfOrganizationsAreFound(t *testing.T) {
	s := storetest.New(t)
	for query, args := range map[string][]any{ofOrganization: {3}, ofOrganizations: nil} {
		if plan := storetest.Plan(t, s, query, args...); !strings.Contains(plan,
			"COVERING INDEX tournaments_organization") {
			t.Errorf("%s: %q", query, plan)
		}
	}
}

// TestSetEvents checks that an official who is limited to tournaments has no rights over what belongs to all of them,
// and that the last organizer of all tournaments keeps that role.
func TestSetEvents(t *testing.T) {
	desk := newDesk(t)
	s := desk.DB
	ann, eva := official(t, desk, "Ann", rights.RoleOrganizer), official(t, desk, "Eva", rights.RoleOrganizer)
	if err := s.Write.Exec("INSERT INTO tournaments (id, name, place, status, format, rules, created_at) VALUES (4, 'Open', '', 'draft', '{}', '{}', 0), (5, 'Cup', '', 'draft', '{}', '{}', 0)").Error; err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), desk, ann, SetEvents{Account: eva.Account,
		Events: []int64{5, 4, 5}}); err != nil {
		t.Fatal(err)
	}
	for _, way := range []func() (rights.Actor, error){
		func() (rights.Actor, error) { return SignIn(t.Context(), s, "Eva", passphrase, true) },
		func() (rights.Actor, error) { return SignedIn(t.Context(), s, "any", eva.Account) },
		func() (rights.Actor, error) { return AccountActor(t.Context(), s, eva.Account) },
	} {
		actor, err := way()
		if err != nil || actor.Limits == nil || !slices.Equal(actor.Limits.Events, []int64{4, 5}) || !actor.Serves(5) ||
			actor.Serves(6) {
			t.Fatalf("got %+v, %v", actor, err)
		}
		eva = actor
	}
	_, err := action.Do(t.Context(), desk, eva, SetEvents{Account: ann.Account, Events: []int64{4}})
	wantKey(t, err, "err_limited")
	_, err = action.Do(t.Context(), desk, ann, SetEvents{Account: ann.Account, Events: []int64{4}})
	wantKey(t, err, "err_last_organizer")
	_, err = action.Do(t.Context(), desk, ann, SetRole{Account: ann.Account, Role: rights.RoleReferee})
	wantKey(t, err, "err_last_organizer")
	_, err = action.Do(t.Context(), desk, ann, SetEvents{Account: eva.Account, Events: []int64{4, 6}})
	wantKey(t, err, "err_tournament_not_found")
	if _, err := action.Do(t.Context(), desk, ann, SetEvents{Account: eva.Account}); err != nil {
		t.Fatal(err)
	}
	if actor, err := AccountActor(t.Context(), s, eva.Account); err != nil || actor.Limits != nil {
		t.Errorf("freed: got %+v, %v", actor, err)
	}
	if _, err := action.Do(t.Context(), desk, ann, SetRole{Account: ann.Account,
		Role: rights.RoleReferee}); err != nil {
		t.Error("another organizer of all events is there:", err)
	}
}

// TestInOneHand checks that an official who made an account, or gave access to it, could use it until its holder sets a
// password.
func TestInOneHand(t *testing.T) {
	desk := newDesk(t)
	s := desk.DB
	ann := official(t, desk, "Ann", rights.RoleOrganizer)
	made, err := action.Do(t.Context(), desk, ann, CreateAccount{Name: "Bob", Password: passphrase,
		Role: rights.RoleHeadReferee})
	if err != nil {
		t.Fatal(err)
	}
	bob, err := AccountActor(t.Context(), s, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	is := func(when string, want bool) {
		t.Helper()
		for _, two := range [][2]int64{{ann.Account, bob.Account}, {bob.Account, ann.Account}} {
			maker, of, got, err := InOneHand(s.Read, two[0], two[1], s.Millis())
			if err != nil || got != want || got && (maker != "Ann" || of != "Bob") {
				t.Errorf("%s: got %s, %s, %t, %v", when, maker, of, got, err)
			}
		}
	}
	is("just made", true)
	before := s.Millis() - 1
	if _, err := action.Do(t.Context(), desk, bob, ChangePassword{Old: passphrase,
		Password: "quite another phrase"}); err != nil {
		t.Fatal(err)
	}
	is("with an own password", false)
	if _, _, got, err := InOneHand(s.Read, ann.Account, bob.Account, before); err != nil || !got {
		t.Errorf("at a moment before that: got %t, %v", got, err)
	}
	if _, err := action.Do(t.Context(), desk, ann, SetPassword{Account: bob.Account,
		Password: "given by somebody else"}); err != nil {
		t.Fatal(err)
	}
	is("given another one", true)
	if _, err := action.Do(t.Context(), desk, ann, InviteOfficial{Account: bob.Account}); err != nil {
		t.Fatal(err)
	}
	is("invited", true)
}
