package public

import (
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/web/live"
	"meldhall/web/page"
)

// regionPage is a page of a tournament that consists of one region, rendered once for all readers.
type regionPage struct {
	name   string // of the region
	title  string // text key
	draw   func(tournamentID int64) page.PublicDraw
	topics func(tournamentID int64) []live.Topic // the topics that change the region
}

func (r regionPage) key(tournamentID int64) string {
	return r.name + " " + strconv.FormatInt(tournamentID, 10)
}

// addRegion adds a page and its stream at a path of a tournament.
func (s *Pages) addRegion(event *gin.RouterGroup, path string, r regionPage) {
	event.GET(path, s.Page.Request.Handle(func(c *gin.Context) error { return s.showRegion(c, r, path+"/live") }))
	event.GET(path+"/live", s.Page.Request.Listen(func(c *gin.Context) error {
		id := page.ID(c, "event")
		return s.Page.StreamPublic(c, id, r.key(id), r.draw(id), r.topics(id)...)
	}))
}

func (s *Pages) showRegion(c *gin.Context, r regionPage, stream string) error {
	ctx, id := s.Page.Request.Language(c), page.ID(c, "event")
	t, err := tournament.TournamentByID(ctx, s.View.Store, id)
	if err != nil {
		return err
	}
	region, err := s.Page.DrawnFor(ctx, page.PublicReader(s.Page.Request.Staff(c), id), r.key(id), r.draw(id))
	if err != nil {
		return err
	}
	p := page.Streamed(s.Page.NewPage(c, locale.T(ctx, r.title)+" · "+t.Name, &t),
		templates.LeaderboardPath(id)+templ.SafeURL(stream))
	return s.Page.Show(c, http.StatusOK, part.RegionPage(s.called(c, p), region.Component()))
}
