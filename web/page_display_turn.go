package web

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine/tile"
	"meldhall/templates"
)

// displayTurnPage is an earlier turn of the game at a table, running or over, as everybody saw it. It touches
// nothing of the game.
func (s *publicPages) displayTurnPage(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Param("turn"))
	if err != nil || number < 1 {
		return notFound(c)
	}
	ctx := s.displayLanguage(c)
	at, err := s.displayAt(ctx, key)
	if err != nil {
		return err
	}
	if at.snap == nil {
		return notFound(c)
	}
	if there, err := s.standsAt(c, key); err != nil {
		return err
	} else if !there {
		if err := s.games.AuthorizeTurns(ctx, s.staff(c), at.game); err != nil {
			return err
		}
	}
	turn, of, err := s.turnOf(ctx, at.game, number)
	if err != nil {
		return err
	}
	past := templates.DisplayPast{Event: key.event, Number: key.number, Turn: turnLine(turn, at.people), Of: of, Laid: tile.FacesOf(turn.Played)}
	_, past.Table = turn.Views()
	p := s.displayFrame(c, templates.T(ctx, "replay.turn_of", "turn", number, "of", of))
	return s.showIn(c, ctx, templates.DisplayPastPage(p, s.displaySettings(c), past))
}
