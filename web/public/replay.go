package public

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/play"
	"meldhall/templates/public"
	"meldhall/templates/screens"
	"meldhall/tournament"
	"meldhall/tournament/game/record"
	"meldhall/tournament/refuse"
	"meldhall/tournament/result"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// replayPage lists the turns of an ended game, each with the possible plays.
func (s *Pages) replayPage(c *gin.Context) error {
	r, err := s.replayOf(c)
	if err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	v := public.ReplayView{Event: r.Ref.TournamentID, Table: r.Ref.TableID,
		Openings: view.OpeningViews(r.Openings, r.people, r.Ref)}
	v.Game = r.gameAt(r.End)
	v.Turns = make([]public.ReplayRow, len(r.Turns))
	for i, turn := range r.Turns {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.Turns[i] = replayRow(ctx, turn, play.MostSaid, turn.Possible(solve.Question{Limit: view.ListWork}))
	}
	if v.Corrected, err = s.views.corrected(ctx, r); err != nil {
		return err
	}
	title := public.ReplayTitle(ctx, v.Game, len(r.Turns))
	v.Page = s.replayFrame(c, title, &r.event)
	return s.Page.Show(c, http.StatusOK, public.ReplayPage(v))
}

// corrected returns the valid result if an official's ruling differs from the log, otherwise nil.
func (s *views) corrected(ctx context.Context, r shownReplay) (*play.Result, error) {
	latest, err := result.LatestResultAt(ctx, s.View.Store, r.Ref.ID, r.results)
	if err != nil {
		return nil, err
	}
	if !view.Differs(latest, r.End.End.Outcome) {
		return nil, nil
	}
	result := view.NewResult(latest, view.NamesOf(r.people), view.ChargedBy(r.End.Rules))
	return &result, nil
}

// replayFrame is NewPage for a replay, with a stream for players, so that they do not miss the start of their next
// game. A practice table has no tournament pages.
func (s *Pages) replayFrame(c *gin.Context, title string, event *tournament.Tournament) part.Page {
	if event.Practice != "" {
		event = nil
	}
	p := s.Page.NewPage(c, title, event)
	page.Over(c)
	if p.Role == part.RolePlayer {
		p = page.Streamed(p, page.NextStream)
	}
	return p
}

// shownReplay is an ended game with its place and players, as the pages show it.
type shownReplay struct {
	record.Replay
	event  tournament.Tournament
	place  play.GamePlace
	people []play.Person

	results engine.Millis // results before this time count
}

// replayOf returns the game in the address if the reader may see it turn by turn.
func (s *Pages) replayOf(c *gin.Context) (shownReplay, error) {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.Page.Request.Language(c)
	var r shownReplay
	var err error
	if r.Replay, err = s.View.Records.Replay(ctx, s.Page.Request.Staff(c), game); err != nil {
		return r, err
	}
	if r.Ref.TournamentID != tournamentID {
		return r, refuse.NotFound("err_game_not_found", "id", game)
	}
	if r.results, err = s.View.Sights.AuthorizeEnded(ctx, s.Page.Request.Staff(c), game); err != nil {
		return r, err
	}
	if r.event, err = tournament.TournamentByID(ctx, s.View.Store, tournamentID); err != nil {
		return r, err
	}
	r.place, r.people, err = s.View.Tournaments.GamePlace(ctx, r.Ref)
	return r, err
}

// gameAt returns the game in a state as a spectator saw it.
func (r shownReplay) gameAt(state engine.State) play.Game {
	return play.Game{ID: r.Ref.ID, Place: r.place, Seats: r.people, View: engine.ViewFor(&state, engine.Spectator),
		Counted: r.Confirmed, Charged: view.ChargedBy(state.Rules)}
}

// replayRow describes a turn, with its changes in at most the given number of characters (0: no limit).
func replayRow(ctx context.Context, turn record.ReplayTurn, most int, best solve.Play) public.ReplayRow {
	row := public.ReplayRow{Number: turn.Number, Seat: turn.Seat(),
		Possible: public.Possible{Tiles: best.Tiles, Proven: best.Proven}}
	row.Did = public.Deed{Kind: turn.Event.Kind(), Played: turn.Played(), Drawn: turn.Drawn()}
	if e, ok := turn.Event.(engine.TilesPlayed); ok {
		row.Did.Opened = e.Points
		row.Did.Moved = play.ChangeWords(ctx, turn.Before.Table.Faces(), e.Table.Faces(), most)
	}
	return row
}

