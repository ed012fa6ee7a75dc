package guard

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// Who tries at several nodes has the tries of one, and who is right is so at all of them; nothing that was typed is told.
func TestTriesCountAtAllNodes(t *testing.T) {
	now := time.Unix(1000, 0)
	clock := func() time.Time { return now }
	var nodes []Shared
	var pins []*PINTries
	var signIns []*SignIns
	for i := range 2 {
		pin, sign, all := NewPINTries(clock), NewSignIns(clock), Shared{}
		all["PINs"] = pin
		sign.Shared("passwords", all)
		all.Share(func(one Tried) {
			if text := strings.Join(one.Keys, " "); strings.Contains(text, "Ada") || strings.Contains(text, "tablet") {
				t.Errorf("others are told %q", text)
			}
			nodes[1-i].Elsewhere(one)
		})
		nodes, pins, signIns = append(nodes, all), append(pins, pin), append(signIns, sign)
	}
	var refused *TooMany
	for try := range pinTriesMost {
		if err := pins[try%2].Begin("tablet 1"); err != nil {
			t.Fatalf("try %d: %v", try, err)
		}
		if err := pins[(try+1)%2].Begin("tablet 1"); !errors.As(err, &refused) {
			t.Errorf("after try %d at the other node: %v, want a refusal", try, err)
		}
		now = now.Add(30 * time.Second)
	}
	if err := pins[0].Begin("tablet 1"); !errors.As(err, &refused) || refused.Seconds < 60 {
		t.Errorf("after the fifth try: %v, want that it is locked", err)
	}
	pins[1].Succeeded("tablet 1")
	if err := pins[0].Begin("tablet 1"); err != nil {
		t.Errorf("after a success at the other node: %v", err)
	}
	for i := range triesOfOne {
		try, err := signIns[i%2].Begin("Ada", "192.0.2.1")
		if errors.As(err, &refused) {
			return
		}
		try.Failed()
		try.End()
	}
	t.Error("ten wrong passwords at two nodes make nobody wait")
}
