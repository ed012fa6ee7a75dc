package public

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/regulations"
	"meldhall/tournament"
	"meldhall/web/page"
	"meldhall/web/view"
)

// regulationsKept is how long a browser caches a tournament's regulations: one day in the hall.
const regulationsKept = 24 * time.Hour

// regulationsPage renders a tournament's public regulations with the numbers of its own rule set. With ?kept it returns
// only their text, which open pages of the tournament cache for use without a network.
func (s *Pages) regulationsPage(c *gin.Context) error {
	tournamentID := page.ID(c, "event")
	ctx := s.Page.Request.Language(c)
	kept := c.Query("kept")
	v := regulations.RegulationsView{Event: tournamentID}
	question := ""
	if kept == "" {
		question = view.Question(c.Query("q"))
	}
	chapters, err := s.View.Regulations(ctx, tournamentID)
	if err != nil {
		return err
	}
	v.Search = view.SearchOf(templates.RegulationsPath(tournamentID), question, chapters)
	v.Kept, v.Seeks = kept != "", true
	t, err := tournament.TournamentByID(ctx, s.View.Store, tournamentID)
	if err != nil {
		return err
	}
	rulings, err := view.RuledRules(ctx, t, 0)
	if err != nil {
		return err
	}
	for _, r := range rulings {
		if !r.Cancelled { // only officials see who made the ruling
			r.By, r.MayCancel = "", false
			v.Rulings = append(v.Rulings, r)
		}
	}
	if v.Kept {
		if kept == s.Page.RegulationsVersion(ctx, t) { // an outdated page gets the current text, uncached
			c.Header("Cache-Control", fmt.Sprintf("private, max-age=%d", int(regulationsKept.Seconds())))
		}
		return s.Page.Show(c, http.StatusOK, regulations.RegulationsText(v))
	}
	return page.ShowEvent(s.Page, c, http.StatusOK, locale.T(ctx, "regulations.title"), &v, &v.Page,
		regulations.RegulationsPage)
}
