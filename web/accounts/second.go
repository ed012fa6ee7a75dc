package accounts

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/tournament/account"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/signin"
)

// Two-step sign-in of officials: codes and passkeys at sign-in, and turning them on and off.

// showCode asks for the account's second step: a passkey, with a new challenge each time, or a code.
func (p *Pages) showCode(c *gin.Context, status int, view accounts.CodeView) error {
	second, err := p.Page.Request.Accounts.SecondOf(c, view.Ticket)
	if err != nil {
		return err
	}
	view.App, view.Keys, view.Ask = second.App, second.Passkeys, accounts.PasskeyAsk(second.Ask)
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "second.code"), nil)
	return p.Page.Show(c, status, accounts.CodePage(view))
}

// codePost accepts the code of a sign-in after the password was right.
func (p *Pages) codePost(c *gin.Context) error {
	begun, err := p.Page.Request.Accounts.SignInByCode(c, c.PostForm("ticket"), c.PostForm("code"),
		p.Page.Request.Cookies.Device(c))
	return p.afterSecond(c, begun, err)
}

// passkeyPost accepts a device's passkey response for a sign-in after the password was right.
func (p *Pages) passkeyPost(c *gin.Context) error {
	begun, err := p.Page.Request.Accounts.SignInByPasskey(c, c.PostForm("ticket"), c.PostForm("answer"),
		p.Page.Request.Cookies.Device(c))
	return p.afterSecond(c, begun, err)
}

// afterSecond signs in an official who passed the second step. After a failed attempt it asks again.
func (p *Pages) afterSecond(c *gin.Context, begun signin.Session, err error) error {
	view := accounts.CodeView{Ticket: c.PostForm("ticket"), Next: c.PostForm("next"), Kept: page.Kept(c)}
	if errors.Is(err, &refuse.Error{Kind: refuse.KindUnauthenticated, Key: "err_second_over"}) {
		return p.showSignIn(c, http.StatusUnauthorized, accounts.SignInView{Next: view.Next,
			Problem: p.Page.Request.Failed(c, err).Message})
	}
	if errors.Is(err, refuse.ErrUnauthenticated) {
		view.Problem = p.Page.SecretProblem(c, err)
		return p.showCode(c, http.StatusUnauthorized, view)
	}
	if err != nil {
		return p.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
			view.Problem = text
			return p.showCode(c, status, view)
		})
	}
	return p.enter(c, begun, view.Next)
}

// secondPage shows a new secret. It is stored only when the app has produced a valid code.
func (p *Pages) secondPage(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	typed, address, err := account.NewSecret(me.Name)
	if err != nil {
		return err
	}
	return p.showSecond(c, http.StatusOK, me, accounts.SecondView{Secret: typed, URL: address})
}

func (p *Pages) showSecond(c *gin.Context, status int, me rights.Actor, view accounts.SecondView) (err error) {
	ctx := c.Request.Context()
	if view.App, err = account.HasApp(ctx, p.View.Store, me.Account); err != nil {
		return err
	}
	keys, err := account.PasskeysOf(ctx, p.View.Store, me.Account)
	if err != nil {
		return err
	}
	for _, k := range keys {
		view.Keys = append(view.Keys, accounts.Passkey{ID: k.ID, Name: k.Name, Added: k.AddedAt, Used: k.UsedAt})
	}
	ask, err := p.Page.Request.Accounts.NewPasskey(c, me)
	if err != nil {
		return err
	}
	view.Ask = accounts.PasskeyAsk(ask)
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "second.title"), nil)
	return p.Page.Show(c, status, accounts.SecondPage(view))
}

// secondPost turns codes on for the official and shows the recovery codes once.
func (p *Pages) secondPost(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	view := accounts.SecondView{Secret: c.PostForm("secret")}
	if view.URL, err = account.SecretAddress(me.Name, view.Secret); err != nil {
		return err
	}
	codes, err := p.Page.Request.Accounts.AddSecond(c, me, account.AddSecond{Password: c.PostForm("password"),
		Secret: view.Secret,
		Code:   c.PostForm("code")})
	if errors.Is(err, refuse.ErrForbidden) {
		view.Problem = p.Page.SecretProblem(c, err)
		return p.showSecond(c, http.StatusForbidden, me, view)
	}
	if err != nil {
		return p.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
			view.Problem = text
			return p.showSecond(c, status, me, view)
		})
	}
	return p.showRecovery(c, codes)
}

func (p *Pages) showRecovery(c *gin.Context, codes []string) error {
	page := p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "second.recovery"), nil)
	return p.Page.Show(c, http.StatusOK, accounts.RecoveryPage(accounts.RecoveryView{Page: page, Codes: codes}))
}

// secondOffPost turns codes off for the official. Passkeys stay valid.
func (p *Pages) secondOffPost(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	err = p.Page.Request.Accounts.DropSecond(c, me, account.DropSecond{Password: c.PostForm("second-password"),
		Code: c.PostForm("code")})
	if errors.Is(err, refuse.ErrForbidden) {
		return p.Page.At(templates.OwnPath)(c, http.StatusForbidden, p.Page.SecretProblem(c, err))
	}
	if err != nil {
		return p.Page.Again(c, err, p.Page.At(templates.OwnPath))
	}
	still, err := account.HasSecond(c.Request.Context(), p.View.Store, me.Account)
	if err != nil {
		return err
	}
	if still {
		return p.Page.SeeOther(c, templates.OwnPath, "passkey.app_off")
	}
	return p.Page.SeeOther(c, templates.OwnPath, "second.off_done")
}

// passkeysPost adds a passkey created by a device. If recovery codes are created, it shows them once.
func (p *Pages) passkeysPost(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	codes, err := p.Page.Request.Accounts.AddPasskey(c, me, c.PostForm("ticket"), c.PostForm("answer"),
		account.AddPasskey{Name: c.PostForm("name"), Password: c.PostForm("key-password")})
	if err != nil {
		return p.passkeysAgain(c, err)
	}
	if len(codes) > 0 {
		return p.showRecovery(c, codes)
	}
	return p.Page.SeeOther(c, templates.SecondPath, "passkey.added")
}

func (p *Pages) passkeysAgain(c *gin.Context, err error) error {
	if errors.Is(err, refuse.ErrForbidden) {
		return p.Page.At(templates.SecondPath)(c, http.StatusForbidden, p.Page.SecretProblem(c, err))
	}
	return p.Page.Again(c, err, p.Page.At(templates.SecondPath))
}

// passkeyOffPost removes a passkey.
func (p *Pages) passkeyOffPost(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	id, err := page.Optional(c.PostForm, "passkey")
	if err != nil {
		return p.passkeysAgain(c, err)
	}
	if err := p.Page.Request.Accounts.DropPasskey(c, me, account.DropPasskey{Passkey: id,
		Password: c.PostForm("key-password")}); err != nil {
		return p.passkeysAgain(c, err)
	}
	return p.Page.SeeOther(c, templates.SecondPath, "passkey.removed")
}
