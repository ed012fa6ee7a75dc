package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/rights"
)

// invitePost makes an invitation for a new official and shows it, once.
func (s *accountPages) invitePost(c *gin.Context) error {
	name, role := c.PostForm("invite-name"), c.PostForm("role")
	invite, err := tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.InviteOfficial{Name: name, Role: rights.Role(role)})
	if err == nil {
		return s.showInvite(c, invite)
	}
	return s.again(c, err, func(c *gin.Context, status int, text string) error {
		return s.showAccounts(c, status, templates.AccountsView{Name: name, Role: templates.Role(role), Problem: text})
	})
}

// inviteAgainPost makes an invitation for an existing official.
func (s *accountPages) inviteAgainPost(c *gin.Context) error {
	id := idIn(c, "account")
	invite, err := tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.InviteOfficial{Account: id})
	if err != nil {
		return err
	}
	return s.showInvite(c, invite)
}

func (s *accountPages) showInvite(c *gin.Context, invite tournament.Invite) error {
	view := templates.InviteView{Name: invite.Account.Name, Role: templates.Role(invite.Account.Role), Ends: invite.ExpiresAt,
		URL: s.baseURL(c) + string(templates.InvitedPath(invite.Token))}
	view.Page = s.newPage(c, templates.T(s.language(c), "invite.title"), nil)
	return s.show(c, http.StatusOK, templates.InvitePage(view))
}

// invitedPage tells whom an invitation is for. Opening it does not use it: phones look at links before people do.
func (s *accountPages) invitedPage(c *gin.Context) error { return s.showInvited(c, http.StatusOK, "") }

func (s *accountPages) showInvited(c *gin.Context, status int, problem string) error {
	actor, err := tournament.Invited(c.Request.Context(), s.store, c.Param("token"))
	if err != nil {
		return inviteOver(err)
	}
	view := templates.InvitedView{Token: c.Param("token"), Name: actor.Name, Role: templates.Role(actor.Role), Problem: problem}
	view.Page = s.newPage(c, templates.T(s.language(c), "signin.title"), nil)
	return s.show(c, status, templates.InvitedPage(view))
}

// invitedPost uses an invitation: the browser is signed in then.
func (s *accountPages) invitedPost(c *gin.Context) error {
	ctx := c.Request.Context()
	actor, err := tournament.Do(ctx, s.desk, s.staff(c), tournament.AcceptInvite{Token: c.Param("token"), Password: c.PostForm("password")})
	if err != nil {
		text, status, err := s.problem(c, err)
		if err != nil {
			return inviteOver(err)
		}
		return s.showInvited(c, status, text)
	}
	token, err := s.beginSession(ctx, actor, c.Request.UserAgent())
	if err != nil {
		return err
	}
	if err := s.setStaffCookie(c, token); err != nil {
		return err
	}
	return s.seeOther(c, s.startOf(c, actor), "invited.done", "name", actor.Name)
}
