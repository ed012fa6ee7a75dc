package account

import (
	"errors"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/rights"
	"meldhall/tournament/store/storetest"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// newDesk returns a Desk on a test database without running games.
func newDesk(t testing.TB) *action.Desk {
	t.Helper()
	db := storetest.New(t)
	l := game.OpenLog(db)
	t.Cleanup(l.Close)
	return action.NewDesk(db, game.New(db, l))
}

// official returns a signed-in official with an account.
func official(t testing.TB, desk *action.Desk, name string, role rights.Role) rights.Actor {
	t.Helper()
	account, err := action.Do(t.Context(), desk, organizer, CreateAccount{Name: name, Password: passphrase, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := AccountActor(t.Context(), desk.DB, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return actor
}

// errOf returns the error of an action.
func errOf[O any](_ O, err error) error { return err }

// wantKey checks the key of an error.
func wantKey(t *testing.T, err error, key string) {
	t.Helper()
	var refused *refuse.Error
	if !errors.As(err, &refused) || refused.Key != key || refusetest.Text(t, err) == "" {
		t.Errorf("got %v, want %s", err, key)
	}
}
