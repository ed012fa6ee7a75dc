package web

import (
	"context"
	"net/http"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

func (s *refereePages) countPage(c *gin.Context) error { return s.showCount(c, http.StatusOK, "") }

func (s *refereePages) showCount(c *gin.Context, status int, problem string) error {
	event, game := idIn(c, "event"), idIn(c, "game")
	ctx := s.language(c)
	if snap, err := s.games.Look(ctx, game); err == nil && snap.State.Physical && snap.State.Phase == engine.PhasePlaying {
		return s.seeOther(c, templates.SheetPagePath(event, game), "")
	}
	view, err := s.countPageView(ctx, s.staff(c), event, game)
	if err != nil {
		return err
	}
	title := templates.T(ctx, "count.title", "table", view.Game.Place.Table, "number", view.Game.Place.Number)
	return showLive(s.Server, c, status, title, problem, templates.CountPath(event, game)+"/live", &view, &view.Page, templates.CountPage)
}

func (s *refereePages) countLive(c *gin.Context) error {
	event, game := idIn(c, "event"), idIn(c, "game")
	return s.streamRegion(c, func(ctx context.Context, actor rights.Actor) (templ.Component, error) {
		view, err := s.countPageView(ctx, actor, event, game)
		return templates.CountRegion(view), err
	}, live.GameTopic(game))
}

// countPageView gives an official an ended game with its racks.
func (s *views) countPageView(ctx context.Context, actor rights.Actor, event, id int64) (templates.CountView, error) {
	game, snap, err := s.watchedGame(ctx, id, engine.Referee)
	if err != nil {
		return templates.CountView{}, err
	}
	if snap.Ref.TournamentID != event {
		return templates.CountView{}, refuse.NotFound("err_game_not_found", "id", id)
	}
	place := rights.Place{Tournament: event, Table: snap.Ref.TableID, Seat: -1}
	if err := rights.Authorize(actor, place, rights.MaySeeAllRacks); err != nil {
		return templates.CountView{}, err
	}
	if snap.State.Phase != engine.PhaseOver {
		return templates.CountView{}, refuse.Conflict("err_game_running", "game", id)
	}
	if err := s.counted(ctx, snap, &game); err != nil {
		return templates.CountView{}, err
	}
	if err := s.protested(ctx, actor, snap, &game); err != nil {
		return templates.CountView{}, err
	}
	if err := s.openRacks(ctx, actor, snap, &game); err != nil {
		return templates.CountView{}, err
	}
	result, err := tournament.LatestResult(ctx, s.store, id)
	if err != nil {
		return templates.CountView{}, err
	}
	return templates.CountView{Event: event, TableID: snap.Ref.TableID, Game: game, Result: newResult(result, namesOf(game.Seats))}, nil
}

func namesOf(people []templates.Person) []string {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.Name
	}
	return names
}

// confirmPost confirms the count that was seen, and goes back to the hall: there the next one waits.
func (s *refereePages) confirmPost(c *gin.Context) error {
	return s.countPost(c, "count.confirmed", func(game int64, rev int) tournament.Action {
		return tournament.ConfirmResult{Game: game, Rev: rev}
	})
}

// replayPost lets the game be played again.
func (s *refereePages) replayPost(c *gin.Context) error {
	return s.countPost(c, "count.replayed", func(game int64, rev int) tournament.Action {
		return tournament.OrderReplay{Game: game, Rev: rev, Why: c.PostForm("why")}
	})
}

// countPost does something with the revision that was looked at, and goes back to the hall.
func (s *refereePages) countPost(c *gin.Context, done string, action func(game int64, rev int) tournament.Action) error {
	event, game := idIn(c, "event"), idIn(c, "game")
	rev, err := formInt(c, "rev")
	if err != nil {
		return s.again(c, err, s.showCount)
	}
	return s.post(c, action(game, rev), s.showCount, templates.HallPath(event), done)
}
