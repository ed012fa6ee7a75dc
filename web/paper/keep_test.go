package paper

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestPackOfStandingsRests checks that frequent results do not cause packs to be made all the time, and that changed
// seats never have to wait.
func TestPackOfStandingsRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := NewKeeper(nil, nil, "")
		k.rests[1] = time.Now().Add(time.Minute)
		if wait := k.wait(1, false); wait != time.Minute {
			t.Errorf("standings after a pack that took three seconds wait %v", wait)
		}
		if wait := k.wait(2, false); wait != calm {
			t.Errorf("those of another event wait %v", wait)
		}
		if wait := k.wait(1, true); wait != calm {
			t.Errorf("seats wait %v", wait)
		}
		if wait := k.wait(1, false); wait != calm {
			t.Errorf("standings after seats that are not on paper yet wait %v", wait)
		}
		time.Sleep(2 * time.Minute)
		delete(k.seats, 1)
		if wait := k.wait(1, false); wait != calm {
			t.Errorf("rested, standings wait %v", wait)
		}
	})
}
