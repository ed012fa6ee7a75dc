package accounts

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/accounts"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/signin"
	"meldhall/web/view"
)

func (p *Pages) accountsPage(c *gin.Context) error {
	return p.showAccounts(c, http.StatusOK, accounts.AccountsView{})
}

func (p *Pages) showAccounts(c *gin.Context, status int, view accounts.AccountsView) error {
	actor := p.Page.Request.Staff(c)
	all, err := account.Accounts(c.Request.Context(), p.View.Store, actor)
	if err != nil {
		return err
	}
	devices, err := account.Devices(c.Request.Context(), p.View.Store, actor, 0)
	if err != nil {
		return err
	}
	for _, a := range all {
		row := accounts.Account{ID: a.ID, Name: a.Name, Role: part.Role(a.Role), Self: a.ID == actor.Account}
		for _, d := range devices {
			if d.AccountID == a.ID {
				row.Devices++
				row.Seen = max(row.Seen, d.SeenAt)
			}
		}
		view.Accounts = append(view.Accounts, row)
	}
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "accounts.title"), nil)
	view.Hosts, view.Organization = rights.Authorize(actor, rights.Place{}, rights.MayHost) == nil, actor.Organization
	return p.Page.Show(c, status, accounts.AccountsPage(view))
}

func (p *Pages) accountsPost(c *gin.Context) error {
	name, role := c.PostForm("name"), c.PostForm("role")
	again := func(c *gin.Context, status int, text string) error {
		return p.showAccounts(c, status, accounts.AccountsView{Name: name, Role: part.Role(role), Problem: text})
	}
	return p.Page.Post(c, account.CreateAccount{Name: name, Password: c.PostForm("password"), Role: rights.Role(role)},
		again, templates.AccountsPath, "accounts.added")
}

// accountPage shows an official's account to an organizer.
func (p *Pages) accountPage(c *gin.Context) error {
	return p.showAccount(c, page.ID(c, "account"), false)
}

// ownPage shows an official's own account: devices, password and PIN.
func (p *Pages) ownPage(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	return p.showAccount(c, me.Account, true)
}

func (p *Pages) showAccount(c *gin.Context, id int64, own bool) error {
	ctx, actor := p.Page.Request.Language(c), p.Page.Request.Staff(c)
	acc, err := account.AccountByID(ctx, p.View.Store, actor, id)
	if err != nil {
		return err
	}
	devices, err := account.Devices(ctx, p.View.Store, actor, id)
	if err != nil {
		return err
	}
	second, err := account.HasSecond(ctx, p.View.Store, id)
	if err != nil {
		return err
	}
	app, err := account.HasApp(ctx, p.View.Store, id)
	if err != nil {
		return err
	}
	recoveries, err := account.RecoveriesLeft(ctx, p.View.Store, actor, id)
	if err != nil {
		return err
	}
	v := accounts.AccountView{Own: own, HasSecond: second, HasApp: app, Recoveries: recoveries,
		HasPassword: acc.Password != "", HasPIN: acc.PIN != "",
		Account: accounts.Account{ID: id, Name: acc.Name, Role: part.Role(acc.Role), Self: id == actor.Account}}
	if v.Events, err = p.eventChoices(ctx, acc); err != nil {
		return err
	}
	self := account.SessionHash(p.Page.Request.Sessions.Token(c))
	for _, d := range devices {
		browser, system := view.AgentNames(d.Agent)
		v.Devices = append(v.Devices, accounts.Device{ID: d.ID, Browser: browser, System: system, Since: d.Since,
			Seen: d.SeenAt, Self: d.Session == self})
	}
	title := acc.Name
	if own {
		title = locale.T(ctx, "own.title")
	}
	v.Page = p.Page.NewPage(c, title, nil)
	return p.Page.Show(c, http.StatusOK, accounts.AccountPage(v))
}

