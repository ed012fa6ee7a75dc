package account

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/secret"
	"meldhall/tournament/store"
)

// signIn begins a session as the web package does and returns its hash.
func signIn(t *testing.T, s *store.DB, account int64, token string) string {
	t.Helper()
	hash := SessionHash(token)
	if err := (Sessions{Store: s}).Commit(hash, []byte("x"), s.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := NoteDevice(context.Background(), s, hash, account, "Mozilla/5.0 (iPhone) Safari/604.1"); err != nil {
		t.Fatal(err)
	}
	return hash
}

func alive(t *testing.T, s *store.DB, hash string) bool {
	t.Helper()
	_, ok, err := (Sessions{Store: s}).Find(hash)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func TestAccountRights(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	ann, bob := official(t, desk, "Ann", rights.RoleOrganizer), official(t, desk, "Bob", rights.RoleReferee)
	t.Run("for organizers alone", func(t *testing.T) {
		_, err := action.Do(ctx, desk, bob, SetRole{Account: bob.Account, Role: rights.RoleOrganizer})
		wantKey(t, err, "err_not_allowed")
		_, err = action.Do(ctx, desk, bob, SetPassword{Account: bob.Account, Password: passphrase, Keep: ""})
		wantKey(t, err, "err_not_allowed")
		_, err = action.Do(ctx, desk, bob, RemoveAccount{Account: ann.Account})
		wantKey(t, err, "err_not_allowed")
		_, err = AccountByID(ctx, s, bob, ann.Account)
		wantKey(t, err, "err_not_allowed")
		if own, err := AccountByID(ctx, s, bob, bob.Account); err != nil || own.Password != "set" || own.PIN != "" {
			t.Errorf("got %+v, %v", own, err)
		}
	})
	t.Run("another role holds at once", func(t *testing.T) {
		if _, err := action.Do(ctx, desk, ann, SetRole{Account: bob.Account,
			Role: rights.RoleScorekeeper}); err != nil {
			t.Fatal(err)
		}
		if actor, err := SignedIn(ctx, s, "any", bob.Account); err != nil || actor.Role != rights.RoleScorekeeper {
			t.Errorf("got %+v, %v", actor, err)
		}
		_, err := action.Do(ctx, desk, ann, SetRole{Account: bob.Account, Role: rights.RolePlayer})
		wantKey(t, err, "err_account_role")
		_, err = action.Do(ctx, desk, ann, SetRole{Account: 99, Role: rights.RoleReferee})
		wantKey(t, err, "err_account_not_found")
	})
	t.Run("the last organizer stays", func(t *testing.T) {
		_, err := action.Do(ctx, desk, ann, SetRole{Account: ann.Account, Role: rights.RoleReferee})
		wantKey(t, err, "err_last_organizer")
		_, err = action.Do(ctx, desk, ann, RemoveAccount{Account: ann.Account})
		wantKey(t, err, "err_last_organizer")
		eva := official(t, desk, "Eva", rights.RoleOrganizer)
		if _, err = action.Do(ctx, desk, ann, SetRole{Account: ann.Account, Role: rights.RoleReferee}); err != nil {
			t.Error(err)
		}
		if _, err = action.Do(ctx, desk, eva, SetRole{Account: ann.Account, Role: rights.RoleOrganizer}); err != nil {
			t.Error(err)
		}
	})
	t.Run("a new password ends the other sessions", func(t *testing.T) {
		one, two := signIn(t, s, bob.Account, "one"), signIn(t, s, bob.Account, "two")
		other := signIn(t, s, ann.Account, "three")
		if _, err := action.Do(ctx, desk, ann, SetPassword{Account: bob.Account, Password: "another passphrase",
			Keep: two}); err != nil {
			t.Fatal(err)
		}
		if alive(t, s, one) || !alive(t, s, two) || !alive(t, s, other) {
			t.Error("the wrong sessions have ended")
		}
		if _, err := SignIn(ctx, s, "Bob", "another passphrase", false); err != nil {
			t.Error(err)
		}
		_, err := action.Do(ctx, desk, bob, ChangePassword{Old: "a wrong password", Password: passphrase, Keep: ""})
		wantKey(t, err, "err_password_wrong")
		if _, err := action.Do(ctx, desk, bob, ChangePassword{Old: "another passphrase", Password: passphrase,
			Keep: ""}); err != nil || alive(t, s, two) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("removed: out everywhere, the name stays taken until it is added again",
		func(t *testing.T) { accountRemoved(t, desk, ctx, s, ann, bob) })
}

// accountRemoved removes an official and checks that all access ends and that the name stays reserved until it is added
// again.
func accountRemoved(t *testing.T, desk *action.Desk, ctx context.Context, s *store.DB, ann rights.Actor,
	bob rights.Actor) {
	session := signIn(t, s, bob.Account, "four")
	if err := s.Write.Exec(`INSERT INTO tournaments (id, name, status, format, rules, created_at) VALUES (7, 'T', 'draft', '{}', '{}', 1)`).Error; err != nil {
		t.Fatal(err)
	}
	if err := s.Write.Exec(`INSERT INTO zones (tournament_id, account_id, tables) VALUES (7, ?, '1')`,
		bob.Account).Error; err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(ctx, desk, ann, RemoveAccount{Account: bob.Account}); err != nil {
		t.Fatal(err)
	}
	if alive(t, s, session) {
		t.Error("a session of a removed account goes on")
	}
	if _, err := SignedIn(ctx, s, session, bob.Account); !errors.Is(err, refuse.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if _, err := SignIn(ctx, s, "Bob", passphrase, false); !errors.Is(err, refuse.ErrUnauthenticated) {
		t.Errorf("got %v", err)
	}
	if zones, err := s.IDs(ctx, `SELECT account_id FROM zones`); err != nil || len(zones) != 0 {
		t.Errorf("zones of %v are kept, %v", zones, err)
	}
	again := official(t, desk, "BOB", rights.RoleReferee)
	if again.Account != bob.Account || again.Name != "BOB" {
		t.Errorf("got %+v", again)
	}
	_, err := action.Do(ctx, desk, ann, CreateAccount{Name: "bob", Password: passphrase, Role: rights.RoleReferee})
	wantKey(t, err, "err_account_exists")
}

func TestDevices(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	ann, bob := official(t, desk, "Ann", rights.RoleOrganizer), official(t, desk, "Bob", rights.RoleReferee)
	mine, other := signIn(t, s, bob.Account, "mine"), signIn(t, s, ann.Account, "other")
	own, err := Devices(ctx, s, bob, bob.Account)
	if err != nil || len(own) != 1 || own[0].Name != "Bob" || own[0].Session != mine ||
		!strings.Contains(own[0].Agent, "iPhone") {
		t.Fatalf("got %+v, %v", own, err)
	}
	t.Run("seen again, after a while", func(t *testing.T) {
		for _, step := range []struct {
			after, seen time.Duration
		}{{30 * time.Second, 0}, {time.Minute, 90 * time.Second}} {
			now = now.Add(step.after)
			if _, err := SignedIn(ctx, s, mine, bob.Account); err != nil {
				t.Fatal(err)
			}
			if own, err := Devices(ctx, s, bob, bob.Account); err != nil ||
				own[0].SeenAt-own[0].Since != engine.Millis(step.seen.Milliseconds()) {
				t.Errorf("after %v: got %+v, %v", step.after, own, err)
			}
		}
	})
	t.Run("others' are for organizers", func(t *testing.T) {
		_, err := Devices(ctx, s, bob, ann.Account)
		wantKey(t, err, "err_not_allowed")
		_, err = Devices(ctx, s, bob, 0)
		wantKey(t, err, "err_not_allowed")
		if all, err := Devices(ctx, s, ann, 0); err != nil || len(all) != 2 {
			t.Errorf("got %+v, %v", all, err)
		}
		theirs, err := Devices(ctx, s, ann, ann.Account)
		if err != nil {
			t.Fatal(err)
		}
		_, err = action.Do(ctx, desk, bob, RevokeDevice{Device: theirs[0].ID})
		wantKey(t, err, "err_not_allowed")
		_, err = action.Do(ctx, desk, rights.Public(), RevokeDevice{Device: theirs[0].ID})
		wantKey(t, err, "err_sign_in_first")
	})
	t.Run("revoked, its session is over, and only that", func(t *testing.T) {
		if device, err := action.Do(ctx, desk, bob, RevokeDevice{Device: own[0].ID,
			Password: passphrase}); err != nil || device.AccountID != bob.Account || device.Name != "Bob" {
			t.Fatalf("got %+v, %v", device, err)
		}
		if alive(t, s, mine) || !alive(t, s, other) {
			t.Error("the wrong session has ended")
		}
		if left, err := Devices(ctx, s, bob, bob.Account); err != nil || len(left) != 0 {
			t.Errorf("got %+v, %v", left, err)
		}
		_, err := action.Do(ctx, desk, ann, RevokeDevice{Device: own[0].ID})
		wantKey(t, err, "err_device_not_found")
	})
	t.Run("a session that has run out is not listed", func(t *testing.T) {
		now = now.Add(2 * time.Hour)
		if left, err := Devices(ctx, s, ann, 0); err != nil || len(left) != 0 {
			t.Errorf("got %+v, %v", left, err)
		}
	})
}

func TestInvites(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	_, err := action.Do(ctx, desk, rights.Staff(rights.RoleHeadReferee, "Hal"),
		InviteOfficial{Name: "Bob", Role: rights.RoleReferee})
	wantKey(t, err, "err_not_allowed")
	_, err = action.Do(ctx, desk, organizer, InviteOfficial{Name: "a:b", Role: rights.RoleReferee})
	wantKey(t, err, "err_account_name")
	_, err = action.Do(ctx, desk, organizer, InviteOfficial{Name: "Bob", Role: rights.RolePlayer})
	wantKey(t, err, "err_account_role")
	first, err := action.Do(ctx, desk, organizer, InviteOfficial{Name: "Bob", Role: rights.RoleReferee})
	if err != nil || len(first.Token) < 30 {
		t.Fatalf("got %+v, %v", first, err)
	}
	t.Run("the token is stored as a hash", func(t *testing.T) {
		var stored Invite
		if err := s.Read.Take(&stored, first.ID).Error; err != nil || strings.Contains(stored.TokenHash, first.Token) ||
			len(stored.TokenHash) != 64 {
			t.Errorf("got %+v, %v", stored, err)
		}
	})
	t.Run("without a password nobody signs in by name", func(t *testing.T) {
		for _, password := range []string{"", passphrase} {
			_, err := SignIn(ctx, s, "Bob", password, false)
			wantKey(t, err, "err_sign_in_wrong")
		}
	})
	t.Run("a newer one voids it", func(t *testing.T) {
		second, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: first.AccountID})
		if err != nil {
			t.Fatal(err)
		}
		_, err = action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: first.Token, Password: ""})
		wantKey(t, err, "err_invite_over")
		first = second
	})
	t.Run("looking at it does not use it; a bad password neither", func(t *testing.T) {
		for range 2 {
			if actor, err := Invited(ctx, s, first.Token); err != nil || actor.Name != "Bob" ||
				actor.Role != rights.RoleReferee {
				t.Errorf("got %+v, %v", actor, err)
			}
		}
		_, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: first.Token, Password: "short"})
		wantKey(t, err, "err_password_short")
	})
	t.Run("used once", func(t *testing.T) {
		if actor, err := action.Do(ctx, desk, rights.Public(),
			AcceptInvite{Token: first.Token, Password: passphrase}); err != nil || actor.Account != first.AccountID {
			t.Fatalf("got %+v, %v", actor, err)
		}
		_, err := action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: first.Token, Password: passphrase})
		wantKey(t, err, "err_invite_over")
		if _, err := SignIn(ctx, s, "Bob", passphrase, false); err != nil {
			t.Error(err)
		}
	})
	t.Run("over after a quarter of an hour, and with the account", func(t *testing.T) {
		late, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: first.AccountID})
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(15 * time.Minute)
		_, err = action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: late.Token, Password: ""})
		wantKey(t, err, "err_invite_over")
		gone, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: first.AccountID})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := action.Do(ctx, desk, organizer, RemoveAccount{Account: first.AccountID}); err != nil {
			t.Fatal(err)
		}
		_, err = action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: gone.Token, Password: ""})
		wantKey(t, err, "err_invite_over")
	})
}

