package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/web/accounts"
	"meldhall/web/api"
	"meldhall/web/backup"
	"meldhall/web/desk"
	"meldhall/web/feeds"
	"meldhall/web/formats"
	"meldhall/web/organizations"
	"meldhall/web/paper"
	"meldhall/web/privacy"
	"meldhall/web/referee"
	"meldhall/web/request"
)

// pageRoutes registers the pages' addresses, which templates/paths.go defines. Each topic's type registers its own in
// AddTo. Handlers are methods that return an error: pages.GET("/sign-in", p.Page.Request.Handle(p.signInPage)).
func (s *Server) pageRoutes(pages *gin.RouterGroup) {
	s.public.AddTo(pages)
	s.past.AddTo(pages)
	(&accounts.Pages{Page: s.Page, View: s.View, Computer: s.config.Computer}).AddTo(pages)
	(&backup.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	(&feeds.Pages{Page: s.Page, View: s.View, Standings: s.public.Leaderboard, Tables: s.public.Tables,
		Table: s.public.Watched}).AddTo(pages)
	(&paper.Pages{Page: s.Page, View: s.View, Keeper: s.papers}).AddTo(pages)
	(&privacy.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	desk.New(s.Page, s.View).AddTo(pages)
	(&organizations.Pages{Page: s.Page, View: s.View, Rows: s.View.RowsOf}).AddTo(pages)
	(&formats.Pages{Page: s.Page, View: s.View}).AddTo(pages)
	referee.New(s.Page, s.View).AddTo(pages)
	s.tablets.AddTo(pages)
	s.screens.AddTo(pages)
	pages.GET(string(templates.TrustPath), s.Request.Handle(s.trustPage))
	pages.GET(string(templates.TrustFilePath), s.Request.Handle(s.trustFile))
	pages.POST("/actions/:kind", s.Request.Handle(s.Page.PostAction))
}

// routes registers all addresses: first the common middleware, then the assets, the pages (pageRoutes) and the API,
// whose operations are listed by role.
func (s *Server) routes(engine *gin.Engine) {
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.Use(s.Request.Middleware()...)
	engine.NoRoute(s.Request.Identify, s.Request.Handle(request.NotFound))
	engine.NoMethod(s.Request.Handle(notAllowed))

	engine.GET("/assets/*file", gin.WrapH(s.assets))
	engine.GET("/flags/:name", s.Request.Handle(flag))
	engine.GET("/healthz", func(c *gin.Context) { c.String(http.StatusOK, "ok") })
	engine.GET("/readyz", s.Request.Handle(s.ready))

	pages := engine.Group("/", s.Request.Identify, s.Request.Visible, s.Page.Readable)
	s.pageRoutes(pages)

	programs := engine.Group(request.APIBase, s.Request.Identify)
	explained := api.Serve(s.Request, s.View, engine, programs, s.config.Version)
	pages.GET(string(templates.APIPath), s.Request.Handle(func(c *gin.Context) error {
		return s.apiPage(c, explained)
	}))
}

// apiPage explains the interface for programs.
func (s *Server) apiPage(c *gin.Context, v public.APIView) error {
	v.Page = s.Page.NewPage(c, locale.T(s.Request.Language(c), "api.title"), nil)
	return s.Page.Show(c, http.StatusOK, public.APIPage(v))
}

func notAllowed(c *gin.Context) error {
	return request.Refused(http.StatusMethodNotAllowed, "err_method", "method", c.Request.Method)
}

// ready returns 200 if the database can be read, no write has failed and the server is not stopping. It is for proxies,
// and for scripts that wait before they send tablets here. /healthz only reports that the process is alive, because a
// restart does not help against a full disk.
func (s *Server) ready(c *gin.Context) error {
	if s.stopping.Load() {
		return request.Refused(http.StatusServiceUnavailable, "err_stopping")
	}
	if _, err := tournament.Tournaments(c.Request.Context(), s.View.Store); err != nil {
		return err
	}
	if s.View.Games.Unwritten() != 0 {
		return request.Refused(http.StatusServiceUnavailable, "err_storage")
	}
	c.String(http.StatusOK, "ok")
	return nil
}