// eventChoices returns the tournaments to which an official may be limited: those of the account's organization.
func (p *Pages) eventChoices(ctx context.Context, acc account.Account) ([]accounts.EventChoice, error) {
	all, err := tournament.TournamentsOf(ctx, p.View.Store, acc.OrganizationID)
	choices := make([]accounts.EventChoice, len(all))
	for i, t := range all {
		choices[i] = accounts.EventChoice{ID: t.ID, Name: t.Name, Serves: slices.Contains(acc.Events, t.ID)}
	}
	return choices, err
}

// accountPasswordPost lets an organizer set an official's password.
func (p *Pages) accountPasswordPost(c *gin.Context) error {
	id, shown := page.ID(c, "account"), templates.AccountPath(page.ID(c, "account"))
	acc, err := action.Do(c.Request.Context(), p.Page.Request.Desk, p.Page.Request.Staff(c),
		account.SetPassword{Account: id, Password: c.PostForm("password"),
			Keep: account.SessionHash(p.Page.Request.Sessions.Token(c))})
	if err != nil {
		return p.Page.Again(c, err, p.Page.At(shown))
	}
	return p.Page.SeeOther(c, shown, "accounts.reset_done", "name", acc.Name)
}

// revokePost signs a device out, from the official's own page or an organizer's.
func (p *Pages) revokePost(c *gin.Context) error {
	back := templates.OwnPath
	if c.Param("account") != "" {
		back = templates.AccountPath(page.ID(c, "account"))
	}
	id, err := page.Optional(c.PostForm, "device")
	if err != nil {
		return p.Page.Again(c, err, p.Page.At(back))
	}
	_, err = p.Page.Request.Accounts.RevokeDevice(c, p.Page.Request.Staff(c), account.RevokeDevice{Device: id,
		Password: c.PostForm("revoke-password")})
	if errors.Is(err, refuse.ErrForbidden) && c.Param("account") == "" {
		return p.Page.At(back)(c, http.StatusForbidden, p.Page.SecretProblem(c, err))
	}
	if err != nil {
		return err
	}
	return p.Page.SeeOther(c, back, "device.revoked")
}

// ownPasswordPost changes the official's own password.
func (p *Pages) ownPasswordPost(c *gin.Context) error {
	me, err := p.Page.Request.Official(c)
	if err != nil {
		return err
	}
	if err := p.Page.Request.Accounts.ChangePassword(c, me, c.PostForm("old"), c.PostForm("password")); err != nil {
		return p.ownAgain(c, err)
	}
	return p.Page.SeeOther(c, templates.OwnPath, "own.password_done")
}

// ownAgain shows the official's own page again with the problem, including a wrong password.
func (p *Pages) ownAgain(c *gin.Context, err error) error {
	if errors.Is(err, &refuse.Error{Kind: refuse.KindForbidden, Key: "err_password_wrong"}) {
		return p.Page.At(templates.OwnPath)(c, http.StatusForbidden, p.Page.SecretProblem(c, err))
	}
	return p.Page.Again(c, err, p.Page.At(templates.OwnPath))
}

// pinPost sets the official's own PIN.
func (p *Pages) pinPost(c *gin.Context) error {
	if err := p.Page.Request.Accounts.SetPIN(c, p.Page.Request.Staff(c), account.SetPIN{PIN: c.PostForm("pin"),
		Password: c.PostForm("pin-password")}); err != nil {
		return p.ownAgain(c, err)
	}
	return p.Page.SeeOther(c, templates.OwnPath, "pin.done")
}

