package account

import (
	"context"
	"errors"
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

const passphrase = "correct horse battery"

func TestFirstOrganizer(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	old, err := SetupToken(ctx, s)
	if err != nil || len(old) < 22 {
		t.Fatalf("got %q, %v", old, err)
	}
	token, err := SetupToken(ctx, s)
	if err != nil || token == old {
		t.Fatalf("got %q, %v", token, err)
	}
	_, err = action.Do(ctx, desk, rights.Public(), SetUp{Token: old, Name: "Ann", Password: passphrase})
	wantKey(t, err, "err_setup_token_wrong")
	_, err = action.Do(ctx, desk, rights.Public(), SetUp{Token: token, Name: "Ann", Password: "short"})
	wantKey(t, err, "err_password_short")
	actor, err := action.Do(ctx, desk, rights.Public(), SetUp{Token: token, Name: " Ann ", Password: passphrase})
	if err != nil || actor.Role != rights.RoleOrganizer || actor.Name != "Ann" || actor.Account == 0 {
		t.Fatalf("got %+v, %v", actor, err)
	}
	_, err = action.Do(ctx, desk, rights.Public(), SetUp{Token: token, Name: "Bob", Password: passphrase})
	wantKey(t, err, "err_setup_over")
	if again, err := SetupToken(ctx, s); err != nil || again != "" {
		t.Errorf("got %q, %v", again, err)
	}
}

func TestAccounts(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	bob, err := action.Do(ctx, desk, organizer, CreateAccount{Name: "Bób", Password: passphrase,
		Role: rights.RoleReferee})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name            string
		actor           rights.Actor
		account, phrase string
		role            rights.Role
		key             string
	}{
		{"by a referee", rights.Staff(rights.RoleReferee, "x"), "Cid", passphrase, rights.RoleReferee,
			"err_not_allowed"},
		{"by nobody", rights.Public(), "Cid", passphrase, rights.RoleReferee, "err_sign_in_first"},
		{"a name that is taken", organizer, "BO\u0301B", passphrase, rights.RoleReferee, "err_account_exists"},
		{"a name that looks like another, with a Cyrillic letter", organizer, "B\u00f3\u0432",
			passphrase, rights.RoleReferee, "err_name_alike"},
		{"no name", organizer, " ", passphrase, rights.RoleReferee, "err_account_name"},
		{"a name that the log could not hold", organizer, "a:b", passphrase, rights.RoleReferee, "err_account_name"},
		{"a player's account", organizer, "Cid", passphrase, rights.RolePlayer, "err_account_role"},
		{"eleven characters", organizer, "Cid", "élévenchars", rights.RoleReferee, "err_password_short"},
		{"what everybody takes", organizer, "Cid", "password1234", rights.RoleReferee, "err_password_easy"},
		{"the own name", organizer, "Cid Moreno", "moreno.cid.2026", rights.RoleReferee, "err_password_easy"},
		{"257 bytes", organizer, "Cid", strings.Repeat("x", 257), rights.RoleReferee, "err_password_long"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := action.Do(ctx, desk, row.actor, CreateAccount{Name: row.account, Password: row.phrase,
				Role: row.role})
			wantKey(t, err, row.key)
		})
	}
	t.Run("sign in", func(t *testing.T) {
		actor, err := SignIn(ctx, s, "bób", passphrase, false)
		if err != nil || actor.Role != rights.RoleReferee || actor.Account != bob.ID {
			t.Errorf("got %+v, %v", actor, err)
		}
		for _, try := range [][2]string{{"Bób", "wrong horse battery"}, {"Zed", passphrase}, {"Bób", ""},
			{"Bób", strings.Repeat("x", 1<<20)}} {
			_, err := SignIn(ctx, s, try[0], try[1], false)
			wantKey(t, err, "err_sign_in_wrong")
		}
	})
	t.Run("the hash is argon2id and never listed", func(t *testing.T) {
		var stored Account
		if err := s.Read.Take(&stored, bob.ID).Error; err != nil ||
			!strings.HasPrefix(stored.Password, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("got %q, %v", stored.Password, err)
		}
		all, err := Accounts(ctx, s, organizer)
		if err != nil || len(all) != 1 || all[0].Password != "" {
			t.Errorf("got %+v, %v", all, err)
		}
	})
	t.Run("a session's account", func(t *testing.T) {
		if actor, err := AccountActor(ctx, s, bob.ID); err != nil || actor.Name != "Bób" {
			t.Errorf("got %+v, %v", actor, err)
		}
		if _, err := AccountActor(ctx, s, 99); !errors.Is(err, refuse.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
}
