package public

import (
	"context"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/past"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/view"
)

// PastPages serves the permanent pages of a tournament's rounds, players and statistics. They have no streams, because
// current play is shown on the pages of standings and tables.
type PastPages struct {
	Page   *page.Base
	View   *view.Reader
	pasts  pasts
	bounds bounds
}

// AddTo adds the routes.
func (p *PastPages) AddTo(pages *gin.RouterGroup) {
	event := pages.Group("/events/:event")
	event.GET("/rounds", p.Page.Request.Handle(p.roundsPage))
	event.GET("/rounds/:round", p.Page.Request.Handle(p.roundPage))
	event.GET("/players", p.Page.Request.Handle(p.playersPage))
	event.GET("/players/:player", p.Page.Request.Handle(p.playerPage))
	event.GET("/crosstable", p.Page.Request.Handle(p.crosstablePage))
	event.GET("/statistics", p.Page.Request.Handle(p.statisticsPage))
}

// seen is the history of a tournament as a reader may see it.
type seen struct {
	past.Past
	tournamentID int64
	official     bool
	sight        tournament.Sight
	sealed       map[int64]bool // games whose tiles are still secret
	note         public.ShownNote
}

// page renders a page of a tournament for a reader. Simultaneous requests for the same page share one rendering, except
// for pages without a key.
func (p *PastPages) page(c *gin.Context, key string, title func(context.Context) string,
	draw func(context.Context, seen) (templ.Component, error)) error {
	ctx, tournamentID := p.Page.Request.Language(c), page.ID(c, "event")
	t, err := tournament.TournamentByID(ctx, p.View.Store, tournamentID)
	if err != nil {
		return err
	}
	if t.Practice != "" { // practice tables have no public pages
		return refuse.NotFound("err_tournament_not_found", "id", tournamentID)
	}
	drawn := func(ctx context.Context, reader rights.Actor) (templ.Component, error) {
		s, err := p.seenBy(ctx, reader, tournamentID)
		if err != nil {
			return nil, err
		}
		if s.note, err = p.View.Sights.ShownNote(ctx, reader, tournamentID, tournament.PartPairing,
			tournament.PartStandings, tournament.PartResults); err != nil {
			return nil, err
		}
		return draw(ctx, s)
	}
	region, err := p.region(ctx, page.PublicReader(p.Page.Request.Staff(c), tournamentID), key, tournamentID, drawn)
	if err != nil {
		return err
	}
	page := p.Page.NewPage(c, title(ctx)+" · "+t.Name, &t)
	return p.Page.Show(c, http.StatusOK, part.RegionPage(page, region))
}

// region renders a page's content. Without a key it is not cached, because there would be too many variants.
func (p *PastPages) region(ctx context.Context, reader rights.Actor, key string, tournamentID int64,
	draw page.PublicDraw) (templ.Component, error) {
	if key == "" {
		return draw(ctx, reader)
	}
	region, err := p.Page.DrawnFor(ctx, reader, "past "+strconv.FormatInt(tournamentID, 10)+" "+key, draw)
	return region.Component(), err
}

// titled returns a function that returns a page's title, the text of key, in the reader's language.
func titled(key string) func(context.Context) string {
	return func(ctx context.Context) string { return locale.T(ctx, key) }
}

// partName returns the name of a stage, or of its play-offs.
func (s seen) partName(ctx context.Context, part past.Part) string {
	name := view.StageName(ctx, s.Stages, part.Stage)
	if part.PlayOff {
		return locale.T(ctx, "event.now_play_off", "stage", name)
	}
	return name
}

// replay returns the address of a game's replay, or "" if the reader may not see it.
func (s seen) replay(g past.Played) templ.SafeURL {
	if g.Game.Status != game.Finished || s.sealed[g.Game.ID] || !s.official && !g.Result.Confirmed() {
		return ""
	}
	return templates.ReplayPath(s.tournamentID, g.Game.ID)
}

// head returns a game's heading on a page.
func (s seen) head(g past.Played) public.PastGame {
	return public.PastGame{Number: g.Game.Number, Replay: s.replay(g), Known: true, Annulled: g.Annulled(),
		Provisional: !g.Result.Confirmed()}
}

// scoreOf converts a sum to a score for the templates.
func scoreOf(sum past.Sum) public.PastScore {
	return public.PastScore{Known: sum.Games > 0, Wins: sum.Wins, Points: sum.Points}
}

// rank returns the place in row i, prefixed with = if it is shared, or "" before the player's first result.
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
