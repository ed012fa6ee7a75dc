package api

import (
	"context"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/rights"
	"meldhall/web/live"
	"meldhall/web/request"
	"meldhall/web/view"
)

// JoinedView is a seat that a device has taken.
type JoinedView struct {
	Token      string         `json:"token" doc:"for the Authorization header, in every round of the tournament"`
	Player     PlayerView     `json:"player"`
	Tournament TournamentView `json:"tournament"`
}

// PlaceView is where a player sits now. Round, table and game are missing while no round seats the player.
type PlaceView struct {
	Tournament TournamentView  `json:"tournament"`
	Player     *PlayerView     `json:"player,omitempty" doc:"missing if the device serves a whole table"`
	Seated     bool            `json:"seated"`
	Round      *RoundView      `json:"round,omitempty"`
	Table      int             `json:"table,omitempty" doc:"the table's number"`
	TableID    int64           `json:"table_id,omitempty"`
	Seat       int             `json:"seat" doc:"0 to 3; -1 if unseated, and for a whole table"`
	Game       *view.GameState `json:"game,omitempty"`
	Sign       *play.Sign      `json:"sign,omitempty" doc:"what the device needs to sign its next command, see data/record/signature.md"`
}

func (a *api) playerOperations() {
	operation(a, forAll, "POST /join", "Take a seat with a code", a.apiJoin,
		describe("A seat's code works once. Attempts are limited by IP address and by code: 429 says how many "+
			"seconds to wait."))
	operation(a, forPlayer, "GET /seat", "The player's current seat", a.apiSeat)
	operation(a, forPlayer, "POST /seat/key", "Say with which key the device signs commands", a.apiKey,
		describe("Signing is optional. Send the signature of a command in the header X-Signature: the seq that the "+
			"device has seen, a space, and the signature. data/record/signature.md specifies the values."))
	a.plain(forPlayer, "GET /seat/live", "Stream of the player's games, across games and rounds", nil,
		view.LiveState{}, live.StreamKind, a.seatLive, describeStream())
}

func describeStream() func(*huma.Operation) {
	return describe("Server-sent events. Each message is the full state, never a difference. data is the JSON of " +
		"the schema, " +
		"id is <epoch>.<game>-<seq>-<draft>. The newest state is sent at once, unless Last-Event-ID names it. Events named ping " +
		"come every 15 s of silence; an event named over ends the stream. In a player's stream, an event named " +
		"shuffle carries what POST /games/{id}/share answers.")
}

func roundQuery(op *huma.Operation) {
	op.Parameters = append(op.Parameters, &huma.Param{Name: "round", In: "query", Required: true,
		Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64"}})
}

func (a *api) apiJoin(ctx context.Context, in *with[people.Join]) (*with[JoinedView], error) {
	token, actor, err := a.Request.Seats.Join(requestOf(ctx), in.Body.Code, in.Body.Player)
	if err != nil {
		return nil, err
	}
	place, err := a.place(ctx, actor)
	if err != nil {
		return nil, err
	}
	return answer(JoinedView{token, *place.Player, place.Tournament}, nil)
}

func (a *api) apiSeat(ctx context.Context, _ *nothing) (*with[PlaceView], error) {
	me, err := a.Request.Seats.Holder(requestOf(ctx))
	if err != nil {
		return nil, err
	}
	return answer(a.place(ctx, me))
}

func (a *api) apiKey(ctx context.Context, in *with[people.BindKey]) (*with[Done], error) {
	me, err := a.Request.Seats.Holder(requestOf(ctx))
	if err == nil {
		_, err = action.Do(ctx, a.Request.Desk, me, in.Body)
	}
	return done(err)
}

// place returns where a player sits now.
func (s *api) place(ctx context.Context, me rights.Actor) (PlaceView, error) {
	t, err := tournament.TournamentByID(ctx, s.View.Store, me.Tournament)
	if err != nil {
		return PlaceView{}, err
	}
	event, err := s.tournamentView(ctx, t)
	if err != nil {
		return PlaceView{}, err
	}
	v := PlaceView{Tournament: event, Seat: -1}
	if me.Role == rights.RolePlayer {
		player, err := tournament.PlayerByID(ctx, s.View.Store, me.Player)
		if err != nil {
			return PlaceView{}, err
		}
		who := playerView(player)
		v.Player = &who
	}
	if me.Table == 0 {
		return v, nil
	}
	current, err := game.CurrentAtTable(ctx, s.View.Store, me.Table)
	if err != nil {
		return PlaceView{}, err
	}
	snap, confirmed, err := s.View.Sights.LookAt(ctx, current.Game)
	if err != nil {
		return PlaceView{}, err
	}
	round, err := draw.RoundByID(ctx, s.View.Store, snap.Ref.RoundID)
	if err != nil {
		return PlaceView{}, err
	}
	r := roundView(round)
	v.Seated, v.Seat, v.Round, v.Table, v.TableID = true, me.Seat, &r, snap.Ref.TableNumber, me.Table
	v.Game, v.Sign = view.NewGameState(snap), view.NewSign(me, snap)
	if confirmed {
		v.Game.Status = "confirmed"
	}
	return v, nil
}

// seatLive serves one stream for a player, across all games of the tournament.
func (s *api) seatLive(c *gin.Context) error {
	me, err := s.Request.Seats.Holder(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	var drawn request.SeatAt
	var id string
	feed := s.Request.Seats.Feed(c, me, func(at request.SeatAt) (live.Message, error) {
		if at.Snap == nil {
			return live.Message{ID: "0-0-0", Data: []byte(`{"game":null,"view":null,"names":[],"draft":null}`)}, nil
		}
		same := at.Running() || at.Woken != 0 && at.Woken == drawn.Woken && at.Confirmed == drawn.Confirmed &&
			!strings.Contains(id, "-held")
		if same && at.Snap == drawn.Snap && at.Me.Seat == drawn.Me.Seat {
			return live.Message{ID: id}, nil // woken by another change: the reader already has this state
		}
		m, err := s.View.GameMessage(ctx, view.SeenGame{Snap: at.Snap, Confirmed: at.Confirmed}, at.Me.Seat)
		drawn, id = at, m.ID
		return m, err
	})
	s.View.Presence.Listens(me, 1)
	feed.Ends = append(feed.Ends, func() { s.View.Presence.Listens(me, -1) })
	return s.Request.Streams.Serve(c, feed)
}

// gameLive serves the stream of one game, as the reader may see it.
func (s *api) gameLive(c *gin.Context) error {
	game, err := request.GameParam(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	snap, err := s.View.Games.Look(ctx, game)
	if err != nil {
		return err
	}
	tournamentID := snap.Ref.TournamentID
	feed := live.Feed{Watcher: s.Request.Hub.Watch(append(live.Topics(tournamentID, action.TopicSettings),
		live.GameTopic(game))...)}
	if s.Request.Staff(c).Role == rights.RolePublic {
		feed.Least = publicLeast
	}
	feed.Next = func() (live.Message, error) {
		who, err := s.Request.Tokens.StaffNow(c)
		if err != nil {
			return live.Message{}, err
		}
		seen, err := s.View.Sights.Seen(ctx, who, game)
		if err != nil {
			return live.Message{}, err
		}
		if seen.Moves {
			s.View.Sights.Late(live.GameTopic(game))
		}
		return s.View.GameMessage(ctx, seen, request.ViewerOf(who, seen.Snap.Ref))
	}
	return s.Request.Streams.Serve(c, feed)
}

// publicLeast is the shortest time between two messages to a spectator.
const publicLeast = 250 * time.Millisecond
