package feeds

import (
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/embedding"
	"meldhall/tournament/rights"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/page"
)

// embedded is a region to be shown in a frame: its title's text key, the full page, and how it is rendered.
type embedded struct {
	title  string
	full   templ.SafeURL
	key    string
	draw   page.PublicDraw
	topics []live.Topic
	table  int64 // 0: not a table
}

func (p *Pages) standings(c *gin.Context) embedded {
	tournamentID := page.ID(c, "event")
	return embedded{title: "nav.leaderboard", full: templates.LeaderboardPath(tournamentID), key: "leaderboard " +
		strconv.FormatInt(tournamentID, 10),
		draw: p.Standings(tournamentID), topics: append(live.Topics(tournamentID, action.TopicStandings),
			live.DeskTopic(tournamentID), live.FeaturedTopic(tournamentID))}
}

func (p *Pages) tables(c *gin.Context) embedded {
	tournamentID := page.ID(c, "event")
	return embedded{title: "nav.tables", full: templates.TablesPath(tournamentID), key: "tables " +
		strconv.FormatInt(tournamentID, 10), draw: p.Tables(tournamentID),
		topics: []live.Topic{live.TournamentTopic(tournamentID)}}
}

func (p *Pages) table(c *gin.Context) embedded {
	tournamentID, table := page.ID(c, "event"), page.ID(c, "table")
	return embedded{title: "table.title", full: templates.WatchPath(tournamentID, table), key: "watch " +
		strconv.FormatInt(tournamentID, 10) + " " + strconv.FormatInt(table, 10),
		draw: p.Table(tournamentID, table), topics: append(page.TableTopics(tournamentID), live.TableTopic(table)),
		table: table}
}

// embedPage shows a region in a frame of an allowed site. It neither sets nor reads cookies: language and theme are
// taken from the address.
func (p *Pages) embedPage(c *gin.Context, e embedded) error {
	ctx, tournamentID := p.Page.LanguageAsked(c), page.ID(c, "event")
	t, err := p.shown(ctx, tournamentID)
	if err != nil {
		return err
	}
	title := locale.T(ctx, e.title)
	if e.table != 0 {
		at, err := tournament.TableByID(ctx, p.View.Store, e.table)
		if err != nil {
			return err
		}
		title = locale.T(ctx, e.title, "number", at.Number)
	}
	region, err := p.Page.DrawnFor(ctx, rights.Public(), e.key, e.draw, e.topics...)
	if err != nil {
		return err
	}
	sites, err := embedding.Of(ctx, p.View.Store, tournamentID)
	if err != nil {
		return err
	}
	shown := part.Page{Title: title + " · " + t.Name, Path: c.Request.URL.Path, Assets: p.View.Build,
		Epoch: p.View.Store.Epoch.Name, Canonical: p.address(c, string(e.full))}
	if theme := c.Query("theme"); theme == "dark" || theme == "light" {
		shown.Theme = theme
	}
	stream := shown.Path + "/live"
	if lang := p.Page.LanguageNamed(c); lang != "" {
		stream += "?lang=" + lang
	}
	html, err := page.Render(ctx, part.EmbedPage(page.Streamed(shown, templ.SafeURL(stream)), t.Name, e.full,
		region.Component()))
	if err != nil {
		return err
	}
	guard.Framed(c.Writer.Header(), sites.Ancestors())
	page.SendHTML(c, http.StatusOK, html)
	return nil
}

func (p *Pages) embedLive(c *gin.Context, e embedded) error {
	if _, err := p.shown(c.Request.Context(), page.ID(c, "event")); err != nil {
		return err
	}
	return p.Page.StreamCrowd(c, p.Page.LanguageAsked(c), e.key, e.draw, page.Anybody, e.topics...)
}
