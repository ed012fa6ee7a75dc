package public

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/templates/public"
)

// homePage lists the tournaments for the public.
func (s *Pages) homePage(c *gin.Context) error {
	ctx := s.Page.Request.Language(c)
	rows, err := s.View.EventRows(ctx, s.Page.Request.Staff(c))
	if err != nil {
		return err
	}
	v := public.HomeView{Events: rows}
	v.Page = s.Page.NewPage(c, locale.T(ctx, "home.title"), nil)
	v.Page.Colours = v.Colours()
	return s.Page.Show(c, http.StatusOK, public.HomePage(v))
}
