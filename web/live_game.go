package web

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/web/live"
)

// publicLeast is the shortest time between two messages to somebody who only watches.
const publicLeast = 250 * time.Millisecond

// seatLive is one stream for a player over all games of the event.
func (s *Server) seatLive(c *gin.Context) error {
	me, err := s.seatHolder(c)
	if err != nil {
		return err
	}
	reader := s.newSeatReader(c, me)
	reader.draw = func(at seatAt) (live.Message, error) {
		if at.snap == nil {
			return live.Message{ID: "0-0-0", Data: []byte(`{"game":null,"view":null,"names":[],"draft":null}`)}, nil
		}
		return s.gameMessage(reader.ctx, at.snap, at.me.Seat, at.confirmed)
	}
	s.presence.Listens(me, 1)
	defer s.presence.Listens(me, -1)
	return s.stream(c, live.Feed{Watcher: reader.watcher, Next: reader.next})
}

// seatHolder is the player whose token came with the request.
func (s *shell) seatHolder(c *gin.Context) (rights.Actor, error) {
	who, _ := c.Value(callersKey).(callers)
	if who.player == nil {
		if who.staff != nil {
			return rights.Actor{}, refuse.Forbidden("err_not_your_seat")
		}
		return rights.Actor{}, refuse.Unauthenticated("err_join_first")
	}
	return *who.player, nil
}

// seatToken is the seat's token that the request came with.
func (s *shell) seatToken(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(cookieName(seatPagesOf(c).cookie, s.secure))
	return token
}

// seatReader follows a player from game to game and from table to table.
type seatReader struct {
	server  *Server
	ctx     context.Context
	token   string
	watcher *live.Watcher
	draw    func(seatAt) (live.Message, error)

	table, game int64
	settled     bool // the game is one that is being played: no other can have taken its place
}

// seatAt is where a player is now: the current game at their own table, nil while no round seats the player,
// and whether its result is confirmed.
type seatAt struct {
	me        rights.Actor
	snap      *tournament.Snapshot
	confirmed bool
}

func (s *Server) newSeatReader(c *gin.Context, me rights.Actor) *seatReader {
	return &seatReader{server: s, token: s.seatToken(c), ctx: c.Request.Context(), watcher: s.hub.Watch(live.SeatingTopic(me.Tournament))}
}

// next gives the player's newest state. Whose seat the token holds is asked every time: a device that was
// replaced hears nothing more.
func (r *seatReader) next() (live.Message, error) {
	me, err := r.server.seats.actor(r.ctx, r.token)
	if err == nil && me == nil {
		err = refuse.Unauthenticated("err_token_unknown")
	}
	if err != nil {
		return live.Message{}, err
	}
	if me.Table != r.table {
		r.table, r.settled = me.Table, false
		topics := []live.Topic{live.SeatingTopic(me.Tournament)}
		if r.table != 0 {
			topics = append(topics, live.TableTopic(r.table))
		}
		r.watcher.Turn(topics...)
	}
	if r.table == 0 {
		r.game = 0
		return r.draw(seatAt{me: *me})
	}
	var confirmed bool
	if !r.settled {
		current, err := tournament.CurrentAtTable(r.ctx, r.server.store, r.table)
		if err != nil {
			return live.Message{}, err
		}
		r.game, confirmed = current.Game, current.Confirmed
	}
	snap, err := r.server.games.Look(r.ctx, r.game)
	if err != nil {
		return live.Message{}, err
	}
	if snap.State.Phase == engine.PhaseOver && r.settled {
		r.settled = false
		return r.next() // it has just ended: see whether the next one is on
	}
	r.settled = snap.State.Phase == engine.PhaseDealt || snap.State.Phase == engine.PhasePlaying
	return r.draw(seatAt{*me, snap, confirmed})
}

// gameMessage gives a game's state for a viewer. Of a game that is over every viewer gets a message
// drawn for him alone, because a referee sees the racks then.
func (s *views) gameMessage(ctx context.Context, snap *tournament.Snapshot, viewer int, confirmed bool) (live.Message, error) {
	now := engine.MillisOf(s.store.Now())
	held := false
	if viewer == engine.Spectator {
		var err error
		if held, err = s.games.SealedGame(ctx, snap); err != nil {
			return live.Message{}, err
		}
	}
	if snap.State.Phase != engine.PhaseOver && !held {
		return s.frames.message(ctx, snap, viewer, now)
	}
	state, err := s.liveState(ctx, snap, viewer, confirmed)
	if err != nil {
		return live.Message{}, err
	}
	id := stateID(snap)
	if state.View.Held {
		id += "-held"
	}
	if confirmed {
		id += "-confirmed"
	}
	if state.Count != nil {
		id += agreedID(state.Count.Rev, state.Count.Agreed)
	}
	data, err := json.Marshal(state)
	return live.Message{ID: id, Data: data}, err
}

func (s *views) liveState(ctx context.Context, snap *tournament.Snapshot, viewer int, confirmed bool) (LiveState, error) {
	names, err := s.frames.names(ctx, snap)
	if err != nil {
		return LiveState{}, err
	}
	view, err := s.games.Shown(ctx, snap, viewer)
	if err != nil {
		return LiveState{}, err
	}
	view.Now = engine.MillisOf(s.store.Now())
	state := LiveState{Game: gameState(snap), View: &view, Names: names, Draft: snap.Draft}
	if view.Held && viewer == engine.Spectator {
		state.Draft = nil
	}
	if confirmed {
		state.Game.Status = "confirmed"
	}
	if viewer != engine.Spectator && snap.State.Phase == engine.PhaseOver {
		count, err := tournament.GameCount(ctx, s.store, snap.Ref.ID)
		if err != nil {
			return LiveState{}, err
		}
		state.Count = &count
	}
	return state, nil
}

// gameLive is the stream of one game, as the reader may see it.
func (s *Server) gameLive(c *gin.Context) error {
	game, err := gameParam(c)
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	feed := live.Feed{Watcher: s.hub.Watch(live.GameTopic(game))}
	if s.staff(c).Role == rights.RolePublic {
		feed.Least = publicLeast
	}
	feed.Next = func() (live.Message, error) {
		who, err := s.callersOf(c) // a device may be taken out, a session end, while the stream goes on
		if err != nil {
			return live.Message{}, err
		}
		snap, confirmed, err := s.lookAt(ctx, game)
		if err != nil {
			return live.Message{}, err
		}
		return s.gameMessage(ctx, snap, viewerOf(first(who.staff, who.player), snap.Ref), confirmed)
	}
	return s.stream(c, feed)
}

// lookAt gives a game, and whether its result is confirmed.
func (s *views) lookAt(ctx context.Context, game int64) (*tournament.Snapshot, bool, error) {
	snap, err := s.games.Look(ctx, game)
	if err != nil || snap.State.Phase != engine.PhaseOver {
		return snap, false, err
	}
	result, err := tournament.LatestResult(ctx, s.store, game)
	if isKind(err, refuse.ErrNotFound) {
		return snap, false, nil
	}
	return snap, result.Status == "confirmed", err
}
