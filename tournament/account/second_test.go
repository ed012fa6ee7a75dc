package account

import (
	"context"
	"encoding/base32"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// shows returns the code that an app shows at a time.
func shows(t *testing.T, typed string, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCodeCustom(typed, at, appCodes)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// TestCodesOfTheStandard checks the codes in appendix B of RFC 6238: the last six of their eight digits.
func TestCodesOfTheStandard(t *testing.T) {
	typed := base32.StdEncoding.EncodeToString([]byte("12345678901234567890"))
	for second, code := range map[int64]string{59: "287082", 1111111109: "081804", 1234567890: "005924",
		20000000000: "353130"} {
		step, fits := stepOf(typed, code, time.Unix(second, 0))
		if !fits || step != second/30 {
			t.Errorf("at %d: got step %d, %t", second, step, fits)
		}
	}
}

func TestSecondFactor(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	now := time.Date(2026, 11, 23, 10, 0, 10, 0, time.UTC)
	s.Wall = func() time.Time { return now }
	ann, bob := official(t, desk, "Ann", rights.RoleOrganizer), official(t, desk, "Bob", rights.RoleHeadReferee)
	typed, address, err := NewSecret("Bob")
	if err != nil || !strings.HasPrefix(address, "otpauth://totp/Meldhall:Bob?") ||
		!strings.Contains(address, "secret="+typed) {
		t.Fatalf("got %s, %v", address, err)
	}
	if again, err := SecretAddress("Bob", typed); err != nil || again != address {
		t.Errorf("got %s, %v", again, err)
	}
	add := AddSecond{Password: passphrase, Secret: typed, Code: shows(t, typed, now)}
	wrong := add
	wrong.Password = "a wrong password"
	wantKey(t, errOf(action.Do(ctx, desk, bob, wrong)), "err_password_wrong")
	wrong = add
	wrong.Code = shows(t, typed, now.Add(2*stepLength))
	wantKey(t, errOf(action.Do(ctx, desk, bob, wrong)), "err_second_wrong")
	wrong = add
	wrong.Secret = "AAAABBBB"
	wantKey(t, errOf(action.Do(ctx, desk, bob, wrong)), "err_second_secret")
	codes, err := action.Do(ctx, desk, bob, add)
	if err != nil || len(codes) != recoveries || len(codes[0]) != 29 || codes[0] == codes[1] {
		t.Fatalf("got %q, %v", codes, err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, bob, add)), "err_second_on")
	t.Run("a code is good once, within its time", func(t *testing.T) {
		wantKey(t, UseCode(ctx, s, bob.Account, add.Code), "err_second_wrong")
		now = now.Add(stepLength)
		code := shows(t, typed, now)
		if err := UseCode(ctx, s, bob.Account, " "+code[:3]+" "+code[3:]); err != nil {
			t.Error(err)
		}
		wantKey(t, UseCode(ctx, s, bob.Account, code), "err_second_wrong")
		ahead := shows(t, typed, now.Add(stepLength))
		if err := UseCode(ctx, s, bob.Account, ahead); err != nil {
			t.Errorf("a phone that is ahead: %v", err)
		}
		now = now.Add(stepLength)
		wantKey(t, UseCode(ctx, s, bob.Account, code), "err_second_wrong")
		now = now.Add(stepLength)
		if err := UseCode(ctx, s, bob.Account, shows(t, typed, now)); err != nil {
			t.Error(err)
		}
		wantKey(t, UseCode(ctx, s, ann.Account, shows(t, typed, now)), "err_second_wrong")
	})
	t.Run("a recovery code is good once", func(t *testing.T) { recoveryGoodOnce(t, ctx, s, ann, bob, codes) })
	t.Run("off with password and code, or by another organizer",
		func(t *testing.T) { secondStepOff(t, desk, ctx, s, now, ann, bob, typed, add, codes) })
	t.Run("no record has what is secret", func(t *testing.T) {
		records, err := action.Records(ctx, s, organizer, 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			for _, secret := range append(codes, typed) {
				if strings.Contains(r.Data+r.AboutJSON+r.Why, secret) {
					t.Errorf("%s keeps %q", r.Kind, secret)
				}
			}
		}
	})
}

// recoveryGoodOnce signs in with a recovery code and checks that it works once.
func recoveryGoodOnce(t *testing.T, ctx context.Context, s *store.DB, ann rights.Actor, bob rights.Actor,
	codes []string) {
	if err := UseCode(ctx, s, bob.Account, strings.ToLower(codes[3])); err != nil {
		t.Error(err)
	}
	wantKey(t, UseCode(ctx, s, bob.Account, codes[3]), "err_second_wrong")
	wantKey(t, UseCode(ctx, s, ann.Account, codes[4]), "err_second_wrong")
	if left, err := RecoveriesLeft(ctx, s, bob, bob.Account); err != nil || left != recoveries-1 {
		t.Errorf("got %d, %v", left, err)
	}
	var stored []recoveryCode
	if err := s.Read.Find(&stored).Error; err != nil || len(stored) != recoveries ||
		strings.Contains(stored[0].Hash, "-") {
		t.Errorf("got %+v, %v", stored, err)
	}
}

// secondStepOff turns the second step off, by password and code or through another organizer.
func secondStepOff(t *testing.T, desk *action.Desk, ctx context.Context, s *store.DB, now time.Time, ann rights.Actor,
	bob rights.Actor, typed string, add AddSecond, codes []string) {
	wantKey(t, errOf(action.Do(ctx, desk, bob, DropSecond{Password: passphrase, Code: "000000"})), "err_second_wrong")
	wantKey(t, errOf(action.Do(ctx, desk, bob, DropSecond{Password: "a wrong password", Code: codes[0]})),
		"err_password_wrong")
	wantKey(t, errOf(action.Do(ctx, desk, bob, ResetSecond{Account: bob.Account})), "err_not_allowed")
	if _, err := action.Do(ctx, desk, bob, DropSecond{Password: passphrase, Code: codes[0]}); err != nil {
		t.Fatal(err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, ann, ResetSecond{Account: bob.Account})), "err_second_none")
	again := add
	again.Code = shows(t, typed, now)
	if _, err := action.Do(ctx, desk, bob, again); err != nil {
		t.Fatal(err)
	}
	wantKey(t, UseCode(ctx, s, bob.Account, codes[1]), "err_second_wrong") // from the previous set
	if _, err := action.Do(ctx, desk, ann, ResetSecond{Account: bob.Account}); err != nil {
		t.Fatal(err)
	}
	if has, err := HasSecond(ctx, s, bob.Account); err != nil || has {
		t.Errorf("got %t, %v", has, err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, ann, ResetSecond{Account: ann.Account})), "err_second_own")
}

