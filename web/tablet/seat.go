package tablet

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
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/tablet"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/view"
)

// waitingStream is the stream of the waiting room.
const waitingStream = templates.PlayPath + "/waiting"

// waitingLeast is the shortest time between two renderings of the waiting room, because a whole hall may watch it when
// a result arrives.
const waitingLeast = 250 * time.Millisecond

// seatPages holds the addresses of a player's seat. A practice table has the same tablet pages at other addresses.
type seatPages struct {
	enter, room templ.SafeURL // where to join, and where to be between games
}

func seatPagesOf(c *gin.Context) seatPages {
	if request.AtPractice(c) {
		return seatPages{templates.PracticePath, templates.PracticePath}
	}
	return seatPages{templates.JoinPath, templates.PlayPath}
}

// stream returns the address of the tablet's stream.
func (p seatPages) stream() templ.SafeURL { return p.room + "/live" }

// forSeat serves a page to the player whose seat the device holds. Other devices are redirected to the page for
// joining.
func (s *Pages) forSeat(h func(*gin.Context, rights.Actor) error) gin.HandlerFunc {
	return s.Page.Request.Handle(func(c *gin.Context) error {
		me, err := s.Page.Request.Seats.Holder(c)
		if errors.Is(err, refuse.ErrUnauthenticated) {
			return s.Page.SeeOther(c, seatPagesOf(c).enter, "")
		}
		if err != nil {
			return err
		}
		return h(c, me)
	})
}

// waitingPage is the page for a player while no game is running: before the first game, between games, and after the
// last.
func (s *Pages) waitingPage(c *gin.Context, me rights.Actor) error {
	ctx := s.Page.Request.Language(c)
	at, err := s.Page.Request.Seats.WhereIs(ctx, me)
	if err != nil {
		return err
	}
	if at.Running() {
		return s.Page.SeeOther(c, templates.GamePath, "")
	}
	view, t, err := s.views.waitingView(ctx, at)
	if err != nil {
		return err
	}
	view.Page = page.Streamed(s.Page.NewPage(c, me.Name, &t), waitingStream)
	return s.Page.Show(c, http.StatusOK, tablet.WaitingPage(view))
}

func (s *Pages) waitingLive(c *gin.Context) error {
	me, err := s.Page.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	ctx := s.Page.Request.Language(c)
	feed := s.Page.Request.Seats.Feed(c, me, func(at request.SeatAt) (live.Message, error) {
		view, _, err := s.views.waitingView(ctx, at)
		if err != nil {
			return live.Message{}, err
		}
		html, err := page.RenderRegion(ctx, tablet.WaitingRegion(view))
		return live.Message{ID: page.StateOf(html), Data: html}, err
	}, action.TopicStandings)
	feed.Least, feed.Ping = waitingLeast, page.PagePing
	return s.Page.StreamPage(c, feed)
}

func (s *views) waitingView(ctx context.Context, at request.SeatAt) (tablet.WaitingView, tournament.Tournament,
	error) {
	t, err := tournament.TournamentByID(ctx, s.View.Store, at.Me.Tournament)
	if err != nil {
		return tablet.WaitingView{}, t, err
	}
	name := at.Me.Name
	if at.Me.Role == rights.RoleTable {
		name = locale.T(ctx, "table.title", "number", name)
	}
	v := tablet.WaitingView{Name: name, Event: t.Name, All: templates.LeaderboardPath(t.ID),
		State: waitingState(t, at), Seat: -1, Go: at.Running()}
	if v.State == "seated" || v.State == "waiting" {
		rounds, err := draw.Rounds(ctx, s.View.Store, t.ID)
		if err != nil {
			return v, t, err
		}
		f, err := t.Format()
		if err != nil {
			return v, t, err
		}
		v.News, v.FromZero = view.SeatNews(ctx, rounds), view.FromZero(ctx, f.Stages, rounds)
	}
	if v.State == "seated" || v.State == "between" {
		if err := s.placeIn(ctx, &v, at); err != nil {
			return v, t, err
		}
	}
	if at.Running() {
		return v, t, nil // the page switches to the game
	}
	if v.Penalties, err = s.ownPenalties(ctx, at.Me.Player); err != nil {
		return v, t, err
	}
	if v.LastGame, err = s.lastGame(ctx, at); err != nil {
		return v, t, err
	}
	if at.Me.Role != rights.RoleTable {
		v.Call = callIn(at)
	}
	if v.Note, err = s.View.Sights.ShownNote(ctx, rights.Public(), t.ID, tournament.PartStandings); err != nil {
		return v, t, err
	}
	v.Rows, v.Field, err = s.rowsFor(ctx, t.ID, []int64{at.Me.Player}, false)
	v.Rows = nearRows(v.Rows)
	return v, t, err
}

