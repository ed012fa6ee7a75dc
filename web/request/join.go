package request

import (
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/spelling"
	"meldhall/web/guard"
	"meldhall/web/signin"
)

// Join takes a seat by its own code, or a player's seat by the table's code. It returns the seat's token and its actor.
// Wrong attempts are limited by address and by code. A whole hall may share one address with an attacker, so a valid
// code always works, whatever others have tried. Codes are safe from guessing because there are 6.6e11 of them.
func (s *Seats) Join(c *gin.Context, code string, player int64) (string, rights.Actor, error) {
	return s.joinBy(c, code, people.Join{Code: code, Player: player})
}

// JoinTable makes a device the shared one of a physical table. Wrong codes count as attempts.
func (s *Seats) JoinTable(c *gin.Context, code string) (string, rights.Actor, error) {
	return s.joinBy(c, code, people.JoinTable{Code: code})
}

func (s *Seats) joinBy(c *gin.Context, code string, join action.ActionOf[people.Joined]) (string, rights.Actor,
	error) {
	ctx := c.Request.Context()
	// too many wrong codes must not cause writes
	if _, err := people.FindInvitation(ctx, s.store, code); isWrongCode(err) {
		if err := s.codes.Check(codeKeys(c, code)...); err != nil {
			return "", rights.Actor{}, err
		}
	}
	joined, err := action.Do(ctx, s.desk, rights.Public(), join)
	return joined.Token, joined.Actor, s.wrongCode(c, code, err)
}

// wrongCode counts an attempt that failed with err if the code was wrong. It returns err, or a refusal if there were
// too many attempts.
func (s *Seats) wrongCode(c *gin.Context, code string, err error) error {
	if !isWrongCode(err) {
		return err
	}
	keys := codeKeys(c, code)
	if many := s.codes.Check(keys...); many != nil {
		return many
	}
	s.codes.Failed(keys...)
	s.notes.Refused(c, err, "", signin.ByJoining)
	return err
}

func isWrongCode(err error) bool {
	return errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrConflict)
}

// codeKeys returns the keys by which attempts at a code are counted.
func codeKeys(c *gin.Context, code string) []string {
	return []string{"address " + guard.Network(c.ClientIP()), "code " + spelling.Code(code)}
}

// Invited returns the invitation of the code in the address. Wrong codes count as attempts.
func (s *Seats) Invited(c *gin.Context) (people.Invitation, error) {
	inv, err := people.FindInvitation(c.Request.Context(), s.store, c.Param("code"))
	if errors.Is(err, refuse.ErrNotFound) {
		err = s.wrongCode(c, c.Param("code"), err)
	}
	return inv, err
}

// SwapDevice returns a code for another tablet at a seat, or at a whole table. The old device loses its access at once.
func (s *Seats) SwapDevice(ctx context.Context, actor rights.Actor, table int64, seat int) (code string, err error) {
	if seat == WholeTable {
		return action.Do(ctx, s.desk, actor, people.ReissueTableCode{Table: table})
	}
	return action.Do(ctx, s.desk, actor, people.ReissueCode{Table: table, Seat: seat})
}

// WholeTable is used instead of a seat number for the one tablet that serves a table.
const WholeTable = -1
