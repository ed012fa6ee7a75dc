package staff

import (
	"errors"
	"testing"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/refuse/refusetest"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage/storagetest"
)

var organizer = rights.Staff(rights.RoleOrganizer, "Ann")

// newDesk is the desk over a database of the test, at which no game is played.
func newDesk(t testing.TB) *door.Desk {
	t.Helper()
	db := storagetest.New(t)
	l := game.OpenLog(db)
	t.Cleanup(l.Close)
	return door.NewDesk(db, game.New(db, l))
}

// official is a signed-in official with an account.
func official(t testing.TB, desk *door.Desk, name string, role rights.Role) rights.Actor {
	t.Helper()
	account, err := door.Do(t.Context(), desk, organizer, CreateAccount{Name: name, Password: passphrase, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	actor, err := AccountActor(t.Context(), desk.DB, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return actor
}

// errOf is what an action was refused by.
func errOf[O any](_ O, err error) error { return err }

// wantKey holds a refusal to its key.
func wantKey(t *testing.T, err error, key string) {
	t.Helper()
	var refused *refuse.Error
	if !errors.As(err, &refused) || refused.Key != key || refusetest.Text(t, err) == "" {
		t.Errorf("got %v, want %s", err, key)
	}
}
