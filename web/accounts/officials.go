// Package accounts serves the pages about officials: signing in and out, two-step sign-in, an official's own account
// and, for organizers, all accounts and the security log.
package accounts

import (
	"github.com/gin-gonic/gin"

	"meldhall/web/page"
	"meldhall/web/view"
)

// Pages serves the pages about officials.
type Pages struct {
	Page *page.Base
	View *view.Reader
	// Computer is nil unless a person started the server without a terminal.
	Computer *Computer
}

// AddTo adds the routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/sign-in", p.Page.Request.Handle(p.signInPage))
	pages.POST("/sign-in", p.Page.Request.Handle(p.signInPost))
	pages.POST("/sign-in/code", p.Page.Request.Handle(p.codePost))
	pages.POST("/sign-in/passkey", p.Page.Request.Handle(p.passkeyPost))
	pages.POST("/sign-out", p.Page.Request.Handle(p.signOutPost))
	pages.GET("/setup", p.Page.Request.Handle(p.setupPage))
	pages.POST("/setup", p.Page.Request.Handle(p.setupPost))
	if p.Computer != nil {
		p.addComputer(pages)
	}
	pages.GET("/accounts", p.Page.Request.Handle(p.accountsPage))
	pages.POST("/accounts", p.Page.Request.Handle(p.accountsPost))
	pages.POST("/accounts/invite", p.Page.Request.Handle(p.invitePost))
	pages.GET("/accounts/security", p.Page.Request.Handle(p.securityPage))
	account := pages.Group("/accounts/:account")
	account.GET("", p.Page.Request.Handle(p.accountPage))
	account.POST("/password", p.Page.Request.Handle(p.accountPasswordPost))
	account.POST("/invite", p.Page.Request.Handle(p.inviteAgainPost))
	account.POST("/revoke", p.Page.Request.Handle(p.revokePost))
	pages.GET("/account", p.Page.Request.Handle(p.ownPage))
	pages.POST("/account/password", p.Page.Request.Handle(p.ownPasswordPost))
	pages.GET("/account/second", p.Page.Request.Handle(p.secondPage))
	pages.POST("/account/second", p.Page.Request.Handle(p.secondPost))
	pages.POST("/account/second-off", p.Page.Request.Handle(p.secondOffPost))
	pages.POST("/account/passkeys", p.Page.Request.Handle(p.passkeysPost))
	pages.POST("/account/passkeys/remove", p.Page.Request.Handle(p.passkeyOffPost))
	pages.POST("/account/pin", p.Page.Request.Handle(p.pinPost))
	pages.POST("/account/revoke", p.Page.Request.Handle(p.revokePost))
	pages.GET("/invite/:token", p.Page.Request.Handle(p.invitedPage))
	pages.POST("/invite/:token", p.Page.Request.Handle(p.invitedPost))
}