// invitePost creates an invitation for a new official and shows it once.
func (p *Pages) invitePost(c *gin.Context) error {
	name, role := c.PostForm("invite-name"), c.PostForm("role")
	organization, err := page.Optional(c.PostForm, "organization") // 0: the organization of the inviting official
	if err != nil {
		return p.Page.Again(c, err, p.Page.At(templates.AccountsPath))
	}
	invite, err := action.Do(c.Request.Context(), p.Page.Request.Desk, p.Page.Request.Staff(c),
		account.InviteOfficial{Name: name, Role: rights.Role(role), Organization: organization})
	if err == nil {
		return p.showInvite(c, invite)
	}
	if organization != 0 {
		return p.Page.Again(c, err, p.Page.At(templates.OrganizationPath(organization)))
	}
	return p.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
		return p.showAccounts(c, status, accounts.AccountsView{Name: name, Role: part.Role(role), Problem: text})
	})
}

// inviteAgainPost creates an invitation for an existing official.
func (p *Pages) inviteAgainPost(c *gin.Context) error {
	id := page.ID(c, "account")
	invite, err := action.Do(c.Request.Context(), p.Page.Request.Desk, p.Page.Request.Staff(c),
		account.InviteOfficial{Account: id})
	if err != nil {
		return err
	}
	return p.showInvite(c, invite)
}

func (p *Pages) showInvite(c *gin.Context, invite account.Invite) error {
	view := accounts.InviteView{Name: invite.Account.Name, Role: part.Role(invite.Account.Role),
		Ends: invite.ExpiresAt,
		URL:  p.Page.Request.BaseURL(c) + string(templates.InvitedPath(invite.Token))}
	if of := invite.Account.OrganizationID; of != p.Page.Request.Staff(c).Organization {
		view.Back = templates.OrganizationPath(of)
	}
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "invite.title"), nil)
	return p.Page.Show(c, http.StatusOK, accounts.InvitePage(view))
}

// invitedPage shows whom an invitation is for. Opening it does not use it up, because phones fetch links before people
// open them.
func (p *Pages) invitedPage(c *gin.Context) error { return p.showInvited(c, http.StatusOK, "") }

func (p *Pages) showInvited(c *gin.Context, status int, problem string) error {
	actor, err := account.Invited(c.Request.Context(), p.View.Store, c.Param("token"))
	if err != nil {
		return request.InviteOver(err)
	}
	second, err := account.HasSecond(c.Request.Context(), p.View.Store, actor.Account)
	if err != nil {
		return err
	}
	view := accounts.InvitedView{Token: c.Param("token"), Second: second, Name: actor.Name,
		Role: part.Role(actor.Role), Problem: problem}
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "signin.title"), nil)
	return p.Page.Show(c, status, accounts.InvitedPage(view))
}

// invitedPost accepts an invitation and signs the browser in.
func (p *Pages) invitedPost(c *gin.Context) error {
	begun, err := p.Page.Request.Accounts.AcceptInvite(c, p.Page.Request.Staff(c),
		account.AcceptInvite{Token: c.Param("token"), Password: c.PostForm("password"), Code: c.PostForm("code")},
		p.Page.Request.Cookies.Device(c))
	if errors.Is(err, refuse.ErrForbidden) {
		return p.showInvited(c, http.StatusForbidden, p.Page.SecretProblem(c, err))
	}
	if err != nil {
		text, status, err := p.Page.Problem(c, err)
		if err != nil {
			return request.InviteOver(err)
		}
		return p.showInvited(c, status, text)
	}
	if err := p.Page.Request.Sessions.Enter(c, begun); err != nil {
		return err
	}
	return p.Page.SeeOther(c, p.startOf(c, begun.Actor), "invited.done", "name", begun.Actor.Name)
}

func (p *Pages) signInPage(c *gin.Context) error {
	if who := p.Page.Request.Staff(c); who.Account != 0 {
		return p.Page.SeeOther(c, p.startOf(c, who), "")
	}
	return p.showSignIn(c, http.StatusOK, accounts.SignInView{Next: c.Query("next")})
}

func (p *Pages) showSignIn(c *gin.Context, status int, view accounts.SignInView) error {
	view.Kept = page.Kept(c)
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "signin.title"), nil)
	return p.Page.Show(c, status, accounts.SignInPage(view))
}

