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

// toldEvent is an event's announcements, and the key of what stands on all its pages, see Announced.
type toldEvent struct {
	said []floor.Announcement
	mark string
}

func newNews(store *storage.DB) *news {
	return &news{store: store, said: map[int64]toldEvent{}}
}

// Announced gives an event's current announcements, the newest first, and the key of the text that marks all pages of a rehearsal or a training,
// empty for an event.
func (s *Venue) Announced(ctx context.Context, event int64) (on []floor.Announcement, mark string, err error) {
	n := s.news
	n.mu.Lock()
	defer n.mu.Unlock()
	told, err := n.told(context.WithoutCancel(ctx), event)
	if err != nil {
		return nil, "", err
	}
	now := engine.MillisOf(n.store.Now())
	for _, a := range told.said {
		if a.Until > now {
			on = append(on, a)
		}
	}
	return on, told.mark, nil
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
	told := toldEvent{}
	switch {
	case t.Trains():
		told.mark = "training.mark"
	case t.EndsBy != 0:
		told.mark = "rehearsal.mark"
	}
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
