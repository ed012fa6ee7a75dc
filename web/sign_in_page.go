package web

import (
	"errors"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/shell"
)

func (s *accountPages) signInPage(c *gin.Context) error {
	if who := s.Staff(c); who.Account != 0 {
		return s.seeOther(c, s.startOf(c, who), "")
	}
	return s.showSignIn(c, http.StatusOK, templates.SignInView{Next: c.Query("next")})
}

func (s *accountPages) showSignIn(c *gin.Context, status int, view templates.SignInView) error {
	view.Page = s.newPage(c, templates.T(s.Language(c), "signin.title"), nil)
	return s.show(c, status, templates.SignInPage(view))
}

func (s *accountPages) signInPost(c *gin.Context) error {
	name, next := c.PostForm("name"), c.PostForm("next")
	token, actor, err := s.SignIn(c.Request.Context(), c.ClientIP(), c.Request.UserAgent(), name, c.PostForm("password"))
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return s.showSignIn(c, http.StatusUnauthorized, templates.SignInView{Name: name, Next: next, Problem: templates.T(s.Language(c), "signin.wrong")})
	}
	if err != nil {
		return s.again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showSignIn(c, status, templates.SignInView{Name: name, Next: next, Problem: text})
		})
	}
	if err := s.SetStaffCookie(c, token); err != nil {
		return err
	}
	return s.seeOther(c, safePath(next, s.startOf(c, actor)), "")
}

// startOf is where somebody of the staff begins: an organizer at the events, a referee in the hall of the
// event that runs.
func (s *accountPages) startOf(c *gin.Context, actor rights.Actor) templ.SafeURL {
	if actor.Role == rights.RoleOrganizer {
		return templates.DeskListPath
	}
	events, err := tournament.Tournaments(c.Request.Context(), s.Store)
	if err != nil {
		return templates.HomePath
	}
	for _, t := range events {
		if t.Status == tournament.StatusRunning {
			return templates.HallPath(t.ID)
		}
	}
	return templates.HomePath
}

func (s *accountPages) signOutPost(c *gin.Context) error {
	if token := s.StaffToken(c); token != "" {
		if err := s.EndSession(c.Request.Context(), token); err != nil {
			return err
		}
	}
	if err := s.SetStaffCookie(c, ""); err != nil {
		return err
	}
	return s.seeOther(c, templates.HomePath, "signin.out")
}

// setupPage is opened by the address that the server prints, with the token in it.
func (s *accountPages) setupPage(c *gin.Context) error {
	return s.showSetup(c, http.StatusOK, templates.SetupView{Token: c.Query("token")})
}

func (s *accountPages) showSetup(c *gin.Context, status int, view templates.SetupView) error {
	view.Page = s.newPage(c, templates.T(s.Language(c), "setup.title"), nil)
	return s.show(c, status, templates.SetupPage(view))
}

func (s *accountPages) setupPost(c *gin.Context) error {
	ctx := c.Request.Context()
	view := templates.SetupView{Token: c.PostForm("token"), Name: c.PostForm("name")}
	actor, err := s.SetUp(ctx, c.ClientIP(), view.Token, view.Name, c.PostForm("password"))
	if errors.Is(err, refuse.ErrForbidden) {
		view.Problem = shell.FailureOf(s.Language(c), "", err).Message
		return s.showSetup(c, http.StatusForbidden, view)
	}
	if err != nil {
		status := 0
		if view.Problem, status, err = s.problem(c, err); err != nil {
			return err
		}
		return s.showSetup(c, status, view)
	}
	token, err := s.BeginSession(ctx, actor, c.Request.UserAgent())
	if err != nil {
		return err
	}
	if err := s.SetStaffCookie(c, token); err != nil {
		return err
	}
	return s.seeOther(c, templates.DeskListPath, "setup.done", "name", actor.Name)
}
