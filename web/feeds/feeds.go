// Package feeds serves a tournament's data for use on other sites and in apps: embedded frames, calendars, feeds,
// preview pictures of links, and robots.txt. All of it is public data, for every client.
package feeds

import (
	"context"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/preview"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/housekeeping"
	"meldhall/tournament/past"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// Pages serves the frames, calendars, logos, feeds, preview pictures and robots.txt. Standings, Tables and Table return
// functions that render the regions for frames, as on the public pages.
type Pages struct {
	Page              *page.Base
	View              *view.Reader
	Standings, Tables func(tournamentID int64) page.PublicDraw
	Table             func(tournamentID, table int64) page.PublicDraw

	cards cards
}

// AddTo adds the routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/robots.txt", p.Page.Request.Handle(p.robots))
	pages.GET(string(templates.HomePreviewPath), p.Page.Request.Handle(p.homeCard))
	pages.GET("/colours.css", p.Page.Request.Handle(p.colours))
	event := pages.Group("/events/:event")
	event.GET("/calendar.ics", p.Page.Request.Handle(p.calendar))
	event.GET("/logo.png", p.Page.Request.Handle(p.logo))
	event.GET("/photos/:photo", p.Page.Request.Handle(p.photo))
	event.GET("/results.atom", p.Page.Request.Handle(p.feed))
	for path, of := range map[string]func(context.Context, past.Past, *gin.Context) (preview.Card,
		error){"": p.eventCard, "/players/:player": playerCard,
		"/tables/:table": tableCard, "/games/:game": gameCard} {
		event.GET(path+"/card.png", p.Page.Request.Handle(func(c *gin.Context) error { return p.card(c, of) }))
	}
	embed := pages.Group("/embed/events/:event")
	for path, region := range map[string]func(*gin.Context) embedded{"": p.standings, "/tables": p.tables,
		"/tables/:table": p.table} {
		embed.GET(path, p.Page.Request.Handle(func(c *gin.Context) error { return p.embedPage(c, region(c)) }))
		embed.GET(path+"/live", p.Page.Request.Listen(func(c *gin.Context) error { return p.embedLive(c, region(c)) }))
	}
}

// logo serves a tournament's logo.
func (p *Pages) logo(c *gin.Context) error {
	logo, found, err := housekeeping.LogoOf(c.Request.Context(), p.View.Store, page.ID(c, "event"))
	if err == nil && !found {
		err = request.NotFound(c)
	}
	if err != nil {
		return err
	}
	picture, err := logo.PNG()
	if err == nil {
		send(c, "image/png", picture)
	}
	return err
}

// shown returns a public tournament; practice tables and trainings are not found.
func (p *Pages) shown(ctx context.Context, id int64) (tournament.Tournament, error) {
	t, err := tournament.TournamentByID(ctx, p.View.Store, id)
	if err == nil && (t.Practice != "" || t.Trains()) {
		err = refuse.NotFound("err_tournament_not_found", "id", id)
	}
	return t, err
}

// past returns the history of a public tournament, as the public sees it.
func (p *Pages) past(ctx context.Context, tournamentID int64) (past.Past, error) {
	if _, err := p.shown(ctx, tournamentID); err != nil {
		return past.Past{}, err
	}
	ctx = displayname.ForAll(ctx)
	sight, err := p.View.Sights.Of(ctx, rights.Public(), tournamentID)
	if err != nil {
		return past.Past{}, err
	}
	return past.Of(ctx, p.View.Store, tournamentID, sight)
}

// send sends a file that clients may cache and revalidate.
func send(c *gin.Context, kind string, body []byte) {
	if !request.HasAlready(c, body) {
		c.Data(http.StatusOK, kind, body)
	}
}

// closed lists the path prefixes that search engines must not index: pages for players and officials, APIs, and
// duplicates of other pages.
var closed = []string{"/account", "/actions/", "/api/", "/board", "/certificate", "/check", "/desk", "/display",
	"/embed/", "/events/*/display/", "/events/*/register", "/events/*/live",
	"/healthz", "/invite/", "/join", "/look", "/organizations", "/overlay/", "/play", "/practice", "/readyz",
	"/referee/", "/setup", "/sign-in", "/sign-out", "/ticket/"}

// robots serves robots.txt.
func (p *Pages) robots(c *gin.Context) error {
	text := "User-agent: *\n"
	for _, path := range closed {
		text += "Disallow: " + path + "\n"
	}
	send(c, "text/plain; charset=utf-8", []byte(text))
	return nil
}

// address returns the public URL of a page.
func (p *Pages) address(c *gin.Context, path string) string {
	return strings.TrimSuffix(p.Page.Request.BaseURL(c), "/") + path
}
