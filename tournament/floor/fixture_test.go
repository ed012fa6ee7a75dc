package floor

import (
	"fmt"
	"os"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/preset"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

func newTournament(t *testing.T, desk *door.Desk, seed int64) tournament.Tournament {
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
	event, err := door.Do(t.Context(), desk, organizer, tournament.CreateTournament{Name: "Test", Format: f, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// official is a signed-in official with an account.
func official(t *testing.T, desk *door.Desk, name string, role rights.Role) rights.Actor {
	t.Helper()
	account, err := door.Do(t.Context(), desk, organizer, staff.CreateAccount{Name: name, Password: "correct horse battery", Role: role})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := staff.AccountActor(t.Context(), desk.DB, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return actor
}

// toldAfter is what a record tells, as keys and arguments.
func toldAfter(r door.Record) string { return fmt.Sprint(r.Details().After()) }
