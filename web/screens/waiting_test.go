package screens

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"meldhall/tournament/secret"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

func TestWaitingScreensAreBounded(t *testing.T) {
	now := time.Unix(1000, 0)
	w := newWaitingScreens(func() time.Time { return now }, nil)
	for i := range waitingMost + 10 {
		now = now.Add(time.Millisecond)
		w.add(fmt.Sprint("token", i), fmt.Sprint("CODE", i))
	}
	if len(w.byCode) != waitingMost || len(w.byToken) != waitingMost {
		t.Errorf("%d codes of %d screens are kept", len(w.byCode), len(w.byToken))
	}
	if _, ok := w.of("CODE509"); !ok {
		t.Error("the newest code is gone")
	}
	now = now.Add(codeLife + time.Second)
	if _, ok := w.of("CODE509"); ok {
		t.Error("a code outlives its screen")
	}
}

// TestScreensWaitAtAllNodes checks that every node finds a screen by its token and its code until it is used or silent.
// Neither can be read in the database, and the number of screens is limited.
func TestScreensWaitAtAllNodes(t *testing.T) {
	address := storetest.Server(t, storetest.Fresh)
	var all []*waitingScreens
	var db *store.DB
	now := time.Now()
	for range 2 {
		s, err := store.OpenNode(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		s.Now = func() time.Time { return now }
		all, db = append(all, newWaitingScreens(s.Now, s.Nodes.Shelf("screen"))), s
	}
	a, b := all[0], all[1]
	token, code := secret.NewToken(), secret.NewCode()
	a.add(token, code)
	for _, w := range all {
		if got, ok := w.see(token); !ok || got != code {
			t.Errorf("the screen shows %q, %t, want %s", got, ok, code)
		}
		if got, ok := w.of(strings.ToLower(secret.SpellCode(code))); !ok || got != token {
			t.Errorf("the code is of %q, %t, want %s", got, ok, token)
		}
	}
	var kept string
	if err := db.ReadSQL.QueryRow(`SELECT string_agg(key || value, ' ') FROM kept`).Scan(&kept); err != nil ||
		kept == "" || strings.Contains(kept, token) || strings.Contains(kept, code) {
		t.Errorf("%q is kept, %v", kept, err)
	}
	now = now.Add(codeLife - time.Second)
	b.see(token)
	now = now.Add(codeLife - time.Second)
	if _, ok := a.see(token); !ok {
		t.Error("a screen that says that it is there is forgotten")
	}
	b.use(token)
	if _, ok := a.of(code); ok {
		t.Error("a code that was used is good again")
	}
	for range 5 {
		a.add(secret.NewToken(), secret.NewCode())
	}
	a.nodes.Bound(4)
	var n int
	if err := db.ReadSQL.QueryRow(`SELECT count(*) FROM kept`).Scan(&n); err != nil || n != 4 {
		t.Errorf("%d things are kept, %v, want 4", n, err)
	}
}
