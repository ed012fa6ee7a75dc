package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

// waitingStream is the stream of the waiting room.
const waitingStream = templates.PlayPath + "/waiting"

// waitingLeast is the shortest time between two drawings of the waiting room, which a whole hall may look
// at when a result comes in.
const waitingLeast = 250 * time.Millisecond

// seatPages are the pages of a player's seat; a practice table has the same tablet at other addresses.
type seatPages struct {
	enter, room templ.SafeURL // where one without a seat takes one, and where a player is while no game runs
}

func seatPagesOf(c *gin.Context) seatPages {
	if atPractice(c) {
		return seatPages{templates.PracticePath, templates.PracticePath}
	}
	return seatPages{templates.JoinPath, templates.PlayPath}
}

// stream keeps the tablet up to date.
func (p seatPages) stream() templ.SafeURL { return p.room + "/live" }

// forSeat serves a page to the player whose seat the device holds; another is asked for a code.
func (s *tabletPages) forSeat(h func(*gin.Context, rights.Actor) error) gin.HandlerFunc {
	return s.handle(func(c *gin.Context) error {
		me, err := s.seatHolder(c)
		if errors.Is(err, refuse.ErrUnauthenticated) {
			return s.seeOther(c, seatPagesOf(c).enter, "")
		}
		if err != nil {
			return err
		}
		return h(c, me)
	})
}

// whereIs finds the game at the player's table.
func (s *views) whereIs(ctx context.Context, me rights.Actor) (seatAt, error) {
	at := seatAt{me: me}
	if me.Table == 0 {
		return at, nil
	}
	current, err := game.CurrentAtTable(ctx, s.store, me.Table)
	if err != nil {
		return at, err
	}
	at.confirmed = current.Confirmed
	at.snap, err = s.games.Look(ctx, current.Game)
	return at, err
}

// waitingPage is where a player is while no game runs: before it begins, between two, and after the last.
func (s *tabletPages) waitingPage(c *gin.Context, me rights.Actor) error {
	return s.showWaiting(c, me, http.StatusOK, "")
}

// showWaiting shows the waiting room, with what kept a form from being done.
func (s *tabletPages) showWaiting(c *gin.Context, me rights.Actor, status int, problem string) error {
	ctx := s.language(c)
	at, err := s.whereIs(ctx, me)
	if err != nil {
		return err
	}
	if at.running() {
		return s.seeOther(c, templates.GamePath, "")
	}
	view, t, err := s.waitingView(ctx, at)
	if err != nil {
		return err
	}
	view.Page = refusing(streamed(s.newPage(c, me.Name, &t), waitingStream), problem)
	return s.show(c, status, templates.WaitingPage(view))
}

func (s *tabletPages) waitingLive(c *gin.Context) error {
	me, err := s.seatHolder(c)
	if err != nil {
		return err
	}
	ctx := s.language(c)
	feed := s.seatFeed(c, me, func(at seatAt) (live.Message, error) {
		view, _, err := s.waitingView(ctx, at)
		if err != nil {
			return live.Message{}, err
		}
		html, err := render(ctx, templates.WaitingRegion(view))
		return live.Message{ID: stateOf(html), Data: html}, err
	})
	feed.Least, feed.Ping = waitingLeast, pagePing
	return s.stream(c, feed)
}

func (s *views) waitingView(ctx context.Context, at seatAt) (templates.WaitingView, tournament.Tournament, error) {
	t, err := tournament.TournamentByID(ctx, s.store, at.me.Tournament)
	if err != nil {
		return templates.WaitingView{}, t, err
	}
	name := at.me.Name
	if at.me.Role == rights.RoleTable {
		name = templates.T(ctx, "table.title", "number", name)
	}
	view := templates.WaitingView{Name: name, Event: t.Name, State: waitingState(t, at), Seat: -1, Go: at.running()}
	if view.State == "seated" || view.State == "between" {
		if err := s.placeIn(ctx, &view, at); err != nil {
			return view, t, err
		}
	}
	if at.running() {
		return view, t, nil // the page goes on to the game
	}
	if view.Penalties, err = s.ownPenalties(ctx, at.me.Player); err != nil {
		return view, t, err
	}
	if view.LastGame, err = s.lastGame(ctx, at); err != nil {
		return view, t, err
	}
	if at.me.Role != rights.RoleTable {
		view.Call = callIn(at)
	}
	view.Rows, _, err = s.rowsFor(ctx, t.ID, []int64{at.me.Player}, false)
	return view, t, err
}

