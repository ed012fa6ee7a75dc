package main

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/pquerna/otp/totp"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/store"
)

// TestResetSecond checks that the only organizer, having lost the second step, can sign in again. That requires that no
// server uses the file, and it is recorded.
func TestResetSecond(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "hall.db")
	db, err := store.OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	ann := withSecond(t, db)
	reset := resetSecondCmd{Name: "ann", DB: path}
	if err := reset.Run(); !errors.As(err, new(*store.InUseError)) {
		t.Errorf("beside a server: got %v", err)
	}
	if has, err := account.HasSecond(ctx, db, ann); err != nil || !has {
		t.Errorf("a refused reset has changed something: %t, %v", has, err)
	}
	if err := db.Close(); err != nil {
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
	if db, err = store.Open(path); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if has, err := account.HasSecond(ctx, db, ann); err != nil || has {
		t.Errorf("got %t, %v", has, err)
	}
	records, err := action.Records(ctx, db, atTheMachine, 0, 100)
	if err != nil || records[0].Kind != "account.second_reset" || records[0].Actor != atTheMachine.String() ||
		records[0].About().Name != "Ann" {
		t.Errorf("got %+v, %v", records, err)
	}
	noted, _, err := security.Entries(ctx, db, atTheMachine, security.Rights, 0, 100)
	if err != nil || len(noted) != 1 || noted[0].Name != atTheMachine.Name || noted[0].About != "Ann" {
		t.Errorf("got %+v, %v", noted, err)
	}
}

// withSecond creates the organizer Ann with two-step sign-in, and returns the account's ID.
func withSecond(t *testing.T, db *store.DB) int64 {
	t.Helper()
	const password = "a long enough password"
	log := game.OpenLog(db)
	defer log.Close()
	games := result.NewGames(db, log)
	defer games.Close()
	desk := action.NewDesk(db, games)
	ann, err := action.Do(t.Context(), desk, atTheMachine, account.CreateAccount{Name: "Ann", Password: password,
		Role: rights.RoleOrganizer})
	if err != nil {
		t.Fatal(err)
	}
	me, err := account.AccountActor(t.Context(), db, ann.ID)
	if err != nil {
		t.Fatal(err)
	}
	secret, _, err := account.NewSecret("Ann")
	if err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(secret, db.Wall())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), desk, me, account.AddSecond{Password: password, Secret: secret,
		Code: code}); err != nil {
		t.Fatal(err)
	}
	return ann.ID
}
