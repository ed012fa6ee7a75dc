package web

import (
	"context"
	"crypto/sha256"
	"sync"

	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// seatCache remembers whom a seat's token plays for, so that a turn does not cost a query. What it
// remembers holds for one count of the games' seatings: when a code is issued again, a device
// replaced or a round published, all of it is asked again.
type seatCache struct {
	store   *tournament.Store
	games   *tournament.Games
	mu      sync.RWMutex
	seating uint64
	actors  map[[sha256.Size]byte]*rights.Actor
}

// actorsMost bounds the memory; only tokens that exist are kept.
const actorsMost = 20_000

func newSeatCache(store *tournament.Store, games *tournament.Games) *seatCache {
	return &seatCache{store: store, games: games, actors: map[[sha256.Size]byte]*rights.Actor{}}
}

// actor gives the player of a token, nil when there is none. The token is looked up by its hash, which
// tells nothing of how much of it was right.
func (s *seatCache) actor(ctx context.Context, token string) (*rights.Actor, error) {
	hash := sha256.Sum256([]byte(token))
	seating := s.games.Seatings() // before the query: what is older than the answer is asked again
	s.mu.RLock()
	actor, ok := s.actors[hash]
	current := s.seating == seating
	s.mu.RUnlock()
	if ok && current {
		return actor, nil
	}
	found, err := tournament.ActorByToken(ctx, s.store, token)
	if err != nil {
		return nil, nobody(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seating != seating || len(s.actors) >= actorsMost {
		if s.seating > seating {
			return &found, nil // newer answers are kept already
		}
		s.seating, s.actors = seating, map[[sha256.Size]byte]*rights.Actor{}
	}
	s.actors[hash] = &found
	return &found, nil
}
