package web

import (
	"context"
	"sync"
	"time"

	"meldhall/tournament"
)

// paceLife is how long a measured round is good for all who look at it.
const paceLife = time.Second

// paces keeps what was measured of rounds a moment ago, so that many pages cost one measuring.
type paces struct {
	now    func() time.Time
	mu     sync.Mutex
	rounds map[int64]keptPace
}

type keptPace struct {
	at   time.Time
	pace tournament.RoundPace
}

func newPaces(now func() time.Time) *paces { return &paces{now: now, rounds: map[int64]keptPace{}} }

// pace measures a round of an event, at most once a second: for pages that say in minutes when it is over.
func (s *views) pace(ctx context.Context, event, round int64) (tournament.RoundPace, error) {
	p := s.paces
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if kept, ok := p.rounds[round]; ok && now.Sub(kept.at) < paceLife {
		return kept.pace, nil
	}
	measured, err := s.paceNow(context.WithoutCancel(ctx), event, round) // others wait for it
	if err != nil {
		return measured, err
	}
	if len(p.rounds) >= regionsMost {
		clear(p.rounds)
	}
	p.rounds[round] = keptPace{now, measured}
	return measured, nil
}

// paceNow measures a round of an event.
func (s *views) paceNow(ctx context.Context, event, round int64) (tournament.RoundPace, error) {
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return tournament.RoundPace{}, err
	}
	return tournament.PaceOf(ctx, s.games, t, round)
}
