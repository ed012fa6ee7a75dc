package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/staff"
	"meldhall/web/frame"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

func (s *accountPages) accountsPage(c *gin.Context) error {
	return s.showAccounts(c, http.StatusOK, templates.AccountsView{})
}

func (s *accountPages) showAccounts(c *gin.Context, status int, view templates.AccountsView) error {
	actor := s.Staff(c)
	accounts, err := staff.Accounts(c.Request.Context(), s.Store, actor)
	if err != nil {
		return err
	}
	devices, err := staff.Devices(c.Request.Context(), s.Store, actor, 0)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		row := templates.Account{ID: a.ID, Name: a.Name, Role: templates.Role(a.Role), Self: a.ID == actor.Account}
		for _, d := range devices {
			if d.AccountID == a.ID {
				row.Devices++
				row.Seen = max(row.Seen, d.SeenAt)
			}
		}
		view.Accounts = append(view.Accounts, row)
	}
	view.Page = s.NewPage(c, templates.T(s.Language(c), "accounts.title"), nil)
	return s.Show(c, status, templates.AccountsPage(view))
}

func (s *accountPages) accountsPost(c *gin.Context) error {
	name, role := c.PostForm("name"), c.PostForm("role")
	again := func(c *gin.Context, status int, text string) error {
		return s.showAccounts(c, status, templates.AccountsView{Name: name, Role: templates.Role(role), Problem: text})
	}
	return s.Post(c, staff.CreateAccount{Name: name, Password: c.PostForm("password"), Role: rights.Role(role)}, again, templates.AccountsPath, "accounts.added")
}

// accountPage is one official for an organizer.
func (s *accountPages) accountPage(c *gin.Context) error {
	return s.showAccount(c, frame.ID(c, "account"), false)
}

// ownPage is an official's own: devices, password, PIN.
func (s *accountPages) ownPage(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	return s.showAccount(c, me.Account, true)
}

func (s *accountPages) showAccount(c *gin.Context, id int64, own bool) error {
	ctx, actor := s.Language(c), s.Staff(c)
	account, err := staff.AccountByID(ctx, s.Store, actor, id)
	if err != nil {
		return err
	}
	devices, err := staff.Devices(ctx, s.Store, actor, id)
	if err != nil {
		return err
	}
	second, err := staff.HasSecond(ctx, s.Store, id)
	if err != nil {
		return err
	}
	app, err := staff.HasApp(ctx, s.Store, id)
	if err != nil {
		return err
	}
	recoveries, err := staff.RecoveriesLeft(ctx, s.Store, actor, id)
	if err != nil {
		return err
	}
	view := templates.AccountView{Own: own, HasSecond: second, HasApp: app, Recoveries: recoveries, HasPassword: account.Password != "", HasPIN: account.PIN != "",
		Account: templates.Account{ID: id, Name: account.Name, Role: templates.Role(account.Role), Self: id == actor.Account}}
	if view.Events, err = s.eventChoices(ctx, account); err != nil {
		return err
	}
	self := staff.SessionHash(s.StaffToken(c))
	for _, d := range devices {
		browser, system := venue.AgentNames(d.Agent)
		view.Devices = append(view.Devices, templates.Device{ID: d.ID, Browser: browser, System: system, Since: d.Since, Seen: d.SeenAt, Self: d.Session == self})
	}
	title := account.Name
	if own {
		title = templates.T(ctx, "own.title")
	}
	view.Page = s.NewPage(c, title, nil)
	return s.Show(c, http.StatusOK, templates.AccountPage(view))
}

// eventChoices are the events that an official may be limited to.
func (s *accountPages) eventChoices(ctx context.Context, account staff.Account) ([]templates.EventChoice, error) {
	all, err := tournament.Tournaments(ctx, s.Store)
	choices := make([]templates.EventChoice, len(all))
	for i, t := range all {
		choices[i] = templates.EventChoice{ID: t.ID, Name: t.Name, Serves: slices.Contains(account.Events, t.ID)}
	}
	return choices, err
}

