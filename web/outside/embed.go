package outside

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/embedding"
	"meldhall/tournament/rights"
	"meldhall/web/frame"
	"meldhall/web/guard"
	"meldhall/web/live"

	"github.com/a-h/templ"
)

// embedded is a region in a frame: its title by a text's key, the page that has it as a whole, and how it is drawn.
type embedded struct {
	title  string
	full   templ.SafeURL
	key    string
	draw   frame.PublicDraw
	topics []live.Topic
	table  int64 // 0: of no table
}

func (p *Pages) standings(c *gin.Context) embedded {
	event := frame.ID(c, "event")
	return embedded{title: "nav.leaderboard", full: templates.LeaderboardPath(event), key: "leaderboard " + strconv.FormatInt(event, 10),
		draw: p.Standings(event), topics: append(live.Topics(event, door.TopicStandings), live.DeskTopic(event), live.FeaturedTopic(event))}
}

func (p *Pages) tables(c *gin.Context) embedded {
	event := frame.ID(c, "event")
	return embedded{title: "nav.tables", full: templates.TablesPath(event), key: "tables " + strconv.FormatInt(event, 10), draw: p.Tables(event),
		topics: []live.Topic{live.TournamentTopic(event)}}
}

func (p *Pages) table(c *gin.Context) embedded {
	event, table := frame.ID(c, "event"), frame.ID(c, "table")
	return embedded{title: "table.title", full: templates.WatchPath(event, table), key: "watch " + strconv.FormatInt(event, 10) + " " + strconv.FormatInt(table, 10),
		draw: p.Table(event, table), topics: append(frame.TableTopics(event), live.TableTopic(table)), table: table}
}

// embedPage shows a region to everybody who looks at a page of a site that may have it in a frame. It sets no cookie and reads none: the
// language and the theme are of its address.
func (p *Pages) embedPage(c *gin.Context, e embedded) error {
	ctx, event := p.LanguageAsked(c), frame.ID(c, "event")
	t, err := p.shown(ctx, event)
	if err != nil {
		return err
	}
	title := templates.T(ctx, e.title)
	if e.table != 0 {
		at, err := tournament.TableByID(ctx, p.Store, e.table)
		if err != nil {
			return err
		}
		title = templates.T(ctx, e.title, "number", at.Number)
	}
	region, err := p.DrawnFor(ctx, rights.Public(), e.key, e.draw, e.topics...)
	if err != nil {
		return err
	}
	sites, err := embedding.Sites(ctx, p.Store, event)
	if err != nil {
		return err
	}
	page := templates.Page{Title: title + " · " + t.Name, Path: c.Request.URL.Path, Assets: p.Build, Epoch: p.Store.Epoch.Name, Canonical: p.address(c, string(e.full))}
	if theme := c.Query("theme"); theme == "dark" || theme == "light" {
		page.Theme = theme
	}
	stream := page.Path + "/live"
	if lang := p.LanguageNamed(c); lang != "" {
		stream += "?lang=" + lang
	}
	html, err := frame.Render(ctx, templates.EmbedPage(frame.Streamed(page, templ.SafeURL(stream)), t.Name, e.full, region.Component()))
	if err != nil {
		return err
	}
	guard.Framed(c.Writer.Header(), sites)
	frame.SendHTML(c, http.StatusOK, html)
	return nil
}

func (p *Pages) embedLive(c *gin.Context, e embedded) error {
	if _, err := p.shown(c.Request.Context(), frame.ID(c, "event")); err != nil {
		return err
	}
	return p.StreamCrowd(c, p.LanguageAsked(c), e.key, e.draw, frame.Nobody, e.topics...)
}