// callIn is the game in which the player may call the referee, the one at their own table; nil without a table.
func callIn(at seatAt) *templates.Game {
	if at.snap == nil {
		return nil
	}
	return &templates.Game{ID: at.snap.Ref.ID, View: engine.ViewFor(at.snap.State, at.me.Seat)}
}

func waitingState(t tournament.Tournament, at seatAt) string {
	switch {
	case t.Status == tournament.StatusFinished:
		return "finished"
	case at.snap == nil, at.over() && at.confirmed && at.snap.Ref.Number == at.snap.Ref.Of:
		return "waiting"
	case at.over(), at.snap.Ref.Number > 1:
		return "between"
	}
	return "seated"
}

// placeIn names the player's table and seat, and who else sits there.
func (s *views) placeIn(ctx context.Context, view *templates.WaitingView, at seatAt) error {
	round, err := tournament.RoundByID(ctx, s.store, at.snap.Ref.RoundID)
	if err != nil {
		return err
	}
	table, err := tournament.TableByID(ctx, s.store, at.me.Table)
	if err != nil {
		return err
	}
	view.Round, view.Table, view.Seat = round.Number, table.Number, at.me.Seat
	for _, seat := range table.Seats {
		view.Mates = append(view.Mates, templates.RoundSeat{Seat: seat.Seat, Name: seat.Player.Name, Country: seat.Player.Country, Joined: seat.Player.Joined()})
	}
	return nil
}

// lastGame is the game that the player ended last, with its scores; nil before the first.
func (s *views) lastGame(ctx context.Context, at seatAt) (*templates.Game, error) {
	if at.over() {
		return s.endedGame(ctx, at)
	}
	rounds, err := tournament.Rounds(ctx, s.store, at.me.Tournament)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Backward(rounds) {
		if r.Status == tournament.RoundDraft {
			continue
		}
		tables, err := tournament.Tables(ctx, s.store, r.ID)
		if err != nil {
			return nil, err
		}
		for _, table := range tables {
			seat := slices.IndexFunc(table.Seats, func(x tournament.Seat) bool { return x.PlayerID == at.me.Player })
			game := lastEnded(table.Games)
			if seat < 0 || game == 0 {
				continue
			}
			ended := seatAt{me: at.me}
			ended.me.Seat = seat
			if ended.snap, ended.confirmed, err = s.lookAt(ctx, game); err != nil {
				return nil, err
			}
			return s.endedGame(ctx, ended)
		}
	}
	return nil, nil
}

func lastEnded(games []tournament.Game) int64 {
	for _, g := range slices.Backward(games) {
		if g.Status == game.Finished {
			return g.ID
		}
	}
	return 0
}

func (s *views) endedGame(ctx context.Context, at seatAt) (*templates.Game, error) {
	place, people, err := s.gamePlace(ctx, at.snap.Ref)
	if err != nil {
		return nil, err
	}
	game, err := s.newTablet(ctx, at, place, people)
	if err != nil {
		return nil, err
	}
	if err := s.counted(ctx, at.snap, &game); err != nil {
		return nil, err
	}
	if err := s.protested(ctx, at.me, at.snap, &game); err != nil {
		return nil, err
	}
	return &game, s.openRacks(ctx, at.me, at.snap, &game)
}

// rowsFor are the standings with the lines of some players marked, or of them only; none before the
// first result. field is how many players there are.
func (s *views) rowsFor(ctx context.Context, event int64, players []int64, only bool) (rows []templates.RankRow, field int, err error) {
	standings, err := tournament.StandingsOf(ctx, s.store, event)
	if err != nil {
		return nil, 0, err
	}
	if !slices.ContainsFunc(standings.Rows, func(r tournament.StandingsRow) bool { return r.Games > 0 }) {
		return nil, 0, nil
	}
	for i, row := range rankRows(standings, nil) {
		listed := slices.Contains(players, standings.Rows[i].Player)
		if only && !listed {
			continue
		}
		row.Me = standings.Rows[i].Player == players[0]
		rows = append(rows, row)
	}
	return rows, len(standings.Rows), nil
}
