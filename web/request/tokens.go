package request

import (
	"cmp"
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/displayname"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/signin"
)

// Tokens identifies the callers of a request by its bearer token or its cookies.
type Tokens struct {
	sessions *signin.Sessions
	seats    *Seats
}

// callers are the actors of a request: a person may be signed in as an official and also hold a seat.
type callers struct {
	Staff, Player *rights.Actor
}

// plays reports whether the caller is a player of a tournament. Practice tables do not count, because anyone can open
// them.
func (who callers) plays() bool { return who.Player != nil && !who.Player.Practice }

// ofCallers is the context of a request whose callers have been determined, even if they are anonymous. Player names
// are read with the caller's rights.
type ofCallers struct {
	displayname.Context
	who callers
}

var nobody = rights.Public()

// in returns ctx with the callers.
func (who callers) in(ctx context.Context) context.Context {
	c := &ofCallers{who: who}
	c.For(ctx, cmp.Or(who.Staff, who.Player, &nobody))
	return c
}

type callersKey struct{}

// Value returns the callers for callersKey, and otherwise the value of the embedded context.
func (c *ofCallers) Value(key any) any {
	if key == (callersKey{}) {
		return &c.who
	}
	return c.Context.Value(key)
}

// CallersIn returns the callers that Identify found.
func CallersIn(c *gin.Context) callers {
	if who, ok := c.Request.Context().Value(callersKey{}).(*callers); ok {
		return *who
	}
	return callers{}
}

// StaffNow identifies the caller again and returns the actor for officials' actions. During a stream, a device may be
// removed and a session may end.
func (t *Tokens) StaffNow(c *gin.Context) (rights.Actor, error) {
	who, err := t.callers(c)
	return who.staff(), err
}

// callers returns the actors that the request's tokens stand for. An unknown bearer token is an error, an unknown
// cookie is ignored.
func (t *Tokens) callers(c *gin.Context) (callers, error) {
	ctx := c.Request.Context()
	var who callers
	if header := c.Request.Header["Authorization"]; len(header) > 0 {
		token, ok := strings.CutPrefix(header[0], "Bearer ")
		if !ok {
			return who, refuse.Unauthenticated("err_token_unknown")
		}
		var err error
		if who.Player, err = t.seats.cache.actor(ctx, token); err != nil || who.Player != nil {
			return who, err
		}
		if who.Staff, err = t.sessions.Staff(ctx, token); err == nil && who.Staff == nil {
			err = refuse.Unauthenticated("err_token_unknown")
		}
		return who, err
	}
	if len(c.Request.Header["Cookie"]) == 0 {
		return who, nil
	}
	var err error
	if token, e := c.Cookie(t.seats.CookieName(c)); e == nil && token != "" {
		if who.Player, err = t.seats.cache.actor(ctx, token); err != nil {
			return who, err
		}
	}
	if token, e := c.Cookie(t.sessions.CookieName()); e == nil && token != "" {
		who.Staff, err = t.sessions.Staff(ctx, token)
	}
	return who, err
}

// staff returns the actor for officials' actions: the official, or else the player, or else the public.
func (who callers) staff() rights.Actor { return first(who.Staff, who.Player) }

// player returns the actor for players' actions: the player, or else the official, or else the public.
func (who callers) player() rights.Actor { return first(who.Player, who.Staff) }

func first(actors ...*rights.Actor) rights.Actor {
	for _, a := range actors {
		if a != nil {
			return *a
		}
	}
	return rights.Public()
}
