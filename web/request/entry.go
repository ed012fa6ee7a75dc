package request

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/secret"
	"meldhall/tournament/security"
	"meldhall/tournament/spelling"
	"meldhall/web/guard"
)

// Join takes a seat by its own code, or a player's seat by the table's code. It returns the seat's token and its actor.
// Wrong attempts are limited by address and by code. A whole hall may share one address with an attacker, so a valid
// code always works, whatever others have tried. Codes are safe from guessing because there are 6.6e11 of them.
func (s *Base) Join(c *gin.Context, code string, player int64) (string, rights.Actor, error) {
	return s.joinBy(c, code, people.Join{Code: code, Player: player})
}

// JoinTable makes a device the shared one of a physical table. Wrong codes count as attempts.
func (s *Base) JoinTable(c *gin.Context, code string) (string, rights.Actor, error) {
	return s.joinBy(c, code, people.JoinTable{Code: code})
}

func (s *Base) joinBy(c *gin.Context, code string, join action.ActionOf[people.Joined]) (string, rights.Actor,
	error) {
	ctx := c.Request.Context()
	// too many wrong codes must not cause writes
	if _, err := people.FindInvitation(ctx, s.view.Store, code); isWrongCode(err) {
		if err := s.Codes.Check(codeKeys(c, code)...); err != nil {
			return "", rights.Actor{}, err
		}
	}
	joined, err := action.Do(ctx, s.Desk, rights.Public(), join)
	return joined.Token, joined.Actor, s.wrongCode(c, code, err)
}

