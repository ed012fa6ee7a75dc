package web

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/refuse"
)

// setupPage is opened by the address that the server prints, with the token in it.
func (s *accountPages) setupPage(c *gin.Context) error {
	return s.showSetup(c, http.StatusOK, templates.SetupView{Token: c.Query("token")})
}

func (s *accountPages) showSetup(c *gin.Context, status int, view templates.SetupView) error {
	view.Page = s.newPage(c, templates.T(s.language(c), "setup.title"), nil)
	return s.show(c, status, templates.SetupPage(view))
}

func (s *accountPages) setupPost(c *gin.Context) error {
	ctx := c.Request.Context()
	view := templates.SetupView{Token: c.PostForm("token"), Name: c.PostForm("name")}
	actor, err := s.setUp(ctx, c.ClientIP(), view.Token, view.Name, c.PostForm("password"))
	if errors.Is(err, refuse.ErrForbidden) {
		view.Problem = failureOf(s.language(c), "", err).Message
		return s.showSetup(c, http.StatusForbidden, view)
	}
	if err != nil {
		status := 0
		if view.Problem, status, err = s.problem(c, err); err != nil {
			return err
		}
		return s.showSetup(c, status, view)
	}
	token, err := s.beginSession(ctx, actor, c.Request.UserAgent())
	if err != nil {
		return err
	}
	if err := s.setStaffCookie(c, token); err != nil {
		return err
	}
	return s.seeOther(c, templates.DeskListPath, "setup.done", "name", actor.Name)
}
