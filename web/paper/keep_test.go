package paper

import (
	"testing"
	"testing/synctest"
	"time"

	"meldhall/tournament/door"
)

// TestPackOfStandingsRests holds that results which come one after another do not have the pack made all the time, and that seats
// never wait for it.
func TestPackOfStandingsRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := NewKeeper(nil, nil, "")
		k.rests[1] = time.Now().Add(time.Minute)
		standings := door.Changed{Tournament: 1, Topics: []door.Topic{{What: door.TopicStandings}}}
		seats := door.Changed{Tournament: 1, Topics: []door.Topic{{What: door.TopicSeats}}}
		if wait := k.wait(standings); wait != time.Minute {
			t.Errorf("standings after a pack that took three seconds wait %v", wait)
		}
		if wait := k.wait(door.Changed{Tournament: 2, Topics: standings.Topics}); wait != calm {
			t.Errorf("those of another event wait %v", wait)
		}
		if wait := k.wait(seats); wait != calm {
			t.Errorf("seats wait %v", wait)
		}
		if wait := k.wait(standings); wait != calm {
			t.Errorf("standings after seats that are not on paper yet wait %v", wait)
		}
		time.Sleep(2 * time.Minute)
		delete(k.seats, 1)
		if wait := k.wait(standings); wait != calm {
			t.Errorf("rested, standings wait %v", wait)
		}
	})
}
