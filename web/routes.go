package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
)

// routes are all addresses of the program. What every request passes is first; then the assets, the
// pages (routes_pages.go) and the interface for programs, whose operations are listed by role.
func (s *Server) routes(engine *gin.Engine) {
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.Use(s.middleware()...)
	engine.NoRoute(s.identify, s.handle(notFound))
	engine.NoMethod(s.handle(notAllowed))

	engine.GET("/assets/*file", gin.WrapH(s.assets))
	engine.HEAD("/assets/*file", gin.WrapH(s.assets))
	engine.GET("/healthz", s.handle(s.health))

	s.pageRoutes(engine.Group("/", s.identify, s.readable))

	newAPI(s.shell, s.views.venue, engine, engine.Group(apiBase, s.identify), s.config.Version)
}

func notAllowed(c *gin.Context) error {
	return refused(http.StatusMethodNotAllowed, "err_method", "method", c.Request.Method)
}

// health answers 200 when the database can be read: for a watchdog or a proxy.
func (s *Server) health(c *gin.Context) error {
	if _, err := tournament.Tournaments(c.Request.Context(), s.store); err != nil {
		return err
	}
	c.String(http.StatusOK, "ok")
	return nil
}
