package web

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// protocolPage tells the story of a game, to be printed.
func (s *refereePages) protocolPage(c *gin.Context) error {
	event, game := idIn(c, "event"), idIn(c, "game")
	ctx, actor := s.language(c), s.staff(c)
	p, err := tournament.ProtocolOf(ctx, s.games, actor, game)
	if err != nil {
		return err
	}
	if p.Ref.TournamentID != event {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	view := templates.ProtocolView{Official: actor.Role != rights.RolePlayer}
	var people []templates.Person
	if view.P, people, err = s.protocol(ctx, p); err != nil {
		return err
	}
	view.Openings = openingViews(p.Openings, people, p.Ref)
	title := templates.T(ctx, "protocol.of", "table", view.P.Table, "number", view.P.Number)
	view.Page = s.newPage(c, title, &p.Tournament)
	return s.show(c, http.StatusOK, templates.ProtocolPage(view))
}