func TestPIN(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	bob, sue := official(t, desk, "Bob", rights.RoleReferee), official(t, desk, "Sue", rights.RoleScorekeeper)
	for _, pin := range []string{"12345", "1234567", "12345a", "123456", "890123", "654321", "777777", " 12345"} {
		wantKey(t, errOf(action.Do(ctx, desk, bob, SetPIN{PIN: pin})), "err_pin_form")
	}
	wantKey(t, errOf(action.Do(ctx, desk, sue, SetPIN{PIN: "190283"})), "err_not_allowed")
	wantKey(t, errOf(action.Do(ctx, desk, rights.Public(), SetPIN{PIN: "190283"})), "err_sign_in_first")
	if _, err := action.Do(ctx, desk, bob, SetPIN{PIN: "190283", Password: passphrase}); err != nil {
		t.Fatal(err)
	}
	var stored Account
	if err := s.Read.Take(&stored, bob.Account).Error; err != nil || !strings.HasPrefix(stored.PIN, "$argon2id$") {
		t.Errorf("got %q, %v", stored.PIN, err)
	}
	for _, who := range []string{"bob", " Bob ", "1"} {
		if actor, err := ByPIN(ctx, s, who, "190283"); err != nil || actor.Account != bob.Account ||
			actor.Role != rights.RoleReferee {
			t.Errorf("%q: got %+v, %v", who, actor, err)
		}
	}
	for _, try := range [][2]string{{"Bob", "190284"}, {"Bob", ""}, {"Sue", ""}, {"2", "190283"}, {"Zed", "190283"},
		{"", "190283"}} {
		_, err := ByPIN(ctx, s, try[0], try[1])
		wantKey(t, err, "err_pin_wrong")
	}
	t.Run("no right, no PIN", func(t *testing.T) {
		if _, err := action.Do(ctx, desk, organizer, SetRole{Account: bob.Account,
			Role: rights.RoleObserver}); err != nil {
			t.Fatal(err)
		}
		_, err := ByPIN(ctx, s, "Bob", "190283")
		wantKey(t, err, "err_pin_wrong")
	})
}

