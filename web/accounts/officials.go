// Package accounts serves the pages about officials: signing in and out, two-step sign-in, an official's own account
// and, for organizers, all accounts and the security log.
package accounts

import (
	"github.com/gin-gonic/gin"

	"meldhall/web/page"
	"meldhall/web/view"
)

// Pages serves these pages.
type Pages struct {
	*page.Frame
	*view.Venue
}

// AddTo adds the routes.
func (p *Pages) AddTo(pages *gin.RouterGroup) {
	pages.GET("/sign-in", p.Handle(p.signInPage))
	pages.POST("/sign-in", p.Handle(p.signInPost))
	pages.POST("/sign-in/code", p.Handle(p.codePost))
	pages.POST("/sign-in/passkey", p.Handle(p.passkeyPost))
	pages.POST("/sign-out", p.Handle(p.signOutPost))
	pages.GET("/setup", p.Handle(p.setupPage))
	pages.POST("/setup", p.Handle(p.setupPost))
	pages.GET("/accounts", p.Handle(p.accountsPage))
	pages.POST("/accounts", p.Handle(p.accountsPost))
	pages.POST("/accounts/invite", p.Handle(p.invitePost))
	pages.GET("/accounts/security", p.Handle(p.securityPage))
	account := pages.Group("/accounts/:account")
	account.GET("", p.Handle(p.accountPage))
	account.POST("/password", p.Handle(p.accountPasswordPost))
	account.POST("/invite", p.Handle(p.inviteAgainPost))
	account.POST("/revoke", p.Handle(p.revokePost))
	pages.GET("/account", p.Handle(p.ownPage))
	pages.POST("/account/password", p.Handle(p.ownPasswordPost))
	pages.GET("/account/second", p.Handle(p.secondPage))
	pages.POST("/account/second", p.Handle(p.secondPost))
	pages.POST("/account/second-off", p.Handle(p.secondOffPost))
	pages.POST("/account/passkeys", p.Handle(p.passkeysPost))
	pages.POST("/account/passkeys/remove", p.Handle(p.passkeyOffPost))
	pages.POST("/account/pin", p.Handle(p.pinPost))
	pages.POST("/account/revoke", p.Handle(p.revokePost))
	pages.GET("/invite/:token", p.Handle(p.invitedPage))
	pages.POST("/invite/:token", p.Handle(p.invitedPost))
}
