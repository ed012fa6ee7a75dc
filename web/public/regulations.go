package public

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

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
	v := regulations.RegulationsView{Event: tournamentID, Kept: kept != ""}
	if !v.Kept {
		v.Question = view.Question(c.Query("q"))
	}
	var err error
	if v.Chapters, err = s.View.Regulations(ctx, tournamentID); err != nil {
		return err
	}
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
	for _, chapter := range view.SearchArticles(v.Chapters, v.Question) {
		for _, a := range chapter.Articles {
			v.Found = append(v.Found, a.Number)
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
