package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// replayPage lists the turns of an ended game, each with the possible plays.
func (s *publicPages) replayPage(c *gin.Context) error {
	r, err := s.replayOf(c)
	if err != nil {
		return err
	}
	ctx := s.server.Request.Language(c)
	v := templates.ReplayView{Event: r.Ref.TournamentID, Table: r.Ref.TableID,
		Openings: openingViews(r.Openings, r.people, r.Ref)}
	v.Game = r.gameAt(r.End)
	v.Turns = make([]templates.ReplayRow, len(r.Turns))
	for i, turn := range r.Turns {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.Turns[i] = replayRow(turn, turn.Possible(solve.Question{Limit: view.ListWork}))
	}
	if v.Corrected, err = s.server.Views.corrected(ctx, r); err != nil {
		return err
	}
	title := templates.ReplayTitle(ctx, v.Game, len(r.Turns))
	v.Page = s.replayFrame(c, title, &r.event)
	return s.server.Page.Show(c, http.StatusOK, templates.ReplayPage(v))
}

// corrected returns the valid result if an official's ruling differs from the log, otherwise nil.
func (s *views) corrected(ctx context.Context, r shownReplay) (*templates.Result, error) {
	latest, err := tournament.LatestResultAt(ctx, s.View.Store, r.Ref.ID, r.results)
	if err != nil {
		return nil, err
	}
	if !differs(latest, r.End.End.Outcome) {
		return nil, nil
	}
	result := newResult(latest, namesOf(r.people), view.ChargedBy(r.End.Rules))
	return &result, nil
}

// nextStream tells a player who views an old game when the next one starts.
const nextStream = templates.PlayPath + "/next"

// replayFrame is NewPage for a replay, on which a player must not miss the start of the next game. A practice table has
// no tournament pages.
func (s *publicPages) replayFrame(c *gin.Context, title string, event *tournament.Tournament) templates.Page {
	if event.Practice != "" {
		event = nil
	}
	p := s.server.Page.NewPage(c, title, event)
	page.Over(c)
	if p.Role == templates.RolePlayer {
		p = page.Streamed(p, nextStream)
	}
	return p
}

// nextLive sends "go" once the player's game is running, and "wait" before that.
func (s *tabletPages) nextLive(c *gin.Context) error {
	me, err := s.server.Request.SeatHolder(c)
	if err != nil {
		return err
	}
	feed := s.server.Request.SeatFeed(c, me, func(at request.SeatAt) (live.Message, error) {
		if at.Running() {
			return live.Message{ID: "go", Event: "go", Data: []byte("{}")}, nil
		}
		return live.Message{ID: "wait", Event: "wait", Data: []byte("{}")}, nil
	})
	feed.Least, feed.Ping = waitingLeast, page.PagePing
	return s.server.Page.StreamPage(c, feed)
}

// shownReplay is an ended game with its place and players for the pages.
type shownReplay struct {
	game.Replay
	event  tournament.Tournament
	place  templates.GamePlace
	people []templates.Person

	results engine.Millis // results before this time count
}

// replayOf returns the game in the address if the reader may see it turn by turn.
func (s *publicPages) replayOf(c *gin.Context) (shownReplay, error) {
	tournamentID, game := page.ID(c, "event"), page.ID(c, "game")
	ctx := s.server.Request.Language(c)
	var r shownReplay
	var err error
	if r.Replay, err = s.server.View.Games.Replay(ctx, s.server.Request.Staff(c), game); err != nil {
		return r, err
	}
	if r.Ref.TournamentID != tournamentID {
		return r, refuse.NotFound("err_game_not_found", "id", game)
	}
	if r.results, err = s.server.View.AuthorizeEnded(ctx, s.server.Request.Staff(c), game); err != nil {
		return r, err
	}
	if r.event, err = tournament.TournamentByID(ctx, s.server.View.Store, tournamentID); err != nil {
		return r, err
	}
	r.place, r.people, err = s.server.View.GamePlace(ctx, r.Ref)
	return r, err
}

// gameAt returns the game in a state as a spectator saw it.
func (r shownReplay) gameAt(state engine.State) templates.Game {
	return templates.Game{ID: r.Ref.ID, Place: r.place, Seats: r.people, View: engine.ViewFor(&state, engine.Spectator),
		Counted: r.Confirmed, Charged: view.ChargedBy(state.Rules)}
}

func replayRow(turn game.ReplayTurn, best solve.Play) templates.ReplayRow {
	row := templates.ReplayRow{Number: turn.Number, Seat: turn.Seat(),
		Possible: templates.Possible{Tiles: best.Tiles, Proven: best.Proven}}
	row.Did = templates.Deed{Kind: turn.Event.Kind(), Played: turn.Played(), Drawn: turn.Drawn()}
	if e, ok := turn.Event.(engine.TilesPlayed); ok {
		row.Did.Opened = e.Points
	}
	return row
}

