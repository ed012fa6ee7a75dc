package api

import (
	"context"

	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/screen"
	"meldhall/web/signin"
	"meldhall/web/view"
)

// SignInBody is an official's name and password.
type SignInBody struct {
	Name     string `json:"name" maxLength:"200"`
	Password string `json:"password" maxLength:"1024"`
	Code     string `json:"code,omitempty" maxLength:"100" doc:"the code of the second step, if the account uses one: without it the response is err_second_needed"`
	Device   string `json:"device,omitempty" maxLength:"200" doc:"the value from an earlier sign-in; failed attempts from other devices do not count against it"`
}

// SessionView is a started session.
type SessionView struct {
	Token string `json:"token" doc:"for the Authorization header; valid for a day, or eight hours without use"`
	Name  string `json:"name"`
	Role  string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`

	Device string `json:"device" doc:"store it, and send it with the next sign-in"`
}

// AccountView is an official's account.
type AccountView struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Role string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
}

type (
	nothing       struct{}
	with[B any]   struct{ Body B }
	listOf[B any] struct{ Body []B }
	// IDPath is the ID in an address.
	IDPath struct {
		ID int64 `path:"id" minimum:"1"`
	}
	idWith[B any] struct {
		IDPath
		Body B
	}
)

func answer[B any](body B, err error) (*with[B], error) {
	if err != nil {
		return nil, err
	}
	return &with[B]{body}, nil
}

// Done is the response to a command without a result.
type Done struct {
	Done bool `json:"done"`
}

func done(err error) (*with[Done], error) { return answer(Done{true}, err) }

func (a *api) staffOperations() {
	operation(a, forAll, "POST /sign-in", "Sign in as a referee or organizer", a.apiSignIn,
		describe("Attempts are limited by account and IP address. 429, and 503 while many people sign in at once, "+
			"say how many seconds to wait."))
	operation(a, forReferee, "POST /sign-out", "End the session", a.apiSignOut)
	operation(a, forAll, "POST /setup", "Create the first organizer of a new server", a.apiSetup)
	operation(a, forOrganizer, "GET /accounts", "The staff", a.apiAccounts)
	does[account.CreateAccount](a, forOrganizer, "POST /accounts", "Create a referee or organizer account", accountView)
}

func (a *api) apiSignIn(ctx context.Context, in *with[SignInBody]) (*with[SessionView], error) {
	return begun(a.Request.Accounts.SignIn(requestOf(ctx), signin.Credentials{Name: in.Body.Name,
		Password: in.Body.Password, Device: in.Body.Device, Code: in.Body.Code}))
}

// begun returns the response for a program that has started a session.
func begun(s signin.Session, err error) (*with[SessionView], error) {
	return answer(SessionView{s.Token, s.Actor.Name, string(s.Actor.Role), s.Device}, err)
}

func (a *api) apiSignOut(ctx context.Context, _ *nothing) (*with[Done], error) {
	c := requestOf(ctx)
	if actor := a.Request.Staff(c); actor.Account == 0 {
		return nil, refuse.Unauthenticated("err_sign_in_first", "action", "sign_out")
	}
	return done(a.Request.Sessions.End(ctx, a.Request.Sessions.Token(c)))
}

func (a *api) apiSetup(ctx context.Context, in *with[account.SetUp]) (*with[SessionView], error) {
	return begun(a.Request.Accounts.SetUp(requestOf(ctx), in.Body, ""))
}

func (a *api) apiAccounts(ctx context.Context, _ *nothing) (*listOf[AccountView], error) {
	return listed(accountView)(account.Accounts(ctx, a.View.Store, a.Request.Staff(requestOf(ctx))))
}

// LogInput is a search in the log.
type LogInput struct {
	IDPath
	Text   string `query:"q" maxLength:"200" doc:"searches what was done, reasons, and values before and after"`
	Who    string `query:"who" maxLength:"200"`
	Round  int    `query:"round" minimum:"0"`
	Table  int    `query:"table" minimum:"0"`
	Player int    `query:"player" minimum:"0" doc:"the player's start number"`
	From   string `query:"from" maxLength:"40" doc:"start in the event's zone: 2026-03-28, or with T14:05 or T14:05:30"`
	Until  string `query:"until" maxLength:"40" doc:"the end of the period, inclusive"`
	Before int64  `query:"before" minimum:"0" doc:"only entries older than this id"`
	Limit  int    `query:"limit" minimum:"0" maximum:"200"`
}

// LogView is a part of the actions log.
type LogView struct {
	Total   int             `json:"total"`
	More    bool            `json:"more" doc:"there are older entries; pass the id of the last one as before to get them"`
	Entries []view.LogEntry `json:"entries"`
}

func (a *api) apiLog(ctx context.Context, in *LogInput) (*with[LogView], error) {
	from, until, err := view.LogSpan(ctx, in.From, in.Until)
	if err != nil {
		return nil, err
	}
	words, err := a.View.NewLogWriter(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	page, err := action.SearchRecords(ctx, a.View.Store, a.Request.Staff(requestOf(ctx)), in.ID,
		action.LogSearch{Match: words.Match(in.Text), Who: in.Who, Round: in.Round, Table: in.Table,
			Player: in.Player, From: from, Until: until, Before: in.Before, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	v := LogView{page.Total, page.More, make([]view.LogEntry, len(page.Entries))}
	for i, r := range page.Entries {
		v.Entries[i] = view.NewLogEntry(words, r)
	}
	return answer(v, nil)
}

func zoneView(z screen.Zone) screen.Zone {
	z.Tables = viewsOf(z.Tables, same)
	return z
}
