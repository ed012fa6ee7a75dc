package game

import (
	"context"
	"time"
)

// Stop is the first thing that a program does which is to end: from now on all clocks stand. No turn runs out while nobody can see it or
// play any more, what is in hand is decided as of now, and the next start credits everybody from here on, or from a gap that could not be
// paid back any more (faults.md 4).
func (g *Games) Stop(ctx context.Context) error {
	since := g.DB.Millis()
	if !g.stopped.CompareAndSwap(0, int64(since)) {
		return nil
	}
	g.creditAll(ctx)
	return beat(ctx, g.DB, g.paidUntil(since))
}

// now is the time by which games are decided.
func (g *Games) now() time.Time {
	now := g.DB.Now()
	if at := g.stopped.Load(); at != 0 && now.UnixMilli() > at {
		return time.UnixMilli(at)
	}
	return now
}
