// Package public is the pages about an event that stay: its rounds, its players, who played whom and what it came to in numbers, each
// at an address for ever. What is in them is history's, for the Sight of who asks.
package public

import (
	"context"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/history"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/venue"
)

// Pages are these pages. They stream nothing: what is on just now is the standings' and the tables'.
type Pages struct {
	*frame.Frame
	*venue.Venue
	pasts  pasts
	bounds bounds
}

// AddTo adds their routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	event := pages.Group("/events/:event")
	event.GET("/rounds", p.Handle(p.roundsPage))
	event.GET("/rounds/:round", p.Handle(p.roundPage))
	event.GET("/players", p.Handle(p.playersPage))
	event.GET("/players/:player", p.Handle(p.playerPage))
	event.GET("/crosstable", p.Handle(p.crosstablePage))
	event.GET("/statistics", p.Handle(p.statisticsPage))
}

// seen is the past of an event as a reader sees it.
type seen struct {
	history.Past
	event    int64
	official bool
	sight    tournament.Sight
	sealed   map[int64]bool // games whose tiles are still secret
	note     templates.ShownNote
}

// page draws a page of an event for whoever asks. It is drawn once for all who ask for the same at the same time,
// those without a key apart.
func (p *Pages) page(c *gin.Context, key string, title func(context.Context) string, draw func(context.Context, seen) (templ.Component, error)) error {
	ctx, event := p.Language(c), frame.ID(c, "event")
	t, err := tournament.TournamentByID(ctx, p.Store, event)
	if err != nil {
		return err
	}
	if t.Practice != "" { // a practice table is no event with pages of its own
		return refuse.NotFound("err_tournament_not_found", "id", event)
	}
	drawn := func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		s, err := p.seenBy(ctx, reader, event)
		if err != nil {
			return nil, err
		}
		if s.note, err = p.ShownNote(ctx, reader, event, tournament.PartPairing, tournament.PartStandings, tournament.PartResults); err != nil {
			return nil, err
		}
		return draw(ctx, s)
	}
	region, err := p.region(ctx, frame.PublicReader(p.Staff(c), event), key, event, drawn)
	if err != nil {
		return err
	}
	page := p.NewPage(c, title(ctx)+" · "+t.Name, &t)
	return p.Show(c, http.StatusOK, templates.RegionPage(page, region))
}

// region draws what a page has besides its frame. One without a key is for its reader alone: there are too many of them to be kept.
func (p *Pages) region(ctx context.Context, reader rights.Actor, key string, event int64, draw frame.PublicDraw) (templ.Component, error) {
	if key == "" {
		return draw(ctx, reader)
	}
	region, err := p.DrawnFor(ctx, reader, "past "+strconv.FormatInt(event, 10)+" "+key, draw)
	return region.Component(), err
}

// titled is a title by a text's key.
func titled(key string) func(context.Context) string {
	return func(ctx context.Context) string { return templates.T(ctx, key) }
}

// partName is the name of a stage, or that its ties are played off.
func (s seen) partName(ctx context.Context, part history.Part) string {
	name := venue.StageName(ctx, s.Stages, part.Stage)
	if part.PlayOff {
		return templates.T(ctx, "event.now_play_off", "stage", name)
	}
	return name
}

// replay is where a game can be seen turn by turn; empty where the reader cannot see it so.
func (s seen) replay(g history.Played) templ.SafeURL {
	if g.Game.Status != game.Finished || s.sealed[g.Game.ID] || !s.official && !g.Result.Confirmed() {
		return ""
	}
	return templates.ReplayPath(s.event, g.Game.ID)
}

// head is what a page says of a game.
func (s seen) head(g history.Played) templates.PastGame {
	return templates.PastGame{Number: g.Game.Number, Replay: s.replay(g), Known: true, Annulled: g.Annulled(), Provisional: !g.Result.Confirmed()}
}

// score is what a sum comes to.
func score(sum history.Sum) templates.PastScore {
	return templates.PastScore{Known: sum.Games > 0, Wins: sum.Wins, Points: sum.Points}
}

// rank is a place, with = for one that is shared; empty before there is a result.
func (s seen) rank(i int) string {
	rows := s.Rows
	if rows[i].Games == 0 {
		return ""
	}
	text := strconv.Itoa(rows[i].Place)
	if i > 0 && rows[i-1].Place == rows[i].Place || i+1 < len(rows) && rows[i+1].Place == rows[i].Place {
		return "=" + text
	}
	return text
}
