package web

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

// pageRoutes are the addresses of the pages; templates/paths.go names them. Every handler returns its
// error: pages.GET("/sign-in", s.handle(s.signInPage)).
func (s *Server) pageRoutes(pages *gin.RouterGroup) {
	_ = pages
}

// failurePage answers an error to somebody who reads pages.
func (s *Server) failurePage(c *gin.Context, f *Failure) {
	c.String(f.Status, "%s\n", f.Message)
	if f.Status == http.StatusUnauthorized {
		return
	}
}
