package public

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates/public"
	"meldhall/web/page"
	"meldhall/web/request"
)

// verifyPage sends the page that checks an archive in the browser. Saved to a disk, it works without this server.
func (s *Pages) verifyPage(c *gin.Context) error {
	v, err := public.TheVerifier()
	if err != nil || request.HasAlready(c, v.HTML) {
		return err
	}
	c.Writer.Header()["Content-Security-Policy"] = []string{v.Policy}
	page.SendHTML(c, http.StatusOK, v.HTML)
	return nil
}
