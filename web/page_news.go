package web

import (
	"bytes"
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/web/live"
)

// newsItems are an event's announcements, in the context's language.
func (s *Server) newsItems(ctx context.Context, event int64) ([]templates.NewsItem, error) {
	if event == 0 {
		return nil, nil
	}
	said, rehearsed, err := s.announced(ctx, event)
	if err != nil {
		return nil, err
	}
	now := engine.MillisOf(s.store.Now())
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
func (s *Server) newsAside(ctx context.Context, event int64) live.Aside {
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

// eventOf is the event that a page is about, or that its reader plays in; 0 for none.
func (s *Server) eventOf(c *gin.Context) int64 {
	if c.Param("event") != "" {
		return idIn(c, "event")
	}
	path := c.FullPath()
	who := callersIn(c)
	if who.player != nil && (path == string(templates.PlayPath) || strings.HasPrefix(path, string(templates.PlayPath)+"/")) {
		return who.player.Tournament
	}
	return 0
}
