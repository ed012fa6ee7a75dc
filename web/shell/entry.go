package shell

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/staff"
)

// Join takes a seat by its own code, or the one of a player by the table's code. Failed tries are
// bounded by address and by code; those that succeed cost nothing, for a whole hall may share one address.
func (s *Shell) Join(ctx context.Context, address, code string, player int64) (string, rights.Actor, error) {
	return s.joinBy(ctx, address, code, tournament.Join{Code: code, Player: player})
}

// JoinTable makes a device the one of a physical table. Wrong codes count as tries.
func (s *Shell) JoinTable(ctx context.Context, address, code string) (string, rights.Actor, error) {
	return s.joinBy(ctx, address, code, tournament.JoinTable{Code: code})
}

func (s *Shell) joinBy(ctx context.Context, address, code string, join door.ActionOf[tournament.Joined]) (string, rights.Actor, error) {
	keys := []string{"address " + address, "code " + secret.PlainCode(code)}
	if err := s.Codes.Check(keys...); err != nil {
		return "", rights.Actor{}, err
	}
	joined, err := door.Do(ctx, s.Desk, rights.Public(), join)
	if errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrConflict) {
		s.Codes.Failed(keys...)
	}
	return joined.Token, joined.Actor, err
}

// Invited reads the code in the address. Wrong ones count as tries, by address.
func (s *Shell) Invited(c *gin.Context) (tournament.Invitation, error) {
	code := c.Param("code")
	keys := []string{"address " + c.ClientIP(), "code " + secret.PlainCode(code)}
	if err := s.Codes.Check(keys...); err != nil {
		return tournament.Invitation{}, err
	}
	inv, err := tournament.FindInvitation(c.Request.Context(), s.venue.Store, code)
	if errors.Is(err, refuse.ErrNotFound) {
		s.Codes.Failed(keys...)
	}
	return inv, err
}

// Register enters somebody from an address, which may do so a few times a minute.
func (s *Shell) Register(c *gin.Context, event int64, entry rosterfile.PlayerEntry) (tournament.Player, error) {
	if err := s.entries.Spend("address " + c.ClientIP()); err != nil {
		return tournament.Player{}, err
	}
	return door.Do(c.Request.Context(), s.Desk, s.Staff(c), tournament.Register{Tournament: event, PlayerEntry: entry})
}

// SignIn checks name and password and begins a session with a new token. Tries are bounded by account
// and by address.
func (s *Shell) SignIn(ctx context.Context, address, agent, name, password string) (string, rights.Actor, error) {
	account, from := "account "+spelling.Fold(name), "address "+address
	done, err := s.signIns.Begin(account, from)
	if err != nil {
		return "", rights.Actor{}, err
	}
	defer done()
	actor, err := staff.SignIn(ctx, s.venue.Store, name, password)
	if err != nil {
		if errors.Is(err, refuse.ErrUnauthenticated) {
			s.signIns.Failed(account, from)
		}
		return "", rights.Actor{}, err
	}
	s.signIns.Forget(account)
	token, err := s.BeginSession(ctx, actor, agent)
	return token, actor, err
}

// SetUp makes the first organizer's account with the token that the server printed.
func (s *Shell) SetUp(ctx context.Context, address, token, name, password string) (rights.Actor, error) {
	from := "setup " + address
	if err := s.signIns.Check(from); err != nil {
		return rights.Actor{}, err
	}
	actor, err := door.Do(ctx, s.Desk, rights.Public(), staff.SetUp{Token: token, Name: name, Password: password})
	if errors.Is(err, refuse.ErrForbidden) {
		s.signIns.Failed(from)
	}
	return actor, err
}

// ChangePassword bounds the tries at the old password as it does at the sign-in.
func (s *Shell) ChangePassword(c *gin.Context, me rights.Actor, old, password string) error {
	account := "account " + spelling.Fold(me.Name)
	done, err := s.signIns.Begin(account)
	if err != nil {
		return err
	}
	defer done()
	_, err = door.Do(c.Request.Context(), s.Desk, me, staff.ChangePassword{Old: old, Password: password, Keep: staff.SessionHash(s.StaffToken(c))})
	if errors.Is(err, refuse.ErrForbidden) {
		s.signIns.Failed(account)
	}
	return err
}

// SetPIN sets the official's own PIN, at which nobody has tried yet.
func (s *Shell) SetPIN(c *gin.Context, pin string) error {
	me := s.Staff(c)
	_, err := door.Do(c.Request.Context(), s.Desk, me, staff.SetPIN{PIN: pin})
	if err == nil {
		s.Pins.Succeeded(PINKey(me.Account))
	}
	return err
}

// PINKey names the tries at an official's PIN.
func PINKey(account int64) string { return "account " + strconv.FormatInt(account, 10) }

// Official is the signed-in official; others are asked to sign in.
func (s *Shell) Official(c *gin.Context) (rights.Actor, error) {
	if me := s.Staff(c); me.Account != 0 {
		return me, nil
	}
	if s.Staff(c).Role == rights.RolePlayer {
		return rights.Actor{}, refuse.Forbidden("err_not_allowed", "role", rights.RolePlayer, "action", "account")
	}
	return rights.Actor{}, refuse.Unauthenticated("err_sign_in_first", "action", "account")
}

// InviteOver is a page of its own: the sign-in, where unknown visitors are otherwise led, would not say why.
func InviteOver(err error) error {
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return Refused(http.StatusGone, "err_invite_over")
	}
	return err
}

// SwapDevice gives the code for another tablet at a seat, or at a whole table: whoever holds it hears nothing more from now on.
func (s *Shell) SwapDevice(ctx context.Context, actor rights.Actor, table int64, seat int) (code string, err error) {
	if seat == WholeTable {
		return door.Do(ctx, s.Desk, actor, tournament.ReissueTableCode{Table: table})
	}
	return door.Do(ctx, s.Desk, actor, tournament.ReissueCode{Table: table, Seat: seat})
}

// WholeTable is the seat of the one tablet that serves a table.
const WholeTable = -1