// TestCodesByTheTimeOfDay checks that codes follow the time of day: after the machine slept for a night, the database's
// clock is behind it.
func TestCodesByTheTimeOfDay(t *testing.T) {
	desk, ctx := newDesk(t), t.Context()
	s := desk.DB
	now := time.Date(2026, 11, 23, 10, 0, 10, 0, time.UTC)
	s.Wall = func() time.Time { return now }
	s.Now = func() time.Time { return now.Add(-time.Hour) }
	bob := official(t, desk, "Bob", rights.RoleHeadReferee)
	typed, _, err := NewSecret("Bob")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, desk, bob, AddSecond{Password: passphrase, Secret: typed,
		Code: shows(t, typed, now)}); err != nil {
		t.Fatal(err)
	}
	now = now.Add(stepLength)
	wantKey(t, UseCode(ctx, s, bob.Account, shows(t, typed, s.Now())), "err_second_wrong")
	if err := UseCode(ctx, s, bob.Account, shows(t, typed, now)); err != nil {
		t.Error(err)
	}
	now = now.Add(stepLength)
	invite, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: bob.Account})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token,
		Code: shows(t, typed, now)}); err != nil {
		t.Error(err)
	}
	now = now.Add(stepLength)
	if _, err := action.Do(ctx, desk, bob, DropSecond{Password: passphrase, Code: shows(t, typed, now)}); err != nil {
		t.Error(err)
	}
}

// TestSecondFactorUnread checks that a failed read of the database is not reported as a conflict.
func TestSecondFactorUnread(t *testing.T) {
	desk, ctx := newDesk(t), t.Context()
	bob := official(t, desk, "Bob", rights.RoleHeadReferee)
	typed, _, err := NewSecret("Bob")
	if err != nil {
		t.Fatal(err)
	}
	if err := desk.DB.Write.Exec("DROP TABLE second_factors").Error; err != nil {
		t.Fatal(err)
	}
	add := AddSecond{Password: passphrase, Secret: typed, Code: shows(t, typed, desk.DB.Wall())}
	for _, err := range []error{errOf(action.Do(ctx, desk, bob, add)),
		errOf(action.Do(ctx, desk, organizer, ResetSecond{Account: bob.Account}))} {
		if err == nil || errors.Is(err, refuse.ErrConflict) {
			t.Errorf("got %v", err)
		}
	}
}

// TestInviteWithSecondFactor checks that an invitation link also asks for the code, because it may have been
// photographed.
func TestInviteWithSecondFactor(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	bob := official(t, desk, "Bob", rights.RoleReferee)
	typed, _, err := NewSecret("Bob")
	if err != nil {
		t.Fatal(err)
	}
	codes, err := action.Do(ctx, desk, bob, AddSecond{Password: passphrase, Secret: typed,
		Code: shows(t, typed, desk.DB.Wall())})
	if err != nil {
		t.Fatal(err)
	}
	invite, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: bob.Account})
	if err != nil {
		t.Fatal(err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token})), "err_second_wrong")
	if actor, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token,
		Code: codes[0]}); err != nil || actor.Account != bob.Account {
		t.Errorf("got %+v, %v", actor, err)
	}
}
