package page

import (
	"context"
	"log/slog"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
)

// addPublic adds to a page of a tournament what only the public pages have: the address for search engines, the preview
// of links, the tournament's state and its header. Frames on other sites have the state only.
func (s *Base) addPublic(c *gin.Context, p *part.Page, event tournament.Tournament) {
	own := string(templates.LeaderboardPath(event.ID))
	public := p.Path == own || strings.HasPrefix(p.Path, own+"/")
	if !public && !strings.HasPrefix(p.Path, string(templates.EmbedPath(""))) {
		return
	}
	var err error
	if p.Event.State, err = s.view.Tournaments.State(c.Request.Context(), event.ID); err != nil {
		slog.Error("reading the state failed; showing the page without it", "event", event.ID, "err", err)
	}
	if !public {
		return
	}
	p.Event.Face = s.face(s.Request.Language(c), event)
	if event.Colour != "" {
		p.Colours = []string{event.Colour}
	}
	if event.Rehearses == 0 {
		p.Canonical = s.Request.BaseURL(c) + p.Path
		p.Preview = s.previewAt(c, templates.PreviewPath(event.ID, p.Path))
		p.Event.Host = s.hostOf(c, event)
	}
}

// face returns the header of a tournament's public pages.
func (s *Base) face(ctx context.Context, t tournament.Tournament) *part.Face {
	f := &part.Face{Place: t.Place, Organizer: t.Organizer, Referee: t.Referee, Federation: t.Federation,
		Colour: t.Colour}
	if first, last, ok := t.Days(); ok {
		f.Days = locale.Days(ctx, first, last)
	}
	var err error
	if f.Logo, err = s.view.Logo(ctx, t.ID); err != nil {
		slog.Error("reading the logo failed; showing the page without it", "event", t.ID, "err", err)
	}
	slots, err := s.view.Tournaments.Slots(ctx, t.ID)
	if err != nil {
		slog.Error("reading the schedule failed; showing the page without its link", "event", t.ID, "err", err)
	}
	f.Schedule = len(slots) > 0
	return f
}
