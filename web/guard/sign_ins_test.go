package guard

import (
	"strconv"
	"testing"
	"time"
)

// TestSignInsOfAnAddress checks that wrong passwords for unknown names do not lock out others at the same address, up
// to a limit.
func TestSignInsOfAnAddress(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	s := NewSignIns(func() time.Time { return now })
	wrong := func(account string) bool {
		try, err := s.Begin(account, "203.0.113.9")
		if err != nil {
			return false
		}
		defer try.End()
		try.Failed()
		return true
	}
	for i := range 200 {
		wrong("nobody " + strconv.Itoa(i))
	}
	try, err := s.Begin("referee", "203.0.113.9")
	if err != nil {
		t.Fatalf("the referee is kept out: %v", err)
	}
	try.End()
	let := 0
	for wrong("nobody again " + strconv.Itoa(let)) {
		let++
	}
	if let != triesOfHall-200 {
		t.Errorf("%d more are let in, want %d", let, triesOfHall-200)
	}
}