// callIn returns the game at the player's table, in which the player may call the referee, or nil without a table.
func callIn(at request.SeatAt) *play.Game {
	if at.Snap == nil {
		return nil
	}
	return &play.Game{ID: at.Snap.Ref.ID, View: engine.ViewFor(at.Snap.Shown(), at.Me.Seat)}
}

func waitingState(t tournament.Tournament, at request.SeatAt) string {
	switch {
	case t.Status == tournament.StatusFinished:
		return "finished"
	case at.Snap == nil, at.Over() && at.Confirmed && at.Snap.Ref.Number == at.Snap.Ref.Of:
		return "waiting"
	case at.Over(), at.Snap.Ref.Number > 1:
		return "between"
	}
	return "seated"
}

// placeIn adds the player's table and seat, and the other players there.
func (s *views) placeIn(ctx context.Context, view *tablet.WaitingView, at request.SeatAt) error {
	round, err := draw.RoundByID(ctx, s.View.Store, at.Snap.Ref.RoundID)
	if err != nil {
		return err
	}
	table, err := tournament.TableByID(ctx, s.View.Store, at.Me.Table)
	if err != nil {
		return err
	}
	view.Round, view.Table, view.Seat = round.Number, table.Number, at.Me.Seat
	for _, seat := range table.Seats {
		view.Mates = append(view.Mates, play.RoundSeat{Seat: seat.Seat, Name: seat.Player.Name,
			Country: seat.Player.Country, Joined: seat.Player.Joined()})
	}
	return nil
}

// lastGame returns the player's last ended game with its scores, or nil before the first.
func (s *views) lastGame(ctx context.Context, at request.SeatAt) (*play.Game, error) {
	if at.Over() {
		return s.endedGame(ctx, at)
	}
	last, ok, err := game.LastOf(ctx, s.View.Store, at.Me.Player)
	if err != nil || !ok {
		return nil, err
	}
	ended := request.SeatAt{Me: at.Me}
	ended.Me.Seat = last.Seat
	if ended.Snap, ended.Confirmed, err = s.View.Sights.LookAt(ctx, last.Game); err != nil {
		return nil, err
	}
	return s.endedGame(ctx, ended)
}

func (s *views) endedGame(ctx context.Context, at request.SeatAt) (*play.Game, error) {
	place, people, err := s.View.Tournaments.GamePlace(ctx, at.Snap.Ref)
	if err != nil {
		return nil, err
	}
	game, err := s.newTablet(ctx, at, place, people)
	if err != nil {
		return nil, err
	}
	if err := s.View.Counted(ctx, at.Snap, &game); err != nil {
		return nil, err
	}
	if err := s.View.Protested(ctx, at.Me, at.Snap, &game); err != nil {
		return nil, err
	}
	return &game, s.View.OpenRacks(ctx, at.Me, at.Snap, &game)
}

// Limits on the standings that the waiting room shows in a large field, because they are sent to all waiting players
// with each result. The full standings have their own page.
const (
	rowsWhole = 60 // up to this many players, all rows are shown
	rowsFirst = 10
	rowsNear  = 3 // above and below the reader; a cut shows one on each side
)

// nearRows returns the rows of the standings that the waiting room shows.
func nearRows(rows []play.RankRow) (near []play.RankRow) {
	if len(rows) <= rowsWhole {
		return rows
	}
	me := slices.IndexFunc(rows, func(r play.RankRow) bool { return r.Me })
	last := -1
	for i, row := range rows {
		cut := row.Cut || i+1 < len(rows) && rows[i+1].Cut
		if i >= rowsFirst && !cut && (me < 0 || i < me-rowsNear || i > me+rowsNear) {
			continue
		}
		row.Gap = i > last+1
		near, last = append(near, row), i
	}
	return near
}

// rowsFor returns the public standings or, if only is set, the rows of the given players. The row of players[0] is
// marked as the reader's. Before the first result, there are no rows. field is the number of players.
func (s *views) rowsFor(ctx context.Context, tournamentID int64, players []int64, only bool) (rows []play.RankRow,
	field int, err error) {
	sight, err := s.View.Sights.Of(ctx, rights.Public(), tournamentID)
	if err != nil {
		return nil, 0, err
	}
	standings, err := s.View.Tournaments.Standings(ctx, tournamentID, sight.Standings)
	if err != nil {
		return nil, 0, err
	}
	if !slices.ContainsFunc(standings.Rows, func(r ranking.StandingsRow) bool { return r.Games > 0 }) {
		return nil, 0, nil
	}
	for i, row := range view.RankRows(ctx, standings, nil) {
		listed := slices.Contains(players, standings.Rows[i].Player)
		if only && !listed {
			continue
		}
		row.Me = standings.Rows[i].Player == players[0]
		rows = append(rows, row)
	}
	return rows, len(standings.Rows), nil
}
