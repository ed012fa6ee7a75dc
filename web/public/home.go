package public

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
)

// homePage lists the tournaments for the public.
func (s *Pages) homePage(c *gin.Context) error {
	ctx := s.Page.Request.Language(c)
	rows, err := s.View.EventRows(ctx, s.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	page := s.Page.NewPage(c, templates.T(ctx, "home.title"), nil)
	return s.Page.Show(c, http.StatusOK, templates.HomePage(templates.HomeView{Page: page, Events: rows}))
}