// accountPasswordPost gives the official of the address another password, for an organizer.
func (s *accountPages) accountPasswordPost(c *gin.Context) error {
	id, page := frame.ID(c, "account"), templates.AccountPath(frame.ID(c, "account"))
	account, err := door.Do(c.Request.Context(), s.Desk, s.Staff(c),
		staff.SetPassword{Account: id, Password: c.PostForm("password"), Keep: staff.SessionHash(s.StaffToken(c))})
	if err != nil {
		return s.Again(c, err, s.At(page))
	}
	return s.SeeOther(c, page, "accounts.reset_done", "name", account.Name)
}

// revokePost signs a device out, from the official's own page or an organizer's.
func (s *accountPages) revokePost(c *gin.Context) error {
	id, _ := strconv.ParseInt(c.PostForm("device"), 10, 64)
	device, err := door.Do(c.Request.Context(), s.Desk, s.Staff(c), staff.RevokeDevice{Device: id})
	if err != nil {
		return err
	}
	back := templates.OwnPath
	if c.Param("account") != "" {
		back = templates.AccountPath(device.AccountID)
	}
	return s.SeeOther(c, back, "device.revoked")
}

// ownPasswordPost changes the official's own password.
func (s *accountPages) ownPasswordPost(c *gin.Context) error {
	me, err := s.Official(c)
	if err != nil {
		return err
	}
	if err := s.ChangePassword(c, me, c.PostForm("old"), c.PostForm("password")); err != nil {
		return s.ownAgain(c, err)
	}
	return s.SeeOther(c, templates.OwnPath, "own.password_done")
}

// ownAgain shows the own page with what was wrong, also with a wrong password.
func (s *accountPages) ownAgain(c *gin.Context, err error) error {
	if errors.Is(err, &refuse.Error{Kind: refuse.KindForbidden, Key: "err_password_wrong"}) {
		return s.At(templates.OwnPath)(c, http.StatusForbidden, s.SecretProblem(c, err))
	}
	return s.Again(c, err, s.At(templates.OwnPath))
}

// pinPost sets the official's own PIN.
func (s *accountPages) pinPost(c *gin.Context) error {
	if err := s.SetPIN(c, staff.SetPIN{PIN: c.PostForm("pin"), Password: c.PostForm("pin-password")}); err != nil {
		return s.ownAgain(c, err)
	}
	return s.SeeOther(c, templates.OwnPath, "pin.done")
}

// invitePost makes an invitation for a new official and shows it, once.
func (s *accountPages) invitePost(c *gin.Context) error {
	name, role := c.PostForm("invite-name"), c.PostForm("role")
	invite, err := door.Do(c.Request.Context(), s.Desk, s.Staff(c), staff.InviteOfficial{Name: name, Role: rights.Role(role)})
	if err == nil {
		return s.showInvite(c, invite)
	}
	return s.Again(c, err, func(c *gin.Context, status int, text string) error {
		return s.showAccounts(c, status, templates.AccountsView{Name: name, Role: templates.Role(role), Problem: text})
	})
}

// inviteAgainPost makes an invitation for an existing official.
func (s *accountPages) inviteAgainPost(c *gin.Context) error {
	id := frame.ID(c, "account")
	invite, err := door.Do(c.Request.Context(), s.Desk, s.Staff(c), staff.InviteOfficial{Account: id})
	if err != nil {
		return err
	}
	return s.showInvite(c, invite)
}

func (s *accountPages) showInvite(c *gin.Context, invite staff.Invite) error {
	view := templates.InviteView{Name: invite.Account.Name, Role: templates.Role(invite.Account.Role), Ends: invite.ExpiresAt,
		URL: s.BaseURL(c) + string(templates.InvitedPath(invite.Token))}
	view.Page = s.NewPage(c, templates.T(s.Language(c), "invite.title"), nil)
	return s.Show(c, http.StatusOK, templates.InvitePage(view))
}

// invitedPage tells whom an invitation is for. Opening it does not use it: phones look at links before people do.
func (s *accountPages) invitedPage(c *gin.Context) error { return s.showInvited(c, http.StatusOK, "") }

func (s *accountPages) showInvited(c *gin.Context, status int, problem string) error {
	actor, err := staff.Invited(c.Request.Context(), s.Store, c.Param("token"))
	if err != nil {
		return shell.InviteOver(err)
	}
	second, err := staff.HasSecond(c.Request.Context(), s.Store, actor.Account)
	if err != nil {
		return err
	}
	view := templates.InvitedView{Token: c.Param("token"), Second: second, Name: actor.Name, Role: templates.Role(actor.Role), Problem: problem}
	view.Page = s.NewPage(c, templates.T(s.Language(c), "signin.title"), nil)
	return s.Show(c, status, templates.InvitedPage(view))
}

