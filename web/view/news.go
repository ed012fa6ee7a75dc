package view

import (
	"context"
	"errors"
	"sync"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/screen"
	"meldhall/tournament/store"
)

// news caches the announcements of tournaments, so that thousands of readers cost one query.
type news struct {
	store *store.DB
	mu    sync.Mutex
	said  map[int64]toldEvent
}

// toldEvent contains a tournament's announcements, and the key of the mark on all its pages; see Announced.
type toldEvent struct {
	said []screen.Announcement
	mark string
}

func newNews(db *store.DB) *news {
	return &news{store: db, said: map[int64]toldEvent{}}
}

// Announced returns a tournament's current announcements, newest first, and the key of the text that marks all pages of
// a rehearsal or a training. The key is empty for an ordinary tournament.
func (s *Reader) Announced(ctx context.Context, tournamentID int64) (on []screen.Announcement, mark string, err error) {
	n := s.news
	n.mu.Lock()
	defer n.mu.Unlock()
	told, err := n.told(context.WithoutCancel(ctx), tournamentID)
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

// told returns a tournament's cached data, reading it if necessary. The caller must hold n.mu.
func (n *news) told(ctx context.Context, tournamentID int64) (toldEvent, error) {
	if told, ok := n.said[tournamentID]; ok {
		return told, nil
	}
	t, err := tournament.TournamentByID(ctx, n.store, tournamentID)
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
	if told.said, err = screen.Announced(ctx, n.store, tournamentID); err != nil {
		return told, err
	}
	if len(n.said) >= keptMost {
		clear(n.said)
	}
	n.said[tournamentID] = told
	return told, nil
}

// forget drops a tournament's cached announcements.
func (n *news) forget(tournamentID int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.said, tournamentID)
}
