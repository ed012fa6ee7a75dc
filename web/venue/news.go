package venue

import (
	"context"
	"errors"
	"sync"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/floor"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// news keeps the announcements of events, so that thousands who are told at once cost one query.
type news struct {
	store *storage.DB
	mu    sync.Mutex
	said  map[int64]toldEvent
}

// toldEvent is an event's announcements, and until when it is a rehearsal, 0 for none.
type toldEvent struct {
	said      []floor.Announcement
	rehearsed engine.Millis
}

func newNews(store *storage.DB) *news {
	return &news{store: store, said: map[int64]toldEvent{}}
}

// Announced gives an event's current announcements, the newest first, and whether the event is a rehearsal.
func (s *Venue) Announced(ctx context.Context, event int64) (on []floor.Announcement, rehearsed bool, err error) {
	n := s.news
	n.mu.Lock()
	defer n.mu.Unlock()
	told, err := n.told(context.WithoutCancel(ctx), event)
	if err != nil {
		return nil, false, err
	}
	now := engine.MillisOf(n.store.Now())
	for _, a := range told.said {
		if a.Until > now {
			on = append(on, a)
		}
	}
	return on, told.rehearsed != 0, nil
}

// told is what is kept of an event; n.mu is held.
func (n *news) told(ctx context.Context, event int64) (toldEvent, error) {
	if told, ok := n.said[event]; ok {
		return told, nil
	}
	t, err := tournament.TournamentByID(ctx, n.store, event)
	if errors.Is(err, refuse.ErrNotFound) {
		return toldEvent{}, nil
	}
	if err != nil {
		return toldEvent{}, err
	}
	told := toldEvent{rehearsed: t.EndsBy}
	if told.said, err = floor.Announced(ctx, n.store, event); err != nil {
		return told, err
	}
	if len(n.said) >= keptMost {
		clear(n.said)
	}
	n.said[event] = told
	return told, nil
}

// forget makes an event's news be read again.
func (n *news) forget(event int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.said, event)
}
