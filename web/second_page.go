package web

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/refuse"
	"meldhall/tournament/staff"
	"meldhall/web/frame"
)

// The second factor of officials: the code at the sign-in, and how it is set up and turned off.

func (s *accountPages) showCode(c *gin.Context, status int, view templates.CodeView) error {
	view.Page = s.NewPage(c, templates.T(s.Language(c), "second.code"), nil)
	return s.Show(c, status, templates.CodePage(view))
}

// codePost takes the code of a sign-in whose password was right.
func (s *accountPages) codePost(c *gin.Context) error {
	view := templates.CodeView{Ticket: c.PostForm("ticket"), Next: c.PostForm("next")}
	begun, err := s.SignInByCode(c, view.Ticket, c.PostForm("code"), s.DeviceToken(c))
	if errors.Is(err, &refuse.Error{Kind: refuse.KindUnauthenticated, Key: "err_second_over"}) {
		return s.showSignIn(c, http.StatusUnauthorized, templates.SignInView{Next: view.Next, Problem: s.Failed(c, err).Message})
	}
	if errors.Is(err, refuse.ErrUnauthenticated) {
		view.Problem = s.SecretProblem(c, err)
		return s.showCode(c, http.StatusUnauthorized, view)
	}
	if err != nil {
		return s.Again(c, err, func(c *gin.Context, status int, text string) error {
			view.Problem = text
			return s.showCode(c, status, view)
		})
	}
	if err := s.Enter(c, begun); err != nil {
		return err
	}
	return s.SeeOther(c, frame.SafePath(view.Next, s.startOf(c, begun.Actor)), "")
}

// secondPage shows a new secret; nothing is kept until the app has shown a code of it.
func (s *accountPages) secondPage(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	typed, address, err := staff.NewSecret(me.Name)
	if err != nil {
		return err
	}
	return s.showSecond(c, http.StatusOK, templates.SecondView{Secret: typed, URL: address})
}

func (s *accountPages) showSecond(c *gin.Context, status int, view templates.SecondView) error {
	view.Page = s.NewPage(c, templates.T(s.Language(c), "second.title"), nil)
	return s.Show(c, status, templates.SecondPage(view))
}

// secondPost turns it on, and shows the recovery codes, once.
func (s *accountPages) secondPost(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	view := templates.SecondView{Secret: c.PostForm("secret")}
	if view.URL, err = staff.SecretAddress(me.Name, view.Secret); err != nil {
		return err
	}
	codes, err := s.AddSecond(c, me, staff.AddSecond{Password: c.PostForm("password"), Secret: view.Secret, Code: c.PostForm("code")})
	if errors.Is(err, refuse.ErrForbidden) {
		view.Problem = s.SecretProblem(c, err)
		return s.showSecond(c, http.StatusForbidden, view)
	}
	if err != nil {
		return s.Again(c, err, func(c *gin.Context, status int, text string) error {
			view.Problem = text
			return s.showSecond(c, status, view)
		})
	}
	page := s.NewPage(c, templates.T(s.Language(c), "second.recovery"), nil)
	return s.Show(c, http.StatusOK, templates.RecoveryPage(templates.RecoveryView{Page: page, Codes: codes}))
}

// secondOffPost turns it off.
func (s *accountPages) secondOffPost(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	err = s.DropSecond(c, me, staff.DropSecond{Password: c.PostForm("second-password"), Code: c.PostForm("code")})
	if errors.Is(err, refuse.ErrForbidden) {
		return s.At(templates.OwnPath)(c, http.StatusForbidden, s.SecretProblem(c, err))
	}
	if err != nil {
		return s.Again(c, err, s.At(templates.OwnPath))
	}
	return s.SeeOther(c, templates.OwnPath, "second.off_done")
}
