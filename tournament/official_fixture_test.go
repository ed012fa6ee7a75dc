package tournament

import (
	"context"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
)

// official is a signed-in official with an account.
func official(t testing.TB, s *storage.DB, name string, role rights.Role) rights.Actor {
	t.Helper()
	account, err := door.Do(context.Background(), deskOf(s), organizer, staff.CreateAccount{Name: name, Password: "correct horse battery", Role: role})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := staff.AccountActor(context.Background(), s, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return actor
}