// openingViews converts the proofs of an ended game's charges for unopened racks for the pages.
func openingViews(proofs []game.OpeningProof, people []templates.Person, ref game.Ref) []templates.OpeningProof {
	views := make([]templates.OpeningProof, len(proofs))
	for i, p := range proofs {
		views[i] = templates.OpeningProof{Seat: p.Seat, Able: p.Able, Turn: p.Turn, Rack: p.Rack, Sets: p.Sets,
			Points: p.Points, Need: p.Need, Relief: p.Relief}
		if p.Seat < len(people) {
			views[i].Name = people[p.Seat].Name
		}
		if p.Turn > 0 {
			views[i].At = templates.ReplayTurnPath(ref.TournamentID, ref.ID, p.Turn)
		}
	}
	return views
}

// openRacks adds what an ended game's racks reveal, if actor may see it: why racks that never opened are charged, and
// the link to the replay. Otherwise, and while the game is running, it adds nothing.
func (s *views) openRacks(ctx context.Context, actor rights.Actor, snap *game.Snapshot, game *templates.Game) error {
	proofs, err := s.View.Games.Openings(ctx, actor, snap, game.Counted)
	if errors.Is(err, refuse.ErrConflict) || errors.Is(err, refuse.ErrForbidden) {
		return nil
	}
	if err != nil {
		return err
	}
	game.Openings = openingViews(proofs, game.Seats, snap.Ref)
	if snap.State.Physical && snap.State.Turn.Number == 0 {
		return nil // no turns were recorded
	}
	if sealed, err := s.View.Games.SealedGame(ctx, snap); err != nil || sealed {
		return err
	}
	game.Replay = templates.ReplayPath(snap.Ref.TournamentID, snap.Ref.ID)
	return nil
}

// turnWork bounds the search for the one turn that a page shows. It is far more than any real table has needed and
// prevents any address from keeping a processor busy.
const turnWork = 2_000_000

// replayTurnPage shows a turn as it was played.
func (s *publicPages) replayTurnPage(c *gin.Context) error { return s.showTurn(c, false) }

// replayBestPage shows the best possible play of a turn.
func (s *publicPages) replayBestPage(c *gin.Context) error { return s.showTurn(c, true) }

func (s *publicPages) showTurn(c *gin.Context, best bool) error {
	r, err := s.replayOf(c)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.Param("turn"))
	if err != nil || n < 1 || n > len(r.Turns) {
		return request.NotFound(c)
	}
	ctx, turn := s.server.Request.Language(c), r.Turns[n-1]
	play := turn.Possible(solve.Question{Keep: true, Limit: turnWork})
	v := templates.ReplayTurnView{Event: r.Ref.TournamentID, Table: r.Ref.TableID, Game: r.gameAt(turn.After),
		Of: len(r.Turns), Last: n == len(r.Turns),
		Row: replayRow(turn, play), Rack: turn.Rack()}
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
	title := templates.T(ctx, "replay.turn_of", "turn", n, "of", len(r.Turns)) + " · " +
		templates.T(ctx, "table.title", "number", r.place.Table)
	v.Page = s.replayFrame(c, title, &r.event)
	return s.server.Page.Show(c, http.StatusOK, templates.ReplayTurnPage(v))
}

func bestPlay(ctx context.Context, turn game.ReplayTurn, play solve.Play) (*templates.BestPlay, error) {
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

// displayTurnPage shows an earlier turn of the running or ended game at a table, as the public saw it. It does not
// affect the game.
func (s *publicPages) displayTurnPage(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Param("turn"))
	if err != nil || number < 1 {
		return request.NotFound(c)
	}
	ctx := s.server.Page.LanguageAsked(c)
	there, err := s.standsAt(c, key)
	if err == nil && !there {
		err = s.server.View.AuthorizeEvent(ctx, s.server.Request.Staff(c), key.tournamentID)
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
		if err := s.server.View.Games.AuthorizeTurns(ctx, s.server.Request.Staff(c), at.game); err != nil {
			return err
		}
	}
	turn, of, err := s.server.View.TurnOf(ctx, at.game, number, at.seen.At)
	if err != nil {
		return err
	}
	past := templates.DisplayPast{Event: key.tournamentID, Number: key.number, Turn: turnLine(turn, at.people), Of: of,
		Laid: tile.FacesOf(turn.Played)}
	_, past.Table = turn.Views()
	set, err := s.server.displaySettings(c)
	if err != nil {
		return err
	}
	p := s.server.displayFrame(c, templates.T(ctx, "replay.turn_of", "turn", number, "of", of), set)
	return s.showIn(c, ctx, templates.DisplayPastPage(p, set, past))
}
