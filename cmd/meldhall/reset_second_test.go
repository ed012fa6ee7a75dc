package main

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/pquerna/otp/totp"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
)

// TestResetSecond lets the only organizer in again who has lost the second step, once nothing serves the file; the records tell.
func TestResetSecond(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "hall.db")
	store, err := storage.OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	ann := withSecond(t, store)
	reset := resetSecondCmd{Name: "ann", DB: path}
	if err := reset.Run(); !errors.As(err, new(*storage.InUseError)) {
		t.Errorf("beside a server: got %v", err)
	}
	if has, err := staff.HasSecond(ctx, store, ann); err != nil || !has {
		t.Errorf("a refused reset has changed something: %t, %v", has, err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := (resetSecondCmd{Name: "Bob", DB: path}).Run(); err == nil {
		t.Error("an account that is none was reset")
	}
	if err := (resetSecondCmd{Name: "Ann", DB: path + "x"}).Run(); err == nil {
		t.Error("a file that is none was opened")
	}
	if err := reset.Run(); err != nil {
		t.Fatal(err)
	}
	if store, err = storage.Open(path); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if has, err := staff.HasSecond(ctx, store, ann); err != nil || has {
		t.Errorf("got %t, %v", has, err)
	}
	records, err := door.Records(ctx, store, atTheMachine, 0, 100)
	if err != nil || records[0].Kind != "account.second_reset" || records[0].Actor != atTheMachine.String() || records[0].About().Name != "Ann" {
		t.Errorf("got %+v, %v", records, err)
	}
	noted, _, err := security.Entries(ctx, store, atTheMachine, security.Rights, 0, 100)
	if err != nil || len(noted) != 1 || noted[0].Name != atTheMachine.Name || noted[0].About != "Ann" {
		t.Errorf("got %+v, %v", noted, err)
	}
}

// withSecond makes the organizer Ann with a second step, and gives the account's number.
func withSecond(t *testing.T, store *storage.DB) int64 {
	t.Helper()
	const password = "a long enough password"
	log := game.OpenLog(store)
	defer log.Close()
	games := tournament.NewGames(store, log)
	defer games.Close()
	desk := door.NewDesk(store, games)
	ann, err := door.Do(t.Context(), desk, atTheMachine, staff.CreateAccount{Name: "Ann", Password: password, Role: rights.RoleOrganizer})
	if err != nil {
		t.Fatal(err)
	}
	me, err := staff.AccountActor(t.Context(), store, ann.ID)
	if err != nil {
		t.Fatal(err)
	}
	secret, _, err := staff.NewSecret("Ann")
	if err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(secret, store.Wall())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := door.Do(t.Context(), desk, me, staff.AddSecond{Password: password, Secret: secret, Code: code}); err != nil {
		t.Fatal(err)
	}
	return ann.ID
}
