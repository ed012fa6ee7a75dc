package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament"
)

// turnWork bounds the search of the one turn that a page shows. It is far more than any table of a game asked
// for; it is there so that no address can keep a processor busy.
const turnWork = 2_000_000

// replayTurnPage shows one turn as it was played.
func (s *publicPages) replayTurnPage(c *gin.Context) error { return s.showTurn(c, false) }

// replayBestPage shows the best that could have been done in it.
func (s *publicPages) replayBestPage(c *gin.Context) error { return s.showTurn(c, true) }

func (s *publicPages) showTurn(c *gin.Context, best bool) error {
	r, err := s.replayOf(c)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.Param("turn"))
	if err != nil || n < 1 || n > len(r.Turns) {
		return notFound(c)
	}
	ctx, turn := s.language(c), r.Turns[n-1]
	play := turn.Possible(solve.Question{Keep: true, Limit: turnWork})
	view := templates.ReplayTurnView{Event: r.Ref.TournamentID, Game: r.gameAt(turn.After), Of: len(r.Turns), Last: n == len(r.Turns),
		Row: replayRow(turn, play), Rack: turn.Rack()}
	if e, ok := turn.Event.(engine.TilesPlayed); ok {
		view.Played = tile.FacesOf(e.Played)
	}
	if view.Last {
		view.Game.View.Result = engine.ViewFor(r.End, engine.Spectator).Result
	}
	for _, event := range turn.Since {
		view.Notes = append(view.Notes, eventWords(ctx, view.Game, event))
	}
	if best && play.Tiles > 0 {
		if view.Best, err = bestPlay(ctx, turn, play); err != nil {
			return err
		}
	}
	title := templates.T(ctx, "replay.turn_of", "turn", n, "of", len(r.Turns)) + " · " + templates.T(ctx, "table.title", "number", r.place.Table)
	view.Page = s.replayFrame(c, title, &r.event)
	return s.show(c, http.StatusOK, templates.ReplayTurnPage(view))
}

func bestPlay(ctx context.Context, turn tournament.ReplayTurn, play solve.Play) (*templates.BestPlay, error) {
	table, err := turn.Best(play)
	if err != nil {
		return nil, err
	}
	best := &templates.BestPlay{Table: table, Played: play.Played.List()}
	for _, step := range solve.Steps(turn.Before.Table.Faces(), play.Table) {
		best.Steps = append(best.Steps, templates.StepWords(ctx, step))
	}
	return best, nil
}
