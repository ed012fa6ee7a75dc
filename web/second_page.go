package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
	"meldhall/web/frame"
	"meldhall/web/shell"
)

// The second factor of officials: code and passkey at the sign-in, and how they are set up and turned off.

// showCode asks for what the account has: a passkey, whose challenge is made anew each time, or a code.
func (s *accountPages) showCode(c *gin.Context, status int, view templates.CodeView) error {
	second, err := s.SecondOf(c, view.Ticket)
	if err != nil {
		return err
	}
	view.App, view.Keys, view.Ask = second.App, second.Passkeys, templates.PasskeyAsk(second.Ask)
	view.Page = s.NewPage(c, templates.T(s.Language(c), "second.code"), nil)
	return s.Show(c, status, templates.CodePage(view))
}

// codePost takes the code of a sign-in whose password was right.
func (s *accountPages) codePost(c *gin.Context) error {
	begun, err := s.SignInByCode(c, c.PostForm("ticket"), c.PostForm("code"), s.DeviceToken(c))
	return s.afterSecond(c, begun, err)
}

// passkeyPost takes what a device has signed for such a sign-in.
func (s *accountPages) passkeyPost(c *gin.Context) error {
	begun, err := s.SignInByPasskey(c, c.PostForm("ticket"), c.PostForm("answer"), s.DeviceToken(c))
	return s.afterSecond(c, begun, err)
}

// afterSecond lets in who has shown the second step, and asks others again.
func (s *accountPages) afterSecond(c *gin.Context, begun shell.Session, err error) error {
	view := templates.CodeView{Ticket: c.PostForm("ticket"), Next: c.PostForm("next")}
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
	return s.showSecond(c, http.StatusOK, me, templates.SecondView{Secret: typed, URL: address})
}

func (s *accountPages) showSecond(c *gin.Context, status int, me rights.Actor, view templates.SecondView) (err error) {
	ctx := c.Request.Context()
	if view.App, err = staff.HasApp(ctx, s.Store, me.Account); err != nil {
		return err
	}
	keys, err := staff.PasskeysOf(ctx, s.Store, me.Account)
	if err != nil {
		return err
	}
	for _, k := range keys {
		view.Keys = append(view.Keys, templates.Passkey{ID: k.ID, Name: k.Name, Added: k.AddedAt, Used: k.UsedAt})
	}
	ask, err := s.NewPasskey(c, me)
	if err != nil {
		return err
	}
	view.Ask = templates.PasskeyAsk(ask)
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
		return s.showSecond(c, http.StatusForbidden, me, view)
	}
	if err != nil {
		return s.Again(c, err, func(c *gin.Context, status int, text string) error {
			view.Problem = text
			return s.showSecond(c, status, me, view)
		})
	}
	return s.showRecovery(c, codes)
}

func (s *accountPages) showRecovery(c *gin.Context, codes []string) error {
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
	still, err := staff.HasSecond(c.Request.Context(), s.Store, me.Account)
	if err != nil {
		return err
	}
	if still {
		return s.SeeOther(c, templates.OwnPath, "passkey.app_off")
	}
	return s.SeeOther(c, templates.OwnPath, "second.off_done")
}

// passkeysPost adds the passkey that a device has made, and shows the recovery codes where they are new, once.
func (s *accountPages) passkeysPost(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	codes, err := s.AddPasskey(c, me, c.PostForm("ticket"), c.PostForm("answer"), staff.AddPasskey{Name: c.PostForm("name"), Password: c.PostForm("key-password")})
	if err != nil {
		return s.passkeysAgain(c, err)
	}
	if len(codes) > 0 {
		return s.showRecovery(c, codes)
	}
	return s.SeeOther(c, templates.SecondPath, "passkey.added")
}

func (s *accountPages) passkeysAgain(c *gin.Context, err error) error {
	if errors.Is(err, refuse.ErrForbidden) {
		return s.At(templates.SecondPath)(c, http.StatusForbidden, s.SecretProblem(c, err))
	}
	return s.Again(c, err, s.At(templates.SecondPath))
}

// passkeyOffPost takes a passkey away.
func (s *accountPages) passkeyOffPost(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	id, _ := strconv.ParseInt(c.PostForm("passkey"), 10, 64)
	if err := s.DropPasskey(c, me, staff.DropPasskey{Passkey: id, Password: c.PostForm("key-password")}); err != nil {
		return s.passkeysAgain(c, err)
	}
	return s.SeeOther(c, templates.SecondPath, "passkey.removed")
}
