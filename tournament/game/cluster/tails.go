package cluster

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"meldhall/tournament/game"
)

// tails are the games with viewers whose logs have grown.
type tails struct {
	games *game.Games

	mu      sync.Mutex
	waiting map[int64]struct{}
	reading bool
	last    time.Time // when the last read ended
}

// readSoon schedules a read of a game's log, together with those of other games with hints at about the same time.
func (t *tails) readSoon(game int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting == nil {
		t.waiting = map[int64]struct{}{}
	}
	t.waiting[game] = struct{}{}
	if !t.reading {
		t.reading = true
		go t.read()
	}
}

// tailsApart is the shortest time between two reads. Logs whose hints arrive between two reads are read together: one
// statement costs the same for several games as for one.
const tailsApart = 50 * time.Millisecond

// read reads the waiting logs until none is left.
func (t *tails) read() {
	for more := true; more; {
		time.Sleep(tailsApart - time.Since(t.last))
		t.mu.Lock()
		waiting := slices.Collect(maps.Keys(t.waiting))
		clear(t.waiting)
		t.mu.Unlock()
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		t.games.CatchUp(ctx, waiting) // skips games that a command has read meanwhile
		cancel()
		t.mu.Lock()
		t.last, more = time.Now(), len(t.waiting) > 0
		t.reading = more
		t.mu.Unlock()
	}
}
