package screen

import (
	"fmt"
	"os"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

func newTournament(t *testing.T, desk *action.Desk, seed int64) tournament.Tournament {
	t.Helper()
	presets, err := preset.Load(os.DirFS("../../data"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := presets.Format("open")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := presets.Ruleset("wrc", nil)
	if err != nil {
		t.Fatal(err)
	}
	desk.Seeds = func() int64 { return seed }
	event, err := action.Do(t.Context(), desk, organizer, people.CreateTournament{Name: "Test", Format: f,
		Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// official returns a signed-in official with an account.
func official(t *testing.T, desk *action.Desk, name string, role rights.Role) rights.Actor {
	t.Helper()
	acc, err := action.Do(t.Context(), desk, organizer, account.CreateAccount{Name: name,
		Password: "correct horse battery", Role: role})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := account.AccountActor(t.Context(), desk.DB, acc.ID)
	if err != nil {
		t.Fatal(err)
	}
	return actor
}

// toldAfter returns the phrases of a record's new state, as keys and arguments.
func toldAfter(r action.Record) string { return fmt.Sprint(r.Details().After()) }
