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
	"meldhall/tournament/security"
	"meldhall/tournament/spelling"
	"meldhall/tournament/staff"
	"meldhall/web/guard"
)

// Join takes a seat by its own code, or the one of a player by the table's code. Wrong tries are bounded by address and by code. A
// whole hall may share one address, and a guesser be in it: a code that opens a seat opens it, whatever others have tried. What keeps
// codes from being guessed is that there are 6.6e11 of them.
func (s *Shell) Join(c *gin.Context, code string, player int64) (string, rights.Actor, error) {
	return s.joinBy(c, code, tournament.Join{Code: code, Player: player})
}

// JoinTable makes a device the one of a physical table. Wrong codes count as tries.
func (s *Shell) JoinTable(c *gin.Context, code string) (string, rights.Actor, error) {
	return s.joinBy(c, code, tournament.JoinTable{Code: code})
}

func (s *Shell) joinBy(c *gin.Context, code string, join door.ActionOf[tournament.Joined]) (string, rights.Actor, error) {
	ctx := c.Request.Context()
	if _, err := tournament.FindInvitation(ctx, s.venue.Store, code); isWrongCode(err) { // too many wrong ones are no reason to write anything
		if err := s.Codes.Check(codeKeys(c, code)...); err != nil {
			return "", rights.Actor{}, err
		}
	}
	joined, err := door.Do(ctx, s.Desk, rights.Public(), join)
	return joined.Token, joined.Actor, s.wrongCode(c, code, err)
}

// wrongCode counts a try that opened nothing, and gives its refusal: that there were too many, where there were.
func (s *Shell) wrongCode(c *gin.Context, code string, err error) error {
	if !isWrongCode(err) {
		return err
	}
	keys := codeKeys(c, code)
	if many := s.Codes.Check(keys...); many != nil {
		return many
	}
	s.Codes.Failed(keys...)
	s.noteRefused(c, err, "", byJoining)
	return err
}

func isWrongCode(err error) bool {
	return errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrConflict)
}

// codeKeys are what tries at a code are counted by.
func codeKeys(c *gin.Context, code string) []string {
	return []string{"address " + guard.Network(c.ClientIP()), "code " + secret.PlainCode(code)}
}

// Invited reads the code in the address. Wrong ones count as tries.
func (s *Shell) Invited(c *gin.Context) (tournament.Invitation, error) {
	inv, err := tournament.FindInvitation(c.Request.Context(), s.venue.Store, c.Param("code"))
	if errors.Is(err, refuse.ErrNotFound) {
		err = s.wrongCode(c, c.Param("code"), err)
	}
	return inv, err
}

// Register enters somebody from an address, which may do so a few times a minute.
func (s *Shell) Register(c *gin.Context, event int64, entry rosterfile.PlayerEntry) (tournament.Player, error) {
	if err := s.entries.Spend("address " + guard.Network(c.ClientIP())); err != nil {
		return tournament.Player{}, err
	}
	return door.Do(c.Request.Context(), s.Desk, s.Staff(c), tournament.Register{Tournament: event, PlayerEntry: entry})
}

// Credentials are what an official signs in with. Device is the token that an earlier sign-in has given, Code that of the second
// factor; "" for none.
type Credentials struct{ Name, Password, Device, Code string }

// SignIn checks name and password and begins a session with a new token. Wrong tries are bounded: of strangers, and apart from them
// of each device that is known at the account.
func (s *Shell) SignIn(c *gin.Context, with Credentials) (Session, error) {
	ctx := c.Request.Context()
	try, known, err := s.try(c, s.signIns, with.Name, with.Device)
	if err != nil {
		return Session{}, err
	}
	defer try.End()
	actor, err := staff.SignIn(ctx, s.venue.Store, with.Name, with.Password, known)
	if err != nil {
		if errors.Is(err, refuse.ErrUnauthenticated) {
			try.Failed()
			s.Note(c, security.Refused, s.nameOf(ctx, with.Name), byPassword)
		}
		return Session{}, err
	}
	try.Succeeded()
	return s.afterPassword(c, actor, with)
}

// try begins a try at the account of a name, with the token of a device or none, and tells whether the device is known there.
func (s *Shell) try(c *gin.Context, tries *guard.SignIns, name, device string) (_ *guard.SignInTry, known bool, err error) {
	account := spelling.Fold(name)
	if known, err = staff.KnownAt(c.Request.Context(), s.venue.Store, device, name); err != nil {
		return nil, false, err
	}
	if known {
		try, err := tries.BeginKnown(secret.Hash(device) + " at " + account)
		return try, true, err
	}
	try, err := tries.Begin(account, c.ClientIP())
	return try, false, err
}

// SetUp makes the first organizer's account with the token that the server printed, and begins a session.
func (s *Shell) SetUp(c *gin.Context, with staff.SetUp, device string) (Session, error) {
	from := "setup " + guard.Network(c.ClientIP())
	if err := s.Codes.Check(from); err != nil {
		return Session{}, err
	}
	actor, err := door.Do(c.Request.Context(), s.Desk, rights.Public(), with)
	if errors.Is(err, refuse.ErrForbidden) {
		s.Codes.Failed(from)
		s.Note(c, security.Refused, "", bySetup)
	}
	if err != nil {
		return Session{}, err
	}
	return s.Begin(c, actor, bySetup, device)
}

// AcceptInvite uses an invitation and begins a session.
func (s *Shell) AcceptInvite(c *gin.Context, with staff.AcceptInvite, device string) (Session, error) {
	ctx := c.Request.Context()
	invited, err := staff.Invited(ctx, s.venue.Store, with.Token)
	if err != nil {
		s.noteRefused(c, err, "", byInvite)
		return Session{}, err
	}
	var actor rights.Actor
	err = s.boundedCode(c, invited.Name, device, func() error {
		actor, err = door.Do(ctx, s.Desk, s.Staff(c), with)
		return err
	})
	if err != nil {
		s.noteRefused(c, err, invited.Name, byInvite)
		return Session{}, err
	}
	return s.Begin(c, actor, byInvite, device)
}

// ChangePassword bounds the tries at the old password, those of the official's own sessions alone.
func (s *Shell) ChangePassword(c *gin.Context, me rights.Actor, old, password string) error {
	change := staff.ChangePassword{Old: old, Password: password, Keep: staff.SessionHash(s.StaffToken(c))}
	return s.bounded(PINKey(me.Account), func() error { return ErrOf(door.Do(c.Request.Context(), s.Desk, me, change)) })
}

// SetPIN sets the official's own PIN, at which nobody has tried yet. It bounds the tries at the password as ChangePassword does.
func (s *Shell) SetPIN(c *gin.Context, with staff.SetPIN) error {
	me := s.Staff(c)
	err := s.bounded(PINKey(me.Account), func() error { return ErrOf(door.Do(c.Request.Context(), s.Desk, me, with)) })
	if err == nil {
		s.Pins.Succeeded(PINKey(me.Account))
	}
	return err
}

// RevokeDevice signs a device out. It bounds the tries at the password as ChangePassword does.
func (s *Shell) RevokeDevice(c *gin.Context, with staff.RevokeDevice) (device staff.Device, err error) {
	me := s.Staff(c)
	with.Here = staff.SessionHash(s.StaffToken(c))
	err = s.bounded(PINKey(me.Account), func() error {
		device, err = door.Do(c.Request.Context(), s.Desk, me, with)
		return err
	})
	return device, err
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
