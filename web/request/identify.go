package request

import (
	"net/http"
	"regexp"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/account"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// Identify identifies the sender once per request, by bearer token or by cookies. An unknown token is rejected; an
// unknown cookie means an anonymous caller.
func (s *Base) Identify(c *gin.Context) {
	who, leave, err := s.admitted(c)
	if err == nil {
		defer leave() // even if something fails from here on
		err = s.identified(c, who)
	}
	if err != nil {
		s.Fail(c, err)
		c.Abort()
		return
	}
	c.Next()
}

// admitted identifies the callers and admits the request until leave is called.
func (s *Base) admitted(c *gin.Context) (who callers, leave func(), err error) {
	if who, err = s.Tokens.callers(c); err != nil {
		return who, nil, s.spent(c, err) // limits token guessing
	}
	leave, err = s.readers.admit(c, who)
	return who, leave, err
}

// identified stores the callers in the request's context, unless an official must first set up a second step.
func (s *Base) identified(c *gin.Context, who callers) error {
	if err := s.secondStep(c, who); err != nil {
		return err
	}
	c.Request = c.Request.WithContext(who.in(c.Request.Context()))
	if who.Player != nil {
		s.view.Presence.Heard(*who.Player)
		s.InZone(c, who.Player.Tournament)
	}
	return nil
}

// Staff returns the actor for officials' actions: the signed-in official, or else any other caller, whom package
// tournament refuses.
func (s *Base) Staff(c *gin.Context) rights.Actor { return CallersIn(c).staff() }

// Player returns the actor for players' actions.
func (s *Base) Player(c *gin.Context) rights.Actor { return CallersIn(c).player() }

// secondStep allows an official without a second step only to set one up, if the server requires one.
func (s *Base) secondStep(c *gin.Context, who callers) error {
	if !s.SecondStep || who.Staff == nil || forSecond.MatchString(c.FullPath()) {
		return nil
	}
	has, err := account.HasSecond(c.Request.Context(), s.view.Store, who.Staff.Account)
	if err == nil && !has {
		err = Refused(http.StatusForbidden, "err_second_must")
	}
	return err
}

// forSecond matches the addresses for setting up a second step and for signing out.
var forSecond = regexp.MustCompile(`^(/account(/.*)?|/sign-out|` + APIBase + `/(own/.*|sign-out))$`)

// Official returns the signed-in official. The error is Forbidden for a player, and asks any other visitor to sign in.
func (s *Base) Official(c *gin.Context) (rights.Actor, error) {
	if me := s.Staff(c); me.Account != 0 {
		return me, nil
	}
	if s.Staff(c).Role == rights.RolePlayer {
		return rights.Actor{}, refuse.Forbidden("err_not_allowed", "role", rights.RolePlayer, "action", "account")
	}
	return rights.Actor{}, refuse.Unauthenticated("err_sign_in_first", "action", "account")
}
