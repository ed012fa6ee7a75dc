package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
)

// regulationsPage is an event's regulations, for everybody: its own rule set fills the numbers.
func (s *publicPages) regulationsPage(c *gin.Context) error {
	event := idIn(c, "event")
	ctx := s.language(c)
	view := templates.RegulationsView{Event: event, Question: question(c.Query("q"))}
	var err error
	if view.Chapters, err = s.regulations(ctx, event); err != nil {
		return err
	}
	for _, chapter := range templates.SearchArticles(view.Chapters, view.Question) {
		for _, a := range chapter.Articles {
			view.Found = append(view.Found, a.Number)
		}
	}
	return showEvent(s.Server, c, http.StatusOK, templates.T(ctx, "regulations.title"), &view, &view.Page, templates.RegulationsPage)
}