func (p *Pages) signInPost(c *gin.Context) error {
	name, next := c.PostForm("name"), c.PostForm("next")
	begun, err := p.Page.Request.Accounts.SignIn(c, signin.Credentials{Name: name, Password: c.PostForm("password"),
		Device: p.Page.Request.Cookies.Device(c)})
	if errors.Is(err, signin.ErrCodeNeeded) {
		return p.showCode(c, http.StatusOK, accounts.CodeView{Ticket: begun.Ticket, Next: next, Kept: page.Kept(c)})
	}
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return p.showSignIn(c, http.StatusUnauthorized, accounts.SignInView{Name: name, Next: next,
			Problem: p.Page.SecretProblem(c, err)})
	}
	if err != nil {
		return p.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
			return p.showSignIn(c, status, accounts.SignInView{Name: name, Next: next, Problem: text})
		})
	}
	return p.enter(c, begun, next)
}

// enter signs the browser in, and shows the form that was sent before, or else the next page.
func (p *Pages) enter(c *gin.Context, begun signin.Session, next string) error {
	if err := p.Page.Request.Sessions.Enter(c, begun); err != nil {
		return err
	}
	if resumed, err := p.Page.Resume(c, begun); resumed || err != nil {
		return err
	}
	return p.Page.SeeOther(c, page.SafePath(next, p.startOf(c, begun.Actor)), "")
}

// startOf returns an official's first page: the list of tournaments for an organizer, the hall of the running
// tournament for others.
func (p *Pages) startOf(c *gin.Context, actor rights.Actor) templ.SafeURL {
	if actor.Role == rights.RoleOrganizer {
		return templates.DeskListPath
	}
	events, err := tournament.Tournaments(c.Request.Context(), p.View.Store)
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

func (p *Pages) signOutPost(c *gin.Context) error {
	if token := p.Page.Request.Sessions.Token(c); token != "" {
		if err := p.Page.Request.Sessions.End(c.Request.Context(), token); err != nil {
			return err
		}
	}
	if err := p.Page.Request.Sessions.SetCookie(c, ""); err != nil {
		return err
	}
	return p.Page.SeeOther(c, templates.HomePath, "signin.out")
}

// setupPage is opened with the address printed by the server, which contains the token.
func (p *Pages) setupPage(c *gin.Context) error {
	return p.showSetup(c, http.StatusOK, accounts.SetupView{Token: c.Query("token")})
}

func (p *Pages) showSetup(c *gin.Context, status int, view accounts.SetupView) error {
	view.Page = p.Page.NewPage(c, locale.T(p.Page.Request.Language(c), "setup.title"), nil)
	if p.atComputer(c) {
		view.Computer = p.computer()
	}
	return p.Page.Show(c, status, accounts.SetupPage(view))
}

func (p *Pages) setupPost(c *gin.Context) error {
	view := accounts.SetupView{Token: c.PostForm("token"), Name: c.PostForm("name")}
	begun, err := p.Page.Request.Accounts.SetUp(c, account.SetUp{Token: view.Token, Name: view.Name,
		Password: c.PostForm("password")},
		p.Page.Request.Cookies.Device(c))
	if errors.Is(err, refuse.ErrForbidden) {
		view.Problem = p.Page.SecretProblem(c, err)
		return p.showSetup(c, http.StatusForbidden, view)
	}
	if err != nil {
		status := 0
		if view.Problem, status, err = p.Page.Problem(c, err); err != nil {
			return err
		}
		return p.showSetup(c, status, view)
	}
	if err := p.Page.Request.Sessions.Enter(c, begun); err != nil {
		return err
	}
	to := templates.NewEventPath
	if events, err := tournament.Tournaments(c.Request.Context(), p.View.Store); err != nil || len(events) > 0 {
		to = templates.DeskListPath
	}
	return p.Page.SeeOther(c, to, "setup.done", "name", begun.Actor.Name)
}
