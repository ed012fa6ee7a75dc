package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/rights"
	"meldhall/web/request"
	"meldhall/web/view"
)

// InviteBody is the request to add an official who will sign in with a link.
type InviteBody struct {
	Name string `json:"name" maxLength:"200"`
	Role string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`

	Organization int64 `json:"organization,omitempty" doc:"by number; none: the server's owner, or the caller's organization"`
}

// InviteAnswer is an invitation, shown once.
type InviteAnswer struct {
	Account AccountView   `json:"account"`
	Token   string        `json:"token"`
	Address string        `json:"address" doc:"the URL to open on the official's phone"`
	Ends    engine.Millis `json:"ends"`
}

// DeviceView is a device on which an official is signed in.
type DeviceView struct {
	ID      int64         `json:"id"`
	Account int64         `json:"account"`
	Name    string        `json:"name"`
	Browser string        `json:"browser,omitempty"`
	System  string        `json:"system,omitempty"`
	Since   engine.Millis `json:"since"`
	Seen    engine.Millis `json:"seen"`
	Self    bool          `json:"self,omitempty" doc:"the caller's own account"`
}

func (a *api) accountOperations() {
	operation(a, forOrganizer, "GET /security", "Security log: sign-ins, rejected attempts and account changes",
		a.apiSecurity)
	does[account.SetRole](a, forOrganizer, "POST /accounts/{id}/role", "Change an official's role", accountView)
	operation(a, forOrganizer, "POST /accounts/{id}/password",
		"Set an official's password and sign out their other devices", a.apiAccountPassword)
	does[account.RemoveAccount](a, forOrganizer, "POST /accounts/{id}/remove", "Remove an official's rights",
		accountView)
	operation(a, forOrganizer, "POST /accounts/{id}/invite", "Create a link that signs an official in once, within "+
		"15 minutes",
		a.apiInviteAgain)
	operation(a, forOrganizer, "POST /invites", "Add an official and create a link that signs in once, within 15 "+
		"minutes",
		a.apiInvite)
	operation(a, forAll, "POST /invites/accept", "Accept an invitation link and start a session", a.apiInviteAccept,
		func(op *huma.Operation) { op.Errors = append(op.Errors, http.StatusGone) })
	operation(a, forReferee, "GET /devices", "Signed-in devices: all for organizers, their own for others",
		a.apiDevices)
	operation(a, forReferee, "POST /devices/{id}/revoke", "Sign a device out immediately", a.apiRevokeDevice)
	operation(a, forReferee, "POST /own/password", "Change your own password and sign out your other devices",
		a.apiOwnPassword)
	operation(a, forReferee, "GET /own/second", "Generate a secret for an authenticator app; it is not stored yet",
		a.apiSecondSecret)
	operation(a, forReferee, "POST /own/second",
		"Turn on two-step sign-in; returns the recovery codes, once", a.apiSecond)
	operation(a, forReferee, "POST /own/second-off", "Turn off two-step sign-in", a.apiSecondOff)
	does[account.ResetSecond](a, forOrganizer, "POST /accounts/{id}/second-reset",
		"Turn off two-step sign-in for another official who lost the app and the recovery codes", accountView)
	operation(a, forReferee, "POST /own/pin", "Set the PIN for ruling on a player's tablet", a.apiOwnPIN)
}

func accountView(acc account.Account) AccountView {
	return AccountView{acc.ID, acc.Name, string(acc.Role)}
}

func (a *api) apiAccountPassword(ctx context.Context, in *idWith[account.SetPassword]) (*with[AccountView], error) {
	c := requestOf(ctx)
	in.Body.Keep = account.SessionHash(a.Request.Sessions.Token(c))
	account, err := action.Do(ctx, a.Request.Desk, a.Request.Staff(c), in.action())
	return answer(accountView(account), err)
}

func (a *api) apiInvite(ctx context.Context, in *with[InviteBody]) (*with[InviteAnswer], error) {
	return a.invited(ctx)(action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		account.InviteOfficial{Name: in.Body.Name, Role: rights.Role(in.Body.Role),
			Organization: in.Body.Organization}))
}

func (a *api) apiInviteAgain(ctx context.Context, in *IDPath) (*with[InviteAnswer], error) {
	return a.invited(ctx)(action.Do(ctx, a.Request.Desk, a.Request.Staff(requestOf(ctx)),
		account.InviteOfficial{Account: in.ID}))
}

func (a *api) invited(ctx context.Context) func(account.Invite, error) (*with[InviteAnswer], error) {
	return func(i account.Invite, err error) (*with[InviteAnswer], error) {
		return answer(InviteAnswer{Account: accountView(i.Account), Token: i.Token, Ends: i.ExpiresAt,
			Address: a.Request.BaseURL(requestOf(ctx)) + string(templates.InvitedPath(i.Token))}, err)
	}
}

func (a *api) apiInviteAccept(ctx context.Context, in *with[account.AcceptInvite]) (*with[SessionView], error) {
	c := requestOf(ctx)
	session, err := a.Request.Accounts.AcceptInvite(c, a.Request.Staff(c), in.Body, "")
	return begun(session, request.InviteOver(err))
}

func (a *api) apiDevices(ctx context.Context, _ *nothing) (*listOf[DeviceView], error) {
	c := requestOf(ctx)
	me, err := a.Request.Official(c)
	if err != nil {
		return nil, err
	}
	acc := me.Account
	if rights.Authorize(me, rights.Place{}, rights.MayManageAccounts) == nil {
		acc = 0
	}
	self := account.SessionHash(a.Request.Sessions.Token(c))
	return listed(func(d account.Device) DeviceView {
		browser, system := view.AgentNames(d.Agent)
		return DeviceView{d.ID, d.AccountID, d.Name, browser, system, d.Since, d.SeenAt, d.Session == self}
	})(account.Devices(ctx, a.View.Store, me, acc))
}

func (a *api) apiRevokeDevice(ctx context.Context, in *struct {
	ID   int64 `path:"id" minimum:"1"`
	Body *account.RevokeDevice
}) (*with[Done], error) {
	var revoke account.RevokeDevice
	if in.Body != nil {
		revoke = *in.Body
	}
	revoke.Device = in.ID
	c := requestOf(ctx)
	_, err := a.Request.Accounts.RevokeDevice(c, a.Request.Staff(c), revoke)
	return done(err)
}

func (a *api) apiOwnPIN(ctx context.Context, in *with[account.SetPIN]) (*with[Done], error) {
	c := requestOf(ctx)
	return done(a.Request.Accounts.SetPIN(c, a.Request.Staff(c), in.Body))
}

// SecretView is a secret for an authenticator app.
type SecretView struct {
	Secret  string `json:"secret"`
	Address string `json:"address" doc:"the otpauth URL for the app's QR code"`
}

// RecoveryView contains the recovery codes for an official who has lost the app. Each is valid once.
type RecoveryView struct {
	Codes []string `json:"codes"`
}

func (a *api) apiSecondSecret(ctx context.Context, _ *nothing) (*with[SecretView], error) {
	me, err := a.Request.Official(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	typed, address, err := account.NewSecret(me.Name)
	return answer(SecretView{typed, address}, err)
}

func (a *api) apiSecond(ctx context.Context, in *with[account.AddSecond]) (*with[RecoveryView], error) {
	me, err := a.Request.Official(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	codes, err := a.Request.Accounts.AddSecond(requestOf(ctx), me, in.Body)
	return answer(RecoveryView{codes}, err)
}

func (a *api) apiSecondOff(ctx context.Context, in *with[account.DropSecond]) (*with[Done], error) {
	me, err := a.Request.Official(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	return done(a.Request.Accounts.DropSecond(requestOf(ctx), me, in.Body))
}

func (a *api) apiOwnPassword(ctx context.Context, in *with[account.ChangePassword]) (*with[Done], error) {
	c := requestOf(ctx)
	me, err := a.Request.Official(c)
	if err != nil {
		return nil, err
	}
	return done(a.Request.Accounts.ChangePassword(c, me, in.Body.Old, in.Body.Password))
}