// TestWhatIsKeptOfAccounts checks that viewers of an official are notified of every action, and that its record belongs
// to no tournament and contains no secrets.
func TestWhatIsKeptOfAccounts(t *testing.T) {
	desk, ctx := newDesk(t), context.Background()
	s := desk.DB
	var told []action.Changed
	desk.OnChanged(func(c action.Changed) { told = append(told, c) })
	desk, bob := desk, official(t, desk, "Bob", rights.RoleReferee)
	invite, err := action.Do(ctx, desk, organizer, InviteOfficial{Account: bob.Account})
	if err != nil {
		t.Fatal(err)
	}
	signIn(t, s, bob.Account, "a token")
	devices, err := Devices(ctx, s, bob, bob.Account)
	if err != nil {
		t.Fatal(err)
	}
	const second, third = "the second passphrase", "the third passphrase"
	for _, err := range []error{
		errOf(action.Do(ctx, desk, bob, RevokeDevice{Device: devices[0].ID, Here: devices[0].Session})),
		errOf(action.Do(ctx, desk, rights.Public(), AcceptInvite{Token: invite.Token, Password: second})),
		errOf(action.Do(ctx, desk, bob, SetPIN{PIN: "190283", Password: second})),
		errOf(action.Do(ctx, desk, bob, ChangePassword{Old: second, Password: third})),
		errOf(action.Do(ctx, desk, organizer, SetPassword{Account: bob.Account, Password: second})),
		errOf(action.Do(ctx, desk, organizer, SetRole{Account: bob.Account, Role: rights.RoleObserver})),
		// already has that role
		errOf(action.Do(ctx, desk, organizer, SetRole{Account: bob.Account, Role: rights.RoleObserver})),
		errOf(action.Do(ctx, desk, organizer, RemoveAccount{Account: bob.Account})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	records, err := action.Records(ctx, s, organizer, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"account.remove", "account.role", "account.password", "account.own_password", "account.pin",
		"account.accept", "device.revoke",
		"account.invite", "account.create"}
	for i, r := range records {
		if i >= len(want) || r.Kind != want[i] || r.TournamentID != nil || r.About().Name != "Bob" {
			t.Errorf("record %d: got %+v", i, r)
		}
		for _, secret := range []string{passphrase, second, third, "190283", invite.Token, "argon2id",
			secret.Hash(invite.Token), SessionHash("a token")} {
			if strings.Contains(r.Data+r.AboutJSON+r.Why+r.Subject+r.Before+r.After, secret) {
				t.Errorf("%s keeps %q: %+v", r.Kind, secret, r)
			}
		}
	}
	if len(records) != len(want) || len(told) != len(want) {
		t.Errorf("got %d records and was told %d times, want %d", len(records), len(told), len(want))
	}
	for _, c := range told {
		if c.Tournament != 0 || !slices.Equal(c.Topics, []action.Topic{{What: action.TopicOfficials,
			ID: bob.Account}}) {
			t.Errorf("told %+v", c)
		}
	}
}
