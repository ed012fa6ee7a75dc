package game

import (
	"context"
	"time"
)

// Stop stops all clocks. It is the first step of a shutdown. No turn expires after it, and commands in progress are
// decided as of the moment of the call. The next start gives all players the time from that moment on, or from the
// beginning of a gap that had not been given back by then.
func (g *Games) Stop(ctx context.Context) error {
	since := g.DB.Millis()
	if !g.stopped.CompareAndSwap(0, int64(since)) {
		return nil
	}
	g.creditAll(ctx)
	return WriteHeartbeat(ctx, g.DB, g.paidUntil(since))
}

// now returns the time at which commands are decided.
func (g *Games) now() time.Time {
	now := g.DB.Now()
	if at := g.stopped.Load(); at != 0 && now.UnixMilli() > at {
		return time.UnixMilli(at)
	}
	return now
}
