package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// unasked counts log records, each of which means that the database did not reply in time, as on an overloaded machine.
// Each node then counts on its own.
type unasked struct {
	slog.Handler
	n *atomic.Int64
}

// Handle counts a record.
func (u unasked) Handle(context.Context, slog.Record) error {
	u.n.Add(1)
	return nil
}

// twoNodes returns the counters of two nodes with one database. The test advances their clock with ahead.
func twoNodes(t *testing.T) (pins []*PINTries, signIns []*SignIns, codes []*Throttle, db *store.DB,
	ahead *atomic.Int64) {
	t.Helper()
	address := storetest.Server(t, storetest.Fresh)
	ahead = &atomic.Int64{}
	began := time.Now()
	for range 2 {
		s, err := store.OpenNode(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		s.Now = func() time.Time { return began.Add(time.Duration(ahead.Load())) }
		pin, sign, code, all := NewPINTries(s.Now), NewSignIns(s.Now), NewThrottle(5, time.Minute, s.Now), Shared{}
		all["PINs"], all["codes"] = pin, code
		sign.Shared("passwords", all)
		all.Keep(s.Nodes.Tries())
		pins, signIns, codes, db = append(pins, pin), append(signIns, sign), append(codes, code), s
	}
	return pins, signIns, codes, db, ahead
}

// TestTriesCountAtAllNodes checks that attempts at several nodes count together, that a success clears the counters on
// all of them, and that no typed text is stored.
func TestTriesCountAtAllNodes(t *testing.T) {
	pins, signIns, codes, store, ahead := twoNodes(t)
	var refused *TooMany
	for try := range 5 {
		if err := pins[try%2].Begin("tablet 1", "account 1"); err != nil {
			t.Fatalf("try %d: %v", try, err)
		}
		if err := pins[(try+1)%2].Begin("tablet 1", "account 2"); !errors.As(err, &refused) {
			t.Errorf("after try %d at the other node: %v, want a refusal", try, err)
		}
		ahead.Add(int64(30 * time.Second))
	}
	if err := pins[0].Begin("tablet 1"); !errors.As(err, &refused) || refused.Seconds < 60 {
		t.Errorf("after the fifth try: %v, want that it is locked", err)
	}
	if err := pins[0].Begin("account 2"); err != nil {
		t.Errorf("an account that waited for a tablet was counted: %v", err)
	}
	pins[1].Succeeded("tablet 1")
	if err := pins[0].Begin("tablet 1"); err != nil {
		t.Errorf("after a success at the other node: %v", err)
	}
	for i := 0; ; i++ {
		try, err := signIns[i%2].Begin("Ada", "192.0.2.1")
		if errors.As(err, &refused) {
			break
		}
		if i == 10 {
			t.Fatal("ten wrong passwords at two nodes make nobody wait")
		}
		try.Failed()
		try.End()
	}
	for i := range 5 {
		ahead.Add(int64(time.Millisecond))
		codes[i%2].Failed("192.0.2.7")
	}
	ahead.Add(int64(10 * time.Second)) // longer than the wait after five failures
	if err := codes[0].Check("192.0.2.7"); !errors.As(err, &refused) {
		t.Errorf("five of five tries a minute were spent at two nodes: %v", err)
	}
	ahead.Add(int64(3 * time.Minute))
	if err := codes[0].Check("192.0.2.7"); err != nil {
		t.Errorf("minutes later: %v", err)
	}
	var kept string
	if err := store.ReadSQL.QueryRow(`SELECT string_agg(key, ' ') FROM tries`).Scan(&kept); err != nil || kept == "" ||
		strings.Contains(kept, "Ada") || strings.Contains(kept, "192") {
		t.Errorf("%q is kept, %v", kept, err)
	}
}

// TestTriesAtOnceAtTwoNodes checks that of many simultaneous attempts at a PIN on two nodes, one is admitted.
func TestTriesAtOnceAtTwoNodes(t *testing.T) {
	pins, _, _, _, _ := twoNodes(t)
	var missed atomic.Int64
	logs := slog.Default()
	slog.SetDefault(slog.New(unasked{logs.Handler(), &missed}))
	defer slog.SetDefault(logs)
	for tablet := range 5 {
		var let atomic.Int64
		var all sync.WaitGroup
		missed.Store(0)
		for i := range 40 {
			all.Go(func() {
				if pins[i%2].Begin(fmt.Sprint("tablet ", tablet), fmt.Sprint("account ", tablet)) == nil {
					let.Add(1)
				}
			})
		}
		all.Wait()
		if n := missed.Load(); n > 0 {
			t.Logf("the database could not be asked %d times", n)
			continue
		}
		if n := let.Load(); n != 1 {
			t.Errorf("%d of 40 tries at once are let through, want 1", n)
		}
		return
	}
	t.Error("the database could not be asked in five rounds")
}
