package web

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
	"meldhall/web/live"
)

// eventCookie holds a device's seat at an event, practiceCookie that at a practice table: a device which practises keeps its
// seat in an event.
const (
	eventCookie    = "seat"
	practiceCookie = "practice"
)

// atPractice tells whether an address is one of the practice tables, which have the same tablet as an event.
func atPractice(c *gin.Context) bool {
	path := c.FullPath()
	return path == string(templates.PracticePath) || strings.HasPrefix(path, string(templates.PracticePath)+"/")
}

// seatCookie names the cookie that holds the seat which an address is about.
func (s *shell) seatCookie(c *gin.Context) string {
	if atPractice(c) {
		return s.cookieName(practiceCookie)
	}
	return s.cookieName(eventCookie)
}

// setSeatCookie lets the device play for the player whose token it is; "" ends that.
func (s *shell) setSeatCookie(c *gin.Context, token string) {
	s.setCookie(c, s.seatCookie(c), token, seatLife)
}

// hasSeat tells whether the device holds a seat at an event, wherever its reader is now.
func (s *shell) hasSeat(c *gin.Context) bool {
	token, _ := c.Cookie(s.cookieName(eventCookie))
	return token != ""
}

// seatHolder is the player whose token came with the request.
func (s *shell) seatHolder(c *gin.Context) (rights.Actor, error) {
	who := callersIn(c)
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
	token, _ := c.Cookie(s.seatCookie(c))
	return token
}

// seatAt is where a player is now: the current game at their own table, nil while no round seats the player,
// and whether its result is confirmed.
type seatAt struct {
	me        rights.Actor
	snap      *game.Snapshot
	confirmed bool
}

// running tells whether there is a game to play.
func (at seatAt) running() bool {
	return at.snap != nil && (at.snap.State.Phase == engine.PhaseDealt || at.snap.State.Phase == engine.PhasePlaying)
}

// over tells whether the player's last game at the table has ended and is shown with its result.
func (at seatAt) over() bool { return at.snap != nil && at.snap.State.Phase == engine.PhaseOver }

// seatReader follows a player from game to game and from table to table.
type seatReader struct {
	shell   *shell
	ctx     context.Context
	token   string
	watcher *live.Watcher
	draw    func(seatAt) (live.Message, error)

	table, game int64
	settled     bool // the game is one that is being played: no other can have taken its place
}

// seatFeed is what a player is sent from game to game and from table to table: what draw makes of where the player is by then.
func (s *shell) seatFeed(c *gin.Context, me rights.Actor, draw func(seatAt) (live.Message, error)) live.Feed {
	r := &seatReader{shell: s, token: s.seatToken(c), ctx: c.Request.Context(), watcher: s.hub.Watch(live.SeatingTopic(me.Tournament)), draw: draw}
	return live.Feed{Watcher: r.watcher, Next: r.next}
}

// next gives the player's newest state. Whose seat the token holds is asked every time: a device that was
// replaced hears nothing more.
func (r *seatReader) next() (live.Message, error) {
	me, err := r.shell.seats.actor(r.ctx, r.token)
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
		current, err := game.CurrentAtTable(r.ctx, r.shell.venue.store, r.table)
		if err != nil {
			return live.Message{}, err
		}
		r.game, confirmed = current.Game, current.Confirmed
	}
	snap, err := r.shell.venue.games.Look(r.ctx, r.game)
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

// seatCache remembers whom a seat's token plays for, so that a turn does not cost a query. What it
// remembers holds for one count of the games' seatings: when a code is issued again, a device
// replaced or a round published, all of it is asked again.
type seatCache struct {
	store   *storage.DB
	games   *game.Games
	mu      sync.RWMutex
	seating uint64
	actors  map[[sha256.Size]byte]*rights.Actor
}

// actorsMost bounds the memory; only tokens that exist are kept.
const actorsMost = 20_000

func newSeatCache(store *storage.DB, games *game.Games) *seatCache {
	return &seatCache{store: store, games: games, actors: map[[sha256.Size]byte]*rights.Actor{}}
}

// actor gives the player of a token, nil when there is none. The token is looked up by its hash, which
// tells nothing of how much of it was right.
func (s *seatCache) actor(ctx context.Context, token string) (*rights.Actor, error) {
	hash := sha256.Sum256([]byte(token))
	seating := s.games.Seatings() // before the query: what is older than the answer is asked again
	s.mu.RLock()
	actor, ok := s.actors[hash]
	current := s.seating == seating
	s.mu.RUnlock()
	if ok && current {
		return actor, nil
	}
	found, err := tournament.ActorByToken(ctx, s.store, token)
	if err != nil {
		return nil, nobody(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seating != seating || len(s.actors) >= actorsMost {
		if s.seating > seating {
			return &found, nil // newer answers are kept already
		}
		s.seating, s.actors = seating, map[[sha256.Size]byte]*rights.Actor{}
	}
	s.actors[hash] = &found
	return &found, nil
}