// wrongCode counts an attempt that failed with err if the code was wrong. It returns err, or a refusal if there were
// too many attempts.
func (s *Base) wrongCode(c *gin.Context, code string, err error) error {
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

// codeKeys returns the keys by which attempts at a code are counted.
func codeKeys(c *gin.Context, code string) []string {
	return []string{"address " + guard.Network(c.ClientIP()), "code " + secret.PlainCode(code)}
}

// Invited returns the invitation of the code in the address. Wrong codes count as attempts.
func (s *Base) Invited(c *gin.Context) (people.Invitation, error) {
	inv, err := people.FindInvitation(c.Request.Context(), s.view.Store, c.Param("code"))
	if errors.Is(err, refuse.ErrNotFound) {
		err = s.wrongCode(c, c.Param("code"), err)
	}
	return inv, err
}

// Register enters a player. The number of entries from one address is limited to a few per minute.
func (s *Base) Register(c *gin.Context, tournamentID int64, entry rosterfile.PlayerEntry) (tournament.Player, error) {
	if err := s.entries.Spend("address " + guard.Network(c.ClientIP())); err != nil {
		return tournament.Player{}, err
	}
	return action.Do(c.Request.Context(), s.Desk, s.Staff(c),
		people.Register{Tournament: tournamentID, PlayerEntry: entry})
}

// Credentials are an official's sign-in data. Device is the device token from an earlier sign-in, and Code is the code
// of the second factor. Either may be empty.
type Credentials struct{ Name, Password, Device, Code string }

// SignIn checks the name and password and begins a session with a new token. Wrong attempts are limited for unknown
// devices, and separately for each device that has used the account.
func (s *Base) SignIn(c *gin.Context, with Credentials) (Session, error) {
	ctx := c.Request.Context()
	try, known, err := s.try(c, s.signIns, with.Name, with.Device)
	if err != nil {
		return Session{}, err
	}
	defer try.End()
	actor, err := account.SignIn(ctx, s.view.Store, with.Name, with.Password, known)
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

// try begins a sign-in attempt for the account with the given name. device is a device token or empty. known reports
// whether the account has used that device.
func (s *Base) try(c *gin.Context, tries *guard.SignIns, name, device string) (_ *guard.SignInTry, known bool,
	err error) {
	acc := spelling.Fold(name)
	if known, err = account.KnownAt(c.Request.Context(), s.view.Store, device, name); err != nil {
		return nil, false, err
	}
	if known {
		try, err := tries.BeginKnown(secret.Hash(device) + " at " + acc)
		return try, true, err
	}
	try, err := tries.Begin(acc, c.ClientIP())
	return try, false, err
}

// SetUp creates the first organizer's account with the token that the server printed, and begins a session.
func (s *Base) SetUp(c *gin.Context, with account.SetUp, device string) (Session, error) {
	from := "setup " + guard.Network(c.ClientIP())
	if err := s.Codes.Check(from); err != nil {
		return Session{}, err
	}
	actor, err := action.Do(c.Request.Context(), s.Desk, rights.Public(), with)
	if errors.Is(err, refuse.ErrForbidden) {
		s.Codes.Failed(from)
		s.Note(c, security.Refused, "", bySetup)
	}
	if err != nil {
		return Session{}, err
	}
	return s.begin(c, actor, bySetup, device)
}

// AcceptInvite accepts an invitation and begins a session.
func (s *Base) AcceptInvite(c *gin.Context, with account.AcceptInvite, device string) (Session, error) {
	ctx := c.Request.Context()
	invited, err := account.Invited(ctx, s.view.Store, with.Token)
	if err != nil {
		s.noteRefused(c, err, "", byInvite)
		return Session{}, err
	}
	var actor rights.Actor
	err = s.boundedCode(c, invited.Name, device, func() error {
		actor, err = action.Do(ctx, s.Desk, s.Staff(c), with)
		return err
	})
	if err != nil {
		s.noteRefused(c, err, invited.Name, byInvite)
		return Session{}, err
	}
	return s.begin(c, actor, byInvite, device)
}

// ChangePassword changes the password. It limits attempts at the old password, counting only those from the official's
// own sessions.
func (s *Base) ChangePassword(c *gin.Context, me rights.Actor, old, password string) error {
	change := account.ChangePassword{Old: old, Password: password, Keep: account.SessionHash(s.StaffToken(c))}
	return s.bounded(PINKey(me.Account), func() error {
		return errOf(action.Do(c.Request.Context(), s.Desk, me,
			change))
	})
}

// SetPIN sets the official's own PIN and resets the count of wrong PINs. It limits attempts at the password as
// ChangePassword does.
func (s *Base) SetPIN(c *gin.Context, with account.SetPIN) error {
	me := s.Staff(c)
	err := s.bounded(PINKey(me.Account), func() error {
		return errOf(action.Do(c.Request.Context(), s.Desk, me,
			with))
	})
	if err == nil {
		s.Pins.Succeeded(PINKey(me.Account))
	}
	return err
}

// RevokeDevice signs a device out. It limits attempts at the password as ChangePassword does.
func (s *Base) RevokeDevice(c *gin.Context, with account.RevokeDevice) (device account.Device, err error) {
	me := s.Staff(c)
	with.Here = account.SessionHash(s.StaffToken(c))
	err = s.bounded(PINKey(me.Account), func() error {
		device, err = action.Do(c.Request.Context(), s.Desk, me, with)
		return err
	})
	return device, err
}

// PINKey returns the key by which attempts at an official's PIN are counted.
func PINKey(account int64) string { return "account " + strconv.FormatInt(account, 10) }

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

// InviteOver turns an expired invitation into an error with its own page. The sign-in page, where unauthenticated
// visitors are otherwise sent, would not explain the reason.
func InviteOver(err error) error {
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return Refused(http.StatusGone, "err_invite_over")
	}
	return err
}

// SwapDevice returns a code for another tablet at a seat, or at a whole table. The old device loses its access at once.
func (s *Base) SwapDevice(ctx context.Context, actor rights.Actor, table int64, seat int) (code string, err error) {
	if seat == WholeTable {
		return action.Do(ctx, s.Desk, actor, people.ReissueTableCode{Table: table})
	}
	return action.Do(ctx, s.Desk, actor, people.ReissueCode{Table: table, Seat: seat})
}

// WholeTable is used instead of a seat number for the one tablet that serves a table.
const WholeTable = -1
