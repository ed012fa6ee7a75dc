package staff

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"meldhall/tournament/refuse"
)

func TestPasswordFits(t *testing.T) {
	ctx, passphrase := context.Background(), "correct horse battery"
	for _, broken := range []string{"", "x", "$argon2id$v=19$m=19456,t=2,p=1$AAAA", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA",
		"$argon2id$v=16$m=8,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=1$AAAA$"} {
		if fits, err := passwordFits(ctx, strangers, passphrase, broken); fits || err != nil {
			t.Errorf("%q: got %v, %v", broken, fits, err)
		}
	}
	t.Run("waits its turn and gives up with the request", func(t *testing.T) {
		for range hashesAtOnce {
			hashing <- struct{}{}
		}
		defer func() {
			for range hashesAtOnce {
				<-hashing
			}
		}()
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := hashPassword(gone, officials, passphrase); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// The line for hashing has an end, which is told at once; that of strangers ends before that of officials.
func TestLineForHashing(t *testing.T) {
	ctx, leave := context.WithCancel(context.Background())
	for range hashesAtOnce {
		hashing <- struct{}{}
	}
	var waiting sync.WaitGroup
	wait := func(in line, n int) {
		before := inLine.Load()
		for range n {
			waiting.Go(func() { argon(ctx, in, "a", []byte("salt of a test"), 1, 8, 1) })
		}
		for inLine.Load() != before+int32(n) {
			runtime.Gosched()
		}
	}
	wait(strangers, int(strangers))
	_, err := SignIn(ctx, newDesk(t).DB, "nobody", "a password", false)
	if wantKey(t, err, "err_passwords_busy"); !errors.Is(err, refuse.New(refuse.KindBusy, "")) {
		t.Errorf("got %v", err)
	}
	wait(officials, int(officials-strangers))
	_, err = hashPassword(ctx, officials, "a password")
	wantKey(t, err, "err_passwords_busy")
	leave()
	waiting.Wait()
	for range hashesAtOnce {
		<-hashing
	}
	if _, err := hashPassword(context.Background(), strangers, "a password"); err != nil {
		t.Errorf("when all have gone: %v", err)
	}
}

// What is common, made of names around the account, or typed along the keys is refused; a few words that have nothing to do with them
// are not.
func TestEasyPasswords(t *testing.T) {
	names := []string{"Anna Bellini", "Torneo di Natale 2026"}
	for _, password := range []string{"password1234", "Password!2026", "passwordpassword", "qwertyuiop12", "1234567890123", "aaaaaaaaaaaaa", "abcabcabcabc",
		"iloveyouforever", "Meldhall2026!", "rummikub-rummikub", "annabellini26", "Bellini.Anna.1", "torneo di natale", "NATALE-2026-torneo", "0987654321poiuy",
		"zxcvbnmasdfgh", "letmein-letmein", "Rummikub referee", "maria87maria87", "121212121212"} {
		if !easy(password, names) {
			t.Errorf("%q is taken", password)
		}
	}
	for _, password := range []string{passphrase, "a long enough password", "another long password", "another long one", "lavanda sotto il tetto", "QXZ7K2MTPW4Y",
		"חתול ירוק על הגג", "tea kettle rides north", "annabel's green kettle"} {
		if easy(password, names) {
			t.Errorf("%q is refused", password)
		}
	}
}
