package web

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/web/live"
)

// news keeps the announcements of events, so that thousands who are told at once cost one query.
type news struct {
	store *tournament.Store
	mu    sync.Mutex
	said  map[int64]toldEvent
}

// toldEvent is an event's announcements, and until when it is a rehearsal, 0 for none.
type toldEvent struct {
	said      []tournament.Announcement
	rehearsed engine.Millis
}

func newNews(store *tournament.Store) *news {
	return &news{store: store, said: map[int64]toldEvent{}}
}

// of gives an event's current announcements, the newest first.
func (n *news) of(ctx context.Context, event int64) ([]tournament.Announcement, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	told, err := n.told(context.WithoutCancel(ctx), event)
	if err != nil {
		return nil, err
	}
	now := engine.MillisOf(n.store.Now())
	var on []tournament.Announcement
	for _, a := range told.said {
		if a.Until > now {
			on = append(on, a)
		}
	}
	return on, nil
}

// rehearsed tells whether an event is a rehearsal.
func (n *news) rehearsed(ctx context.Context, event int64) (bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	told, err := n.told(context.WithoutCancel(ctx), event)
	return told.rehearsed != 0, err
}

// told is what is kept of an event; n.mu is held.
func (n *news) told(ctx context.Context, event int64) (toldEvent, error) {
	if told, ok := n.said[event]; ok {
		return told, nil
	}
	t, err := tournament.TournamentByID(ctx, n.store, event)
	if isKind(err, refuse.ErrNotFound) {
		return toldEvent{}, nil
	}
	if err != nil {
		return toldEvent{}, err
	}
	told := toldEvent{rehearsed: t.EndsBy}
	if told.said, err = tournament.Announced(ctx, n.store, event); err != nil {
		return told, err
	}
	if len(n.said) >= regionsMost {
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

// eventOf is the event that a page is about, or that its reader plays in; 0 for none.
func (s *shell) eventOf(c *gin.Context) int64 {
	if c.Param("event") != "" {
		return idIn(c, "event")
	}
	path := c.FullPath()
	who, _ := c.Value(callersKey).(callers)
	if who.player != nil && (path == string(templates.PlayPath) || strings.HasPrefix(path, string(templates.PlayPath)+"/")) {
		return who.player.Tournament
	}
	return 0
}

// newsItems are an event's announcements, in the context's language.
func (s *shell) newsItems(ctx context.Context, event int64) ([]templates.NewsItem, error) {
	if event == 0 {
		return nil, nil
	}
	said, err := s.news.of(ctx, event)
	if err != nil {
		return nil, err
	}
	now := engine.MillisOf(s.store.Now())
	rehearsed, err := s.news.rehearsed(ctx, event)
	if err != nil {
		return nil, err
	}
	items := make([]templates.NewsItem, len(said), len(said)+1)
	for i, a := range said {
		text, tag := a.TextFor(templates.LanguageOf(ctx).Tag)
		items[i] = templates.NewsItem{ID: a.ID, Level: a.Level, Text: text, Lang: tag, Left: a.Until - now}
	}
	if rehearsed { // said on every page, and not to be closed
		items = append(items, templates.NewsItem{Level: templates.NewsMark, Text: templates.T(ctx, "rehearsal.mark"), Lang: templates.LanguageOf(ctx).Tag, Left: newsForEver})
	}
	return items, nil
}

// newsForEver is how long something stands that does not end before the page does.
const newsForEver = engine.Millis(24 * 3_600_000)

// newsAside sends the reader of a page's stream an event's current announcements; an empty message removes those made
// before.
func (s *shell) newsAside(ctx context.Context, event int64) live.Aside {
	return live.Aside{Watcher: s.hub.Watch(live.NewsTopic(event)), Next: func() (live.Message, error) {
		items, err := s.newsItems(ctx, event)
		if err != nil {
			return live.Message{}, err
		}
		var html bytes.Buffer
		err = templates.News(items).Render(ctx, &html)
		html.WriteByte(' ') // a message without data is none
		return live.Message{Event: "news", Data: html.Bytes()}, err
	}}
}