// turnWork bounds the search for the one turn that a page shows. It is far more than any real table has needed and
// prevents any address from keeping a processor busy.
const turnWork = 2_000_000

// replayTurnPage shows a turn as it was played.
func (s *Pages) replayTurnPage(c *gin.Context) error { return s.showTurn(c, false) }

// replayBestPage shows the best possible play of a turn.
func (s *Pages) replayBestPage(c *gin.Context) error { return s.showTurn(c, true) }

func (s *Pages) showTurn(c *gin.Context, best bool) error {
	r, err := s.replayOf(c)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.Param("turn"))
	if err != nil || n < 1 || n > len(r.Turns) {
		return request.NotFound(c)
	}
	ctx, turn := s.Page.Request.Language(c), r.Turns[n-1]
	play := turn.Possible(solve.Question{Keep: true, Limit: turnWork})
	v := public.ReplayTurnView{Event: r.Ref.TournamentID, Table: r.Ref.TableID, Game: r.gameAt(turn.After),
		Of: len(r.Turns), Last: n == len(r.Turns),
		Row: replayRow(ctx, turn, 0, play), Rack: turn.Rack()}
	if e, ok := turn.Event.(engine.TilesPlayed); ok {
		v.Played = tile.FacesOf(e.Played)
	}
	if v.Last {
		v.Game.View.Result = engine.ViewFor(&r.End, engine.Spectator).Result
	}
	for _, event := range turn.Since {
		v.Notes = append(v.Notes, view.EventWords(ctx, v.Game, event))
	}
	if best && play.Tiles > 0 {
		if v.Best, err = bestPlay(ctx, turn, play); err != nil {
			return err
		}
	}
	title := locale.T(ctx, "replay.turn_of", "turn", n, "of", len(r.Turns)) + " · " +
		locale.T(ctx, "table.title", "number", r.place.Table)
	v.Page = s.replayFrame(c, title, &r.event)
	return s.Page.Show(c, http.StatusOK, public.ReplayTurnPage(v))
}

func bestPlay(ctx context.Context, turn record.ReplayTurn, shown solve.Play) (*public.BestPlay, error) {
	table, err := turn.Best(shown)
	if err != nil {
		return nil, err
	}
	best := &public.BestPlay{Table: table, Played: shown.Played.List()}
	for _, step := range steps.Steps(turn.Before.Table.Faces(), shown.Table) {
		best.Steps = append(best.Steps, play.StepWords(ctx, step))
	}
	return best, nil
}

// displayTurnPage shows an earlier turn of the running or ended game at a table, as the public saw it. It does not
// affect the game.
func (s *Pages) displayTurnPage(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Param("turn"))
	if err != nil || number < 1 {
		return request.NotFound(c)
	}
	ctx := s.Page.LanguageAsked(c)
	there, err := s.standsAt(c, key)
	if err == nil && !there {
		err = s.View.Sights.AuthorizeEvent(ctx, s.Page.Request.Staff(c), key.tournamentID)
	}
	if err != nil {
		return err
	}
	at, err := s.displaySeen(ctx, key, there)
	if err != nil {
		return err
	}
	if at.snap == nil {
		return request.NotFound(c)
	}
	if !there {
		if err := s.View.Records.AuthorizeTurns(ctx, s.Page.Request.Staff(c), at.game); err != nil {
			return err
		}
	}
	turn, of, err := s.View.TurnOf(ctx, at.game, number, at.seen.At)
	if err != nil {
		return err
	}
	past := screens.DisplayPast{Event: key.tournamentID, Number: key.number, Turn: turnLine(turn, at.people), Of: of,
		Laid: tile.FacesOf(turn.Played)}
	past.Turn.Did.Moved = movedIn(ctx, turn)
	_, past.Table = turn.Views()
	set, err := s.displaySettings(c)
	if err != nil {
		return err
	}
	p := s.displayFrame(c, locale.T(ctx, "replay.turn_of", "turn", number, "of", of), set)
	return s.showIn(c, ctx, screens.DisplayPastPage(p, set, past))
}
