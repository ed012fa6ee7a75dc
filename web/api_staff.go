package web

import (
	"context"

	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// SignInBody is a staff member's name and password.
type SignInBody struct {
	Name     string `json:"name" maxLength:"200"`
	Password string `json:"password" maxLength:"1024"`
}

// SetupBody makes the first organizer.
type SetupBody struct {
	Token    string `json:"token" maxLength:"200" doc:"printed by the server when it starts without an account"`
	Name     string `json:"name" maxLength:"200"`
	Password string `json:"password" maxLength:"1024"`
}

// AccountBody makes a staff member.
type AccountBody struct {
	Name     string `json:"name" maxLength:"200"`
	Password string `json:"password" maxLength:"1024"`
	Role     string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
}

// SessionView is a session that has begun.
type SessionView struct {
	Token string `json:"token" doc:"for the Authorization header; good for a day, or eight hours without use"`
	Name  string `json:"name"`
	Role  string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
}

// AccountView is a staff member.
type AccountView struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Role string `json:"role" enum:"organizer,head_referee,referee,scorekeeper,observer"`
}

type (
	nothing       struct{}
	with[B any]   struct{ Body B }
	listOf[B any] struct{ Body []B }
	// IDPath is the id in an address.
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

// Done is the answer to a command that has nothing to tell.
type Done struct {
	Done bool `json:"done"`
}

func done(err error) (*with[Done], error) { return answer(Done{true}, err) }

func (a *api) staffOperations() {
	operation(a, forAll, "POST /sign-in", "Begin a session of a referee or organizer", a.apiSignIn,
		describe("Tries are limited by account and by address: 429 says how many seconds to wait."))
	operation(a, forReferee, "POST /sign-out", "End the session", a.apiSignOut)
	operation(a, forAll, "POST /setup", "Make the first organizer of a fresh server", a.apiSetup)
	operation(a, forOrganizer, "GET /accounts", "The staff", a.apiAccounts)
	gives(a, forOrganizer, "POST /accounts", "Make a referee or organizer", func(in *with[AccountBody]) tournament.ActionOf[tournament.Account] {
		return tournament.CreateAccount{Name: in.Body.Name, Password: in.Body.Password, Role: rights.Role(in.Body.Role)}
	}, accountView)
}

func (a *api) apiSignIn(ctx context.Context, in *with[SignInBody]) (*with[SessionView], error) {
	token, actor, err := a.signIn(ctx, requestOf(ctx).ClientIP(), requestOf(ctx).Request.UserAgent(), in.Body.Name, in.Body.Password)
	return answer(SessionView{token, actor.Name, string(actor.Role)}, err)
}

func (a *api) apiSignOut(ctx context.Context, _ *nothing) (*with[Done], error) {
	c := requestOf(ctx)
	if actor := a.staff(c); actor.Account == 0 {
		return nil, refuse.Unauthenticated("err_sign_in_first", "action", "sign_out")
	}
	return done(a.endSession(ctx, a.staffToken(c)))
}

func (a *api) apiSetup(ctx context.Context, in *with[SetupBody]) (*with[SessionView], error) {
	actor, err := a.setUp(ctx, requestOf(ctx).ClientIP(), in.Body.Token, in.Body.Name, in.Body.Password)
	if err != nil {
		return nil, err
	}
	token, err := a.beginSession(ctx, actor, requestOf(ctx).Request.UserAgent())
	return answer(SessionView{token, actor.Name, string(actor.Role)}, err)
}

func (a *api) apiAccounts(ctx context.Context, _ *nothing) (*listOf[AccountView], error) {
	return listed(accountView)(tournament.Accounts(ctx, a.store, a.staff(requestOf(ctx))))
}
