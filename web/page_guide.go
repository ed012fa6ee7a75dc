package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
)

// guidePage is the first-time guide, for everybody.
func (s *tabletPages) guidePage(c *gin.Context) error {
	page := s.awaiting(c, s.newPage(c, templates.T(s.language(c), "guide.title"), nil))
	return s.show(c, http.StatusOK, templates.GuidePage(templates.GuideView{Page: page, Seated: page.Role == templates.RolePlayer}))
}

// awaiting makes a page leave for the player's own table when their game begins: nobody misses it over a guide or practice.
func (s *tabletPages) awaiting(c *gin.Context, p templates.Page) templates.Page {
	if s.hasSeat(c) {
		p.Next = string(nextStream)
	}
	return p
}
