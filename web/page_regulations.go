package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
)

// regulationsPage is an event's regulations, for everybody: its own rule set fills the numbers.
func (s *publicPages) regulationsPage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	t, err := tournament.TournamentByID(ctx, s.store, event)
	if err != nil {
		return err
	}
	view := templates.RegulationsView{Event: event, Question: question(c.Query("q"))}
	if view.Chapters, err = s.regulations(ctx, event); err != nil {
		return err
	}
	for _, chapter := range templates.SearchArticles(view.Chapters, view.Question) {
		for _, a := range chapter.Articles {
			view.Found = append(view.Found, a.Number)
		}
	}
	view.Page = s.newPage(c, templates.T(ctx, "regulations.title"), &t)
	return s.show(c, http.StatusOK, templates.RegulationsPage(view))
}
