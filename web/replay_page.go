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
	"meldhall/web/frame"
	"meldhall/web/live"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// replayPage lists the turns of a game that is over, each beside what was possible.
func (s *publicPages) replayPage(c *gin.Context) error {
	r, err := s.replayOf(c)
	if err != nil {
		return err
	}
	ctx := s.Language(c)
	view := templates.ReplayView{Event: r.Ref.TournamentID, Table: r.Ref.TableID, Openings: openingViews(r.Openings, r.people, r.Ref)}
	view.Game = r.gameAt(r.End)
	view.Turns = make([]templates.ReplayRow, len(r.Turns))
	for i, turn := range r.Turns {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		view.Turns[i] = replayRow(turn, turn.Possible(solve.Question{Limit: venue.ListWork}))
	}
	if view.Corrected, err = s.corrected(ctx, r); err != nil {
		return err
	}
	title := templates.ReplayTitle(ctx, view.Game, len(r.Turns))
	view.Page = s.replayFrame(c, title, &r.event)
	return s.Show(c, http.StatusOK, templates.ReplayPage(view))
}

// corrected is the result that counts where an official has ruled another one than the log gives; else nil.
func (s *views) corrected(ctx context.Context, r shownReplay) (*templates.Result, error) {
	latest, err := tournament.LatestResultAt(ctx, s.Store, r.Ref.ID, r.results)
	if err != nil {
		return nil, err
	}
	if !differs(latest, r.End.End.Outcome) {
		return nil, nil
	}
	result := newResult(latest, namesOf(r.people), venue.ChargedBy(r.End.Rules))
	return &result, nil
}

// nextStream tells a player who looks at an old game when the next one is on.
const nextStream = templates.PlayPath + "/next"

// replayFrame is newPage for a replay: a player must not miss the start of the next game. A practice table is no
// event with pages of its own.
func (s *publicPages) replayFrame(c *gin.Context, title string, event *tournament.Tournament) templates.Page {
	if event.Practice != "" {
		event = nil
	}
	p := s.NewPage(c, title, event)
	frame.Over(c)
	if p.Role == templates.RolePlayer {
		p = frame.Streamed(p, nextStream)
	}
	return p
}

// nextLive says go when the player's game runs, wait while none does.
func (s *tabletPages) nextLive(c *gin.Context) error {
	me, err := s.SeatHolder(c)
	if err != nil {
		return err
	}
	feed := s.SeatFeed(c, me, func(at shell.SeatAt) (live.Message, error) {
		if at.Running() {
			return live.Message{ID: "go", Event: "go", Data: []byte("{}")}, nil
		}
		return live.Message{ID: "wait", Event: "wait", Data: []byte("{}")}, nil
	})
	feed.Least, feed.Ping = waitingLeast, frame.PagePing
	return s.StreamPage(c, feed)
}

// shownReplay is a game that is over with what the pages say of where it was played and by whom.
type shownReplay struct {
	game.Replay
	event  tournament.Tournament
	place  templates.GamePlace
	people []templates.Person

	results engine.Millis // those before it count
}

// replayOf gives the game of the address to those who may see it turn by turn.
func (s *publicPages) replayOf(c *gin.Context) (shownReplay, error) {
	event, game := frame.ID(c, "event"), frame.ID(c, "game")
	ctx := s.Language(c)
	var r shownReplay
	var err error
	if r.Replay, err = s.Games.Replay(ctx, s.Staff(c), game); err != nil {
		return r, err
	}
	if r.Ref.TournamentID != event {
		return r, refuse.NotFound("err_game_not_found", "id", game)
	}
	if r.results, err = s.AuthorizeEnded(ctx, s.Staff(c), game); err != nil {
		return r, err
	}
	if r.event, err = tournament.TournamentByID(ctx, s.Store, event); err != nil {
		return r, err
	}
	r.place, r.people, err = s.GamePlace(ctx, r.Ref)
	return r, err
}

// gameAt is the game at a moment, as a spectator saw it.
func (r shownReplay) gameAt(state engine.State) templates.Game {
	return templates.Game{ID: r.Ref.ID, Place: r.place, Seats: r.people, View: engine.ViewFor(&state, engine.Spectator), Counted: r.Confirmed, Charged: venue.ChargedBy(state.Rules)}
}

