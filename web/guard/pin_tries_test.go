package guard

import (
	"testing"
	"time"
)

func TestPINTries(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	p := NewPINTries(func() time.Time { return now })
	for i, wait := range []time.Duration{1, 2, 4, 8} {
		if err := p.Begin("tablet 1", "account 2"); err != nil {
			t.Fatalf("try %d: %v", i+1, err)
		}
		now = now.Add(wait*time.Second - 1)
		if err := p.Begin("tablet 9", "account 2"); err == nil {
			t.Fatalf("after failure %d another tablet may try the account at once", i+1)
		}
		now = now.Add(1)
	}
	if err := p.Begin("tablet 1", "account 2"); err != nil {
		t.Fatal(err)
	}
	now = now.Add(pinLock - 1)
	if p.Begin("tablet 1") == nil || p.Begin("account 2") == nil || p.Begin("tablet 9") != nil {
		t.Error("the lock is not where it should be")
	}
	now = now.Add(1)
	if err := p.Begin("tablet 1", "account 2"); err != nil {
		t.Errorf("after the lock: %v", err)
	}
	p.Succeeded("tablet 1", "account 2")
	if err := p.Begin("tablet 1", "account 2"); err != nil {
		t.Errorf("after a success: %v", err)
	}
}
