package web

import (
	"context"
	"errors"

	"github.com/gin-gonic/gin"

	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// join takes a seat by its own code, or the one of a player by the table's code. Failed tries are
// bounded by address and by code; those that succeed cost nothing, for a whole hall may share one address.
func (s *shell) join(ctx context.Context, address, code string, player int64) (string, rights.Actor, error) {
	keys := []string{"address " + address, "code " + tournament.PlainCode(code)}
	if err := s.codes.Check(keys...); err != nil {
		return "", rights.Actor{}, err
	}
	joined, err := tournament.Do(ctx, s.desk, rights.Public(), tournament.Join{Code: code, Player: player})
	if errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrConflict) {
		s.codes.Failed(keys...)
	}
	return joined.Token, joined.Actor, err
}

// joinTable makes a device the one of a physical table. Wrong codes count as tries.
func (s *shell) joinTable(ctx context.Context, address, code string) (string, rights.Actor, error) {
	keys := []string{"address " + address, "code " + tournament.PlainCode(code)}
	if err := s.codes.Check(keys...); err != nil {
		return "", rights.Actor{}, err
	}
	joined, err := tournament.Do(ctx, s.desk, rights.Public(), tournament.JoinTable{Code: code})
	if errors.Is(err, refuse.ErrNotFound) || errors.Is(err, refuse.ErrConflict) {
		s.codes.Failed(keys...)
	}
	return joined.Token, joined.Actor, err
}

// invited reads the code in the address. Wrong ones count as tries, by address.
func (s *shell) invited(c *gin.Context) (tournament.Invitation, error) {
	code := c.Param("code")
	keys := []string{"address " + c.ClientIP(), "code " + tournament.PlainCode(code)}
	if err := s.codes.Check(keys...); err != nil {
		return tournament.Invitation{}, err
	}
	inv, err := tournament.FindInvitation(c.Request.Context(), s.venue.store, code)
	if errors.Is(err, refuse.ErrNotFound) {
		s.codes.Failed(keys...)
	}
	return inv, err
}

// register enters somebody from an address, which may do so a few times a minute.
func (s *shell) register(c *gin.Context, event int64, entry tournament.PlayerEntry) (tournament.Player, error) {
	if err := s.entries.Spend("address " + c.ClientIP()); err != nil {
		return tournament.Player{}, err
	}
	return tournament.Do(c.Request.Context(), s.desk, s.staff(c), tournament.Register{Tournament: event, PlayerEntry: entry})
}
