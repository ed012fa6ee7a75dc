package referee

import (
	"context"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/referee"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/view"
)

func (s *Pages) countPage(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	if snap, err := s.View.Games.Look(ctx, game); err == nil && snap.State.Countable() {
		return s.Page.SeeOther(c, templates.SheetPagePath(tournamentID, game), "")
	}
	view, err := s.views.countPageView(ctx, s.Page.Request.Staff(c), tournamentID, game)
	if err != nil {
		return err
	}
	title := locale.T(ctx, "count.title", "table", view.Game.Place.Table, "number", view.Game.Place.Number)
	return page.ShowLive(s.Page, c, title, templates.CountPath(tournamentID, game)+"/live", &view, &view.Page,
		referee.CountPage)
}

func (s *Pages) countLive(c *gin.Context) error {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	return s.Page.StreamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.views.countPageView(ctx, actor, tournamentID, game)
		return referee.CountRegion(view), err
	}, live.GameTopic(game))
}

// countPageView returns an ended game with its racks, for an official.
func (s *views) countPageView(ctx context.Context, actor rights.Actor, tournamentID, id int64) (referee.CountView,
	error) {
	game, snap, err := s.View.WatchedGame(ctx, id, engine.Referee)
	if err != nil {
		return referee.CountView{}, err
	}
	if snap.Ref.TournamentID != tournamentID {
		return referee.CountView{}, refuse.NotFound("err_game_not_found", "id", id)
	}
	place := rights.Place{Tournament: tournamentID, Table: snap.Ref.TableID, Number: snap.Ref.TableNumber, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MaySeeAllRacks); err != nil {
		return referee.CountView{}, err
	}
	if snap.State.Phase != engine.PhaseOver {
		return referee.CountView{}, refuse.Conflict("err_game_running", "game", id)
	}
	if err := s.View.Counted(ctx, snap, &game); err != nil {
		return referee.CountView{}, err
	}
	if err := s.View.Protested(ctx, actor, snap, &game); err != nil {
		return referee.CountView{}, err
	}
	if err := s.View.OpenRacks(ctx, actor, snap, &game); err != nil {
		return referee.CountView{}, err
	}
	res, err := result.LatestResult(ctx, s.View.Store, id)
	if err != nil {
		return referee.CountView{}, err
	}
	return referee.CountView{Event: tournamentID, TableID: snap.Ref.TableID, Game: game,
		Result: view.NewResult(res, view.NamesOf(game.Seats), game.Charged)}, nil
}
