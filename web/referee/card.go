package referee

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/templates/locale"
	"meldhall/templates/referee"
	"meldhall/tournament/refuse"
	"meldhall/web/page"
	"meldhall/web/request"
)

// cardPage renders everything about one turn, for officials. ?at= selects the moment of the turn whose table is shown.
func (s *Pages) cardPage(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	number, err := strconv.Atoi(c.Param("turn"))
	if err != nil || number < 0 {
		return request.NotFound(c)
	}
	ctx := s.Page.Request.Language(c)
	card, err := s.View.Records.TurnCard(ctx, s.Page.Request.Staff(c), game, number)
	if err != nil {
		return err
	}
	if card.Ref.TournamentID != tournamentID {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	view, err := s.View.Card(ctx, card)
	if err != nil {
		return err
	}
	if at, err := strconv.Atoi(c.Query("at")); err == nil && at >= 0 && at < len(view.Stops) {
		view.Shown = at
	}
	title := locale.T(ctx, "card.title") + " · " + locale.T(ctx, "replay.turn_of", "turn", card.Number, "of",
		card.Of)
	return page.ShowEvent(s.Page, c, http.StatusOK, title, &view, &view.Page, referee.CardPage)
}
