package account

import (
	"strings"
	"testing"
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/rights"
)

func aKey(id string, count uint32) DeviceKey {
	return DeviceKey{Credential: []byte(id), PublicKey: []byte("key"), SignCount: count, Flags: 1}
}

// TestPasskeysAndCodes checks that app and passkeys share one set of recovery codes, which is removed with the last of
// them.
func TestPasskeysAndCodes(t *testing.T) {
	desk, ctx := newDesk(t), t.Context()
	s := desk.DB
	now := time.Date(2026, 11, 23, 10, 0, 10, 0, time.UTC)
	s.Wall = func() time.Time { return now }
	ann, bob := official(t, desk, "Ann", rights.RoleOrganizer), official(t, desk, "Bob", rights.RoleHeadReferee)
	add := AddPasskey{Password: passphrase, Name: " laptop ", Key: aKey("a", 1)}
	for key, wrong := range map[string]AddPasskey{
		"err_password_wrong": {Password: "a wrong password", Name: "laptop", Key: aKey("a", 1)},
		"err_passkey_name":   {Password: passphrase, Name: strings.Repeat("x", 41), Key: aKey("a", 1)},
		"err_passkey_wrong":  {Password: passphrase, Name: "laptop"},
	} {
		wantKey(t, errOf(action.Do(ctx, desk, bob, wrong)), key)
	}
	codes, err := action.Do(ctx, desk, bob, add)
	if err != nil || len(codes) != recoveries {
		t.Fatalf("got %d codes, %v", len(codes), err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, ann, add)), "err_passkey_taken")
	if second, err := action.Do(ctx, desk, bob, AddPasskey{Password: passphrase, Name: "phone",
		Key: aKey("b", 0)}); err != nil || len(second) != 0 {
		t.Errorf("got %d codes, %v", len(second), err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, bob, DropSecond{Password: passphrase, Code: codes[0]})), "err_second_wrong")
	if err := UseCode(ctx, s, bob.Account, codes[0]); err != nil {
		t.Errorf("a recovery code without an app: %v", err)
	}
	typed, _, err := NewSecret("Bob")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := action.Do(ctx, desk, bob, AddSecond{Password: passphrase, Secret: typed, Code: shows(t, typed, now)})
	if err != nil || len(fresh) != recoveries {
		t.Fatalf("got %d codes, %v", len(fresh), err)
	}
	wantKey(t, UseCode(ctx, s, bob.Account, codes[1]), "err_second_wrong")
	if _, err := action.Do(ctx, desk, bob, DropSecond{Password: passphrase, Code: fresh[0]}); err != nil {
		t.Fatal(err)
	}
	keys, err := PasskeysOf(ctx, s, bob.Account)
	if err != nil || len(keys) != 2 || keys[0].Name != "laptop" {
		t.Fatalf("got %+v, %v", keys, err)
	}
	wantKey(t, errOf(action.Do(ctx, desk, ann, DropPasskey{Password: passphrase, Passkey: keys[0].ID})),
		"err_passkey_not_found")
	wantKey(t, errOf(action.Do(ctx, desk, bob, DropPasskey{Password: "a wrong password", Passkey: keys[0].ID})),
		"err_password_wrong")
	for i, key := range keys {
		if left, err := RecoveriesLeft(ctx, s, bob, bob.Account); err != nil || left != recoveries-1 {
			t.Errorf("before key %d: %d codes are left, %v", i, left, err)
		}
		if _, err := action.Do(ctx, desk, bob, DropPasskey{Password: passphrase, Passkey: key.ID}); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := RecoveriesLeft(ctx, s, bob, bob.Account); err != nil || left != 0 {
		t.Errorf("%d codes are left, %v", left, err)
	}
	if has, err := HasSecond(ctx, s, bob.Account); err != nil || has {
		t.Errorf("a second step is left, %v", err)
	}
}

// TestPasskeyCounter checks that a counter must increase, unless a key has none, and that an organizer's reset also
// removes passkeys.
func TestPasskeyCounter(t *testing.T) {
	desk, ctx := newDesk(t), t.Context()
	ann, bob := official(t, desk, "Ann", rights.RoleOrganizer), official(t, desk, "Bob", rights.RoleHeadReferee)
	for id, count := range map[string]uint32{"counts": 5, "none": 0} {
		if _, err := action.Do(ctx, desk, bob, AddPasskey{Password: passphrase, Name: id,
			Key: aKey(id, count)}); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range []struct {
		account int64
		id      string
		count   uint32
		key     string
	}{
		{bob.Account, "counts", 6, ""}, {bob.Account, "counts", 6, "err_passkey_copied"},
		{bob.Account, "counts", 5, "err_passkey_copied"},
		{bob.Account, "counts", 0, "err_passkey_copied"}, {bob.Account, "counts", 9, ""}, {bob.Account, "none", 0, ""},
		{bob.Account, "none", 0, ""},
		{ann.Account, "none", 0, "err_passkey_wrong"}, {bob.Account, "other", 1, "err_passkey_wrong"},
	} {
		if err := UsePasskey(ctx, desk.DB, c.account, aKey(c.id, c.count)); c.key != "" {
			wantKey(t, err, c.key)
		} else if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := action.Do(ctx, desk, ann, ResetSecond{Account: bob.Account}); err != nil {
		t.Fatal(err)
	}
	if keys, err := PasskeysOf(ctx, desk.DB, bob.Account); err != nil || len(keys) != 0 {
		t.Errorf("%d passkeys are left, %v", len(keys), err)
	}
}
