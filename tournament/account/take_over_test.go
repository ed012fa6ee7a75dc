package account

import (
	"strings"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/rights"
)

// TestASessionTakesNoAccountOver checks that access to a signed-in device is not enough to take over its account,
// neither with the actions that organizers use for others nor with a PIN.
func TestASessionTakesNoAccountOver(t *testing.T) {
	desk, ctx := newDesk(t), t.Context()
	ann := official(t, desk, "Anna", rights.RoleOrganizer)
	const next = "quite another phrase"
	wantKey(t, errOf(action.Do(ctx, desk, ann, SetPassword{Account: ann.Account, Password: next})), "err_password_own")
	invite, err := action.Do(ctx, desk, ann, InviteOfficial{Account: ann.Account})
	if err != nil {
		t.Fatal(err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token, Password: next})),
		"err_password_own")
	if _, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token}); err != nil {
		t.Errorf("to the own phone: %v", err)
	}
	for _, typed := range []string{"", next} {
		wantKey(t, errOf(action.Do(ctx, desk, ann, SetPIN{PIN: "190283", Password: typed})), "err_password_wrong")
	}
	if _, err := SignIn(ctx, desk.DB, "Anna", passphrase, false); err != nil {
		t.Errorf("the password is another: %v", err)
	}
	t.Run("without a password there is none to ask for", func(t *testing.T) {
		made, err := action.Do(ctx, desk, ann, InviteOfficial{Name: "Bob", Role: rights.RoleReferee})
		if err != nil {
			t.Fatal(err)
		}
		bob, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: made.Token})
		if err == nil {
			_, err = action.Do(ctx, desk, bob, SetPIN{PIN: "190283"})
		}
		if err != nil {
			t.Error(err)
		}
	})
}

// TestAnotherFactorEndsSessions checks that earlier sessions end when an invitation sets a password, and when the
// second step is turned on or off. Only the acting session continues.
func TestAnotherFactorEndsSessions(t *testing.T) {
	desk, ctx := newDesk(t), t.Context()
	s := desk.DB
	bob := official(t, desk, "Bob", rights.RoleReferee)
	before := signIn(t, s, bob.Account, "before")
	invite, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: bob.Account})
	if err != nil {
		t.Fatal(err)
	}
	const next = "quite another phrase"
	if _, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token, Password: next}); err != nil ||
		alive(t, s, before) {
		t.Errorf("by an invitation: %v, the session goes on", err)
	}
	typed, _, err := NewSecret("Bob")
	if err != nil {
		t.Fatal(err)
	}
	one, two := signIn(t, s, bob.Account, "one"), signIn(t, s, bob.Account, "two")
	codes, err := action.Do(ctx, desk, bob, AddSecond{Password: next, Secret: typed, Code: shows(t, typed, s.Wall()),
		Keep: two})
	if err != nil || alive(t, s, one) || !alive(t, s, two) {
		t.Fatalf("on: %v, or the wrong sessions have ended", err)
	}
	one = signIn(t, s, bob.Account, "three")
	if _, err := action.Do(ctx, desk, bob, DropSecond{Password: next, Code: codes[0], Keep: two}); err != nil ||
		alive(t, s, one) || !alive(t, s, two) {
		t.Errorf("off: %v, or the wrong sessions have ended", err)
	}
}

// TestLongPasswords checks that a password may have 64 characters of any script (ASVS 5.0, 6.2.9).
func TestLongPasswords(t *testing.T) {
	var long strings.Builder
	for i := range 64 {
		long.WriteRune('\U00010330' + rune(i*7%26)) // four bytes each
	}
	if err := checkPassword(long.String(), nil); err != nil {
		t.Error(err)
	}
	wantKey(t, checkPassword(long.String()+"a", nil), "err_password_long")
}
