package result_test

import (
	"context"
	"testing"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// official returns a signed-in official with an account.
func official(t testing.TB, s *store.DB, name string, role rights.Role) rights.Actor {
	t.Helper()
	acc, err := action.Do(context.Background(), eventtest.DeskOf(s), eventtest.Organizer,
		account.CreateAccount{Name: name, Password: "correct horse battery", Role: role})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := account.AccountActor(context.Background(), s, acc.ID)
	if err != nil {
		t.Fatal(err)
	}
	return actor
}
