package store

import (
	"testing"
	"time"
)

// TestNodesClockIsSet checks that a node's clock that is behind jumps to the time of the other nodes. If the database's
// clock is set back, all nodes keep their time, and a new node adopts it.
func TestNodesClockIsSet(t *testing.T) {
	began := time.Now()
	hall := began.Add(100 * time.Hour)
	clock := func(showed time.Duration) *sharedClock {
		c := &sharedClock{}
		c.set(hall.Add(showed), began)
		return c
	}
	for name, c := range map[string]struct {
		showed, database, unsure, others time.Duration // relative to hall
		want, off                        time.Duration // afterwards
	}{
		"near": {0, 3 * time.Millisecond, 0, 0, 3 * time.Millisecond,
			-3 * time.Millisecond},
		"not quite near": {0, 100 * time.Millisecond, 0, 0, 5 * time.Millisecond,
			-100 * time.Millisecond},
		"its machine slept":                   {-90 * time.Second, 0, 0, 0, 0, 0},
		"it slept, and the answer takes long": {-90 * time.Second, 0, 2 * time.Second, 0, 0, 0},
		"the answer takes too long to tell": {-1 * time.Second, 0, 2 * time.Second, 0, -1 * time.Second,
			-1 * time.Second},
		"the database's is set on":         {0, time.Hour, 0, 0, time.Hour, 0},
		"the database's is set back":       {0, -time.Hour, 0, time.Hour, -5 * time.Millisecond, time.Hour},
		"and this one is alone":            {0, -time.Hour, 0, 0, -5 * time.Millisecond, time.Hour},
		"a new node after it was set back": {-time.Hour, -time.Hour, 0, time.Hour, 0, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			at := clock(c.showed)
			at.near(hall.Add(c.database), began, c.unsure, c.others)
			if got := at.at(began).Sub(hall); got != c.want || time.Duration(at.off.Load()) != c.off {
				t.Errorf("it shows %v and is ahead of the database's by %v, want %v and %v", got,
					time.Duration(at.off.Load()), c.want, c.off)
			}
		})
	}
}
