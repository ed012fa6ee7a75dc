package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/web/frame"
	"meldhall/web/venue"
)

// regulationsKept is for how long a browser keeps the text of an event's regulations: a day in the hall.
const regulationsKept = 24 * time.Hour

// regulationsPage is an event's regulations, for everybody: its own rule set fills the numbers. With ?kept it is their text alone,
// which an open page of the event keeps for when the network is away.
func (s *publicPages) regulationsPage(c *gin.Context) error {
	event := frame.ID(c, "event")
	ctx := s.Language(c)
	kept := c.Query("kept")
	view := templates.RegulationsView{Event: event, Kept: kept != ""}
	if !view.Kept {
		view.Question = venue.Question(c.Query("q"))
	}
	var err error
	if view.Chapters, err = s.Regulations(ctx, event); err != nil {
		return err
	}
	t, err := tournament.TournamentByID(ctx, s.Store, event)
	if err != nil {
		return err
	}
	rulings, err := ruledRules(ctx, t, 0)
	if err != nil {
		return err
	}
	for _, r := range rulings {
		if !r.Cancelled { // nobody but the staff is told who ruled
			r.By, r.MayCancel = "", false
			view.Rulings = append(view.Rulings, r)
		}
	}
	for _, chapter := range templates.SearchArticles(view.Chapters, view.Question) {
		for _, a := range chapter.Articles {
			view.Found = append(view.Found, a.Number)
		}
	}
	if view.Kept {
		if kept == s.RegulationsVersion(ctx, t) { // an older page is given the text of now, and keeps it under no wrong name
			c.Header("Cache-Control", fmt.Sprintf("private, max-age=%d", int(regulationsKept.Seconds())))
		}
		return s.Show(c, http.StatusOK, templates.RegulationsText(view))
	}
	return frame.ShowEvent(s.Frame, c, http.StatusOK, templates.T(ctx, "regulations.title"), &view, &view.Page, templates.RegulationsPage)
}