// invitedPost uses an invitation: the browser is signed in then.
func (s *accountPages) invitedPost(c *gin.Context) error {
	begun, err := s.AcceptInvite(c, staff.AcceptInvite{Token: c.Param("token"), Password: c.PostForm("password"), Code: c.PostForm("code")}, s.DeviceToken(c))
	if errors.Is(err, refuse.ErrForbidden) {
		return s.showInvited(c, http.StatusForbidden, s.SecretProblem(c, err))
	}
	if err != nil {
		text, status, err := s.Problem(c, err)
		if err != nil {
			return shell.InviteOver(err)
		}
		return s.showInvited(c, status, text)
	}
	if err := s.Enter(c, begun); err != nil {
		return err
	}
	return s.SeeOther(c, s.startOf(c, begun.Actor), "invited.done", "name", begun.Actor.Name)
}

func (s *accountPages) signInPage(c *gin.Context) error {
	if who := s.Staff(c); who.Account != 0 {
		return s.SeeOther(c, s.startOf(c, who), "")
	}
	return s.showSignIn(c, http.StatusOK, templates.SignInView{Next: c.Query("next")})
}

func (s *accountPages) showSignIn(c *gin.Context, status int, view templates.SignInView) error {
	view.Page = s.NewPage(c, templates.T(s.Language(c), "signin.title"), nil)
	return s.Show(c, status, templates.SignInPage(view))
}

func (s *accountPages) signInPost(c *gin.Context) error {
	name, next := c.PostForm("name"), c.PostForm("next")
	begun, err := s.SignIn(c, shell.Credentials{Name: name, Password: c.PostForm("password"), Device: s.DeviceToken(c)})
	if errors.Is(err, shell.ErrCodeNeeded) {
		return s.showCode(c, http.StatusOK, templates.CodeView{Ticket: begun.Ticket, Next: next})
	}
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return s.showSignIn(c, http.StatusUnauthorized, templates.SignInView{Name: name, Next: next, Problem: s.SecretProblem(c, err)})
	}
	if err != nil {
		return s.Again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showSignIn(c, status, templates.SignInView{Name: name, Next: next, Problem: text})
		})
	}
	if err := s.Enter(c, begun); err != nil {
		return err
	}
	return s.SeeOther(c, frame.SafePath(next, s.startOf(c, begun.Actor)), "")
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
		if t.Status == tournament.StatusRunning && actor.Serves(t.ID) {
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
	return s.SeeOther(c, templates.HomePath, "signin.out")
}

// setupPage is opened by the address that the server prints, with the token in it.
func (s *accountPages) setupPage(c *gin.Context) error {
	return s.showSetup(c, http.StatusOK, templates.SetupView{Token: c.Query("token")})
}

func (s *accountPages) showSetup(c *gin.Context, status int, view templates.SetupView) error {
	view.Page = s.NewPage(c, templates.T(s.Language(c), "setup.title"), nil)
	return s.Show(c, status, templates.SetupPage(view))
}

func (s *accountPages) setupPost(c *gin.Context) error {
	view := templates.SetupView{Token: c.PostForm("token"), Name: c.PostForm("name")}
	begun, err := s.SetUp(c, staff.SetUp{Token: view.Token, Name: view.Name, Password: c.PostForm("password")}, s.DeviceToken(c))
	if errors.Is(err, refuse.ErrForbidden) {
		view.Problem = s.SecretProblem(c, err)
		return s.showSetup(c, http.StatusForbidden, view)
	}
	if err != nil {
		status := 0
		if view.Problem, status, err = s.Problem(c, err); err != nil {
			return err
		}
		return s.showSetup(c, status, view)
	}
	if err := s.Enter(c, begun); err != nil {
		return err
	}
	to := templates.NewEventPath
	if events, err := tournament.Tournaments(c.Request.Context(), s.Store); err != nil || len(events) > 0 {
		to = templates.DeskListPath
	}
	return s.SeeOther(c, to, "setup.done", "name", begun.Actor.Name)
}