func replayRow(turn game.ReplayTurn, best solve.Play) templates.ReplayRow {
	row := templates.ReplayRow{Number: turn.Number, Seat: turn.Seat(), Possible: templates.Possible{Tiles: best.Tiles, Proven: best.Proven}}
	row.Did = templates.Deed{Kind: turn.Event.Kind(), Played: turn.Played(), Drawn: turn.Drawn()}
	if e, ok := turn.Event.(engine.TilesPlayed); ok {
		row.Did.Opened = e.Points
	}
	return row
}

// openingViews are the proofs of an ended game's 100-or-200 charges for the pages.
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

// openRacks adds to an ended game what its racks show, for those who may see them: why those are charged so who
// never opened, and the way to the replay. For others, and while the game runs, it adds nothing.
func (s *views) openRacks(ctx context.Context, actor rights.Actor, snap *game.Snapshot, game *templates.Game) error {
	proofs, err := s.Games.Openings(ctx, actor, snap, game.Counted)
	if errors.Is(err, refuse.ErrConflict) || errors.Is(err, refuse.ErrForbidden) {
		return nil
	}
	if err != nil {
		return err
	}
	game.Openings = openingViews(proofs, game.Seats, snap.Ref)
	if snap.State.Physical && snap.State.Turn.Number == 0 {
		return nil // nobody recorded a turn: there is none to see
	}
	if sealed, err := s.Games.SealedGame(ctx, snap); err != nil || sealed {
		return err
	}
	game.Replay = templates.ReplayPath(snap.Ref.TournamentID, snap.Ref.ID)
	return nil
}

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
		return shell.NotFound(c)
	}
	ctx, turn := s.Language(c), r.Turns[n-1]
	play := turn.Possible(solve.Question{Keep: true, Limit: turnWork})
	view := templates.ReplayTurnView{Event: r.Ref.TournamentID, Table: r.Ref.TableID, Game: r.gameAt(turn.After), Of: len(r.Turns), Last: n == len(r.Turns),
		Row: replayRow(turn, play), Rack: turn.Rack()}
	if e, ok := turn.Event.(engine.TilesPlayed); ok {
		view.Played = tile.FacesOf(e.Played)
	}
	if view.Last {
		view.Game.View.Result = engine.ViewFor(&r.End, engine.Spectator).Result
	}
	for _, event := range turn.Since {
		view.Notes = append(view.Notes, venue.EventWords(ctx, view.Game, event))
	}
	if best && play.Tiles > 0 {
		if view.Best, err = bestPlay(ctx, turn, play); err != nil {
			return err
		}
	}
	title := templates.T(ctx, "replay.turn_of", "turn", n, "of", len(r.Turns)) + " · " + templates.T(ctx, "table.title", "number", r.place.Table)
	view.Page = s.replayFrame(c, title, &r.event)
	return s.Show(c, http.StatusOK, templates.ReplayTurnPage(view))
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

// displayTurnPage is an earlier turn of the game at a table, running or over, as everybody saw it. It touches
// nothing of the game.
func (s *publicPages) displayTurnPage(c *gin.Context) error {
	key, err := displayParams(c)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Param("turn"))
	if err != nil || number < 1 {
		return shell.NotFound(c)
	}
	ctx := s.LanguageAsked(c)
	there, err := s.standsAt(c, key)
	if err == nil && !there {
		err = s.AuthorizeEvent(ctx, s.Staff(c), key.event)
	}
	if err != nil {
		return err
	}
	at, err := s.displaySeen(ctx, key, there)
	if err != nil {
		return err
	}
	if at.snap == nil {
		return shell.NotFound(c)
	}
	if !there {
		if err := s.Games.AuthorizeTurns(ctx, s.Staff(c), at.game); err != nil {
			return err
		}
	}
	turn, of, err := s.TurnOf(ctx, at.game, number, at.seen.At)
	if err != nil {
		return err
	}
	past := templates.DisplayPast{Event: key.event, Number: key.number, Turn: turnLine(turn, at.people), Of: of, Laid: tile.FacesOf(turn.Played)}
	_, past.Table = turn.Views()
	set, err := s.displaySettings(c)
	if err != nil {
		return err
	}
	p := s.displayFrame(c, templates.T(ctx, "replay.turn_of", "turn", number, "of", of), set)
	return s.showIn(c, ctx, templates.DisplayPastPage(p, set, past))
}
