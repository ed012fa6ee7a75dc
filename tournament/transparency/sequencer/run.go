package sequencer

import (
	"context"
	"log/slog"
	"time"
)

const (
	every = time.Minute     // how often all running tournaments are looked at
	pause = 2 * time.Second // the least time between two steps after changes
)

// Changed makes Run look at a tournament soon. It does not block.
func (s *Sequencer) Changed(tournamentID int64) {
	s.mu.Lock()
	s.changed[tournamentID] = true
	s.mu.Unlock()
	select {
	case s.soon <- struct{}{}:
	default:
	}
}

// Run appends to the logs until ctx ends: at once for all tournaments, soon after each change, and once a minute for
// the running ones, whose rulings announce no change. It also finds what a node that died has left.
func (s *Sequencer) Run(ctx context.Context) {
	if !s.db.Serves() {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	s.find(ctx, "1 = 1")
	for {
		for _, id := range s.due() {
			if _, err := s.Step(ctx, id); err != nil && ctx.Err() == nil {
				slog.Error("appending to a transparency log failed", "err", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		select {
		case <-ctx.Done():
			return
		case <-s.soon:
		case <-tick.C:
			s.find(ctx, "status = 'running'")
		}
	}
}

// find marks the tournaments that satisfy an SQL condition as changed.
func (s *Sequencer) find(ctx context.Context, of string) {
	ids, err := s.db.IDs(ctx, `SELECT id FROM tournaments
		WHERE practice = '' AND rehearses = 0 AND removed_at = 0 AND `+of+` ORDER BY id`)
	if err != nil && ctx.Err() == nil {
		slog.Error("finding the events with transparency logs failed", "err", err)
	}
	for _, id := range ids {
		s.Changed(id)
	}
}

// due returns the changed tournaments and forgets them.
func (s *Sequencer) due() (ids []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.changed {
		ids = append(ids, id)
	}
	clear(s.changed)
	return ids
}
