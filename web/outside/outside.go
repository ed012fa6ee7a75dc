// Package outside is what leaves an event for other places: frames on other sites, people's calendars, readers of feeds, pictures beside
// links, and what search engines are told. All of it is what everybody is shown, whoever asks.
package outside

import (
	"context"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/preview"
	"meldhall/tournament"
	"meldhall/tournament/history"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// Pages are these. Standings, Tables and Table draw the regions that are shown in frames, as the public pages have them.
type Pages struct {
	*frame.Frame
	*venue.Venue
	Standings, Tables func(event int64) frame.PublicDraw
	Table             func(event, table int64) frame.PublicDraw

	cards cards
}

// AddTo adds their routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/robots.txt", p.Handle(p.robots))
	pages.GET(string(templates.HomePreviewPath), p.Handle(p.homeCard))
	event := pages.Group("/events/:event")
	event.GET("/calendar.ics", p.Handle(p.calendar))
	event.GET("/results.atom", p.Handle(p.feed))
	for path, of := range map[string]func(context.Context, history.Past, *gin.Context) (preview.Card, error){"": p.eventCard, "/players/:player": playerCard,
		"/tables/:table": tableCard, "/games/:game": gameCard} {
		event.GET(path+"/card.png", p.Handle(func(c *gin.Context) error { return p.card(c, of) }))
	}
	embed := pages.Group("/embed/events/:event")
	for path, region := range map[string]func(*gin.Context) embedded{"": p.standings, "/tables": p.tables, "/tables/:table": p.table} {
		embed.GET(path, p.Handle(func(c *gin.Context) error { return p.embedPage(c, region(c)) }))
		embed.GET(path+"/live", p.Listen(func(c *gin.Context) error { return p.embedLive(c, region(c)) }))
	}
}

// shown is an event that is shown to everybody: a practice table is none, nor is a training.
func (p *Pages) shown(ctx context.Context, id int64) (tournament.Tournament, error) {
	t, err := tournament.TournamentByID(ctx, p.Store, id)
	if err == nil && (t.Practice != "" || t.Trains()) {
		err = refuse.NotFound("err_tournament_not_found", "id", id)
	}
	return t, err
}

// past is what an event that is shown has come to, as everybody sees it.
func (p *Pages) past(ctx context.Context, event int64) (history.Past, error) {
	if _, err := p.shown(ctx, event); err != nil {
		return history.Past{}, err
	}
	ctx = naming.ForAll(ctx)
	sight, err := p.SightOf(ctx, rights.Public(), event)
	if err != nil {
		return history.Past{}, err
	}
	return history.Of(ctx, p.Store, event, sight)
}

// send answers with a file that a reader may keep, and asks for again.
func send(c *gin.Context, kind string, body []byte) {
	if !shell.HasAlready(c, body) {
		c.Data(http.StatusOK, kind, body)
	}
}

// closed are the beginnings of addresses that nothing is to be found at: of those who play and run events, of programs, and of what is
// shown elsewhere already.
var closed = []string{"/account", "/actions/", "/api/", "/board", "/certificate", "/check", "/desk", "/display", "/embed/", "/events/*/display/", "/events/*/register", "/events/*/live",
	"/healthz", "/invite/", "/join", "/look", "/organizations", "/overlay/", "/play", "/practice", "/readyz", "/referee/", "/setup", "/sign-in", "/sign-out", "/ticket/"}

// robots tells search engines what is for them.
func (p *Pages) robots(c *gin.Context) error {
	text := "User-agent: *\n"
	for _, path := range closed {
		text += "Disallow: " + path + "\n"
	}
	send(c, "text/plain; charset=utf-8", []byte(text))
	return nil
}

// address is a page of the server as others name it.
func (p *Pages) address(c *gin.Context, path string) string {
	return strings.TrimSuffix(p.BaseURL(c), "/") + path
}
