package referee

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/page"
)

// sheetPage lets an official fill in a table's score sheet.
func (s *Pages) sheetPage(c *gin.Context) error {
	tournamentID, id := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	view, err := s.views.sheetView(ctx, s.Page.Request.Staff(c), tournamentID, id)
	if err != nil {
		return err
	}
	page := s.Page.NewPage(c, locale.T(ctx, "count.title", "table", view.Game.Place.Table, "number",
		view.Game.Place.Number), nil)
	return s.Page.Show(c, http.StatusOK, referee.SheetPage(referee.SheetPageView{Page: page, Sheet: view}))
}

func (s *views) sheetView(ctx context.Context, actor rights.Actor, tournamentID, id int64) (play.SheetView,
	error) {
	game, snap, err := s.View.WatchedGame(ctx, id, engine.Spectator)
	if err != nil {
		return play.SheetView{}, err
	}
	place := rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Number: snap.Ref.TableNumber,
		Seat: -1}
	if err := rights.Authorize(actor, place, rights.MayCount); err != nil {
		return play.SheetView{}, err
	}
	if snap.Ref.TournamentID != tournamentID || !snap.State.Countable() {
		return play.SheetView{}, refuse.NotFound("err_game_not_found", "id", id)
	}
	return play.SheetView{Game: game, At: string(templates.SheetPath(tournamentID, id)),
		Done: string(templates.CountPath(tournamentID, id))}, nil
}
