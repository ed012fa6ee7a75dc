package shell

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
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

// AtPractice tells whether an address is one of the practice tables, which have the same tablet as an event.
func AtPractice(c *gin.Context) bool {
	path := c.FullPath()
	return path == string(templates.PracticePath) || strings.HasPrefix(path, string(templates.PracticePath)+"/")
}

// seatCookie names the cookie that holds the seat which an address is about.
func (s *Shell) seatCookie(c *gin.Context) string {
	if AtPractice(c) {
		return s.CookieName(practiceCookie)
	}
	return s.CookieName(eventCookie)
}

// SetSeatCookie lets the device play for the player whose token it is; "" ends that.
func (s *Shell) SetSeatCookie(c *gin.Context, token string) {
	s.SetCookie(c, s.seatCookie(c), token, seatLife)
}

// HasSeat tells whether the device holds a seat at an event, wherever its reader is now.
func (s *Shell) HasSeat(c *gin.Context) bool {
	token, _ := c.Cookie(s.CookieName(eventCookie))
	return token != ""
}

// SeatHolder is the player whose token came with the request.
func (s *Shell) SeatHolder(c *gin.Context) (rights.Actor, error) {
	who := CallersIn(c)
	if who.Player == nil {
		if who.Staff != nil {
			return rights.Actor{}, refuse.Forbidden("err_not_your_seat")
		}
		return rights.Actor{}, refuse.Unauthenticated("err_join_first")
	}
	return *who.Player, nil
}

// SeatToken is the seat's token that the request came with.
func (s *Shell) SeatToken(c *gin.Context) string {
	if token, ok := strings.CutPrefix(c.GetHeader("Authorization"), "Bearer "); ok {
		return token
	}
	token, _ := c.Cookie(s.seatCookie(c))
	return token
}

// SeatAt is where a player is now: the current game at their own table, nil while no round seats the player,
// and whether its result is confirmed. Woken is another number once anything at the table, or with the event's seats, people and settings,
// is another one; 0: nobody counts.
type SeatAt struct {
	Me        rights.Actor
	Snap      *game.Snapshot
	Confirmed bool
	Woken     uint64
}

// Running tells whether there is a game to play.
func (at SeatAt) Running() bool {
	return at.Snap != nil && (at.Snap.State.Phase == engine.PhaseDealt || at.Snap.State.Phase == engine.PhasePlaying)
}

// Over tells whether the player's last game at the table has ended and is shown with its result.
func (at SeatAt) Over() bool { return at.Snap != nil && at.Snap.State.Phase == engine.PhaseOver }

// seatReader follows a player from game to game and from table to table.
type seatReader struct {
	shell   *Shell
	ctx     context.Context
	token   string
	watcher *live.Watcher
	others  []door.What // what else is shown between games
	draw    func(SeatAt) (live.Message, error)

	event   int64
	me      *rights.Actor // whose the token was at this count of the event's seatings
	seating uint64

	table, game int64
	settled     bool // the game is one that is being played: no other can have taken its place
	confirmed   bool
	place       []live.Topic // what says which game is the table's
	woken       uint64       // when that was asked
}

// SeatFeed is what a player is sent from game to game and from table to table: what draw makes of where the player is by then. Others is
// what else of the event is shown between games.
func (s *Shell) SeatFeed(c *gin.Context, me rights.Actor, draw func(SeatAt) (live.Message, error), others ...door.What) live.Feed {
	r := &seatReader{shell: s, event: me.Tournament, token: s.SeatToken(c), ctx: c.Request.Context(), others: others, draw: draw}
	r.watcher = s.Hub.Watch(r.topics(me.Tournament)...)
	return live.Feed{Watcher: r.watcher, Next: r.next}
}

// next gives the player's newest state. Whose seat the token holds is asked every time: a device that was
// replaced hears nothing more.
func (r *seatReader) next() (live.Message, error) {
	me, err := r.actor()
	if err != nil {
		return live.Message{}, err
	}
	if me.Table != r.table {
		r.table, r.settled = me.Table, false
		r.woken, r.place = 0, append(live.Topics(me.Tournament, door.TopicSeats, door.TopicPeople, door.TopicSettings), live.TableTopic(r.table))
		r.watch(me.Tournament)
	}
	if r.table == 0 {
		r.game = 0
		return r.draw(SeatAt{Me: *me})
	}
	var woken uint64
	if !r.settled {
		woken, _ = r.shell.Hub.Newest(r.place...)
		if woken == 0 || woken != r.woken {
			current, err := r.shell.tables.current(r.ctx, r.table, woken)
			if err != nil {
				return live.Message{}, err
			}
			r.game, r.confirmed, r.woken = current.Game, current.Confirmed, woken
		}
	}
	snap, err := r.shell.venue.Games.Look(r.ctx, r.game)
	if err != nil {
		return live.Message{}, err
	}
	if snap.State.Phase == engine.PhaseOver && r.settled {
		r.settled, r.woken = false, 0
		r.watch(me.Tournament)
		return r.next() // it has just ended: see whether the next one is on
	}
	if running := snap.State.Phase == engine.PhaseDealt || snap.State.Phase == engine.PhasePlaying; running != r.settled {
		r.settled = running
		r.watch(me.Tournament)
	}
	return r.draw(SeatAt{*me, snap, r.confirmed && !r.settled, woken})
}

// watch turns to what the player is told of by now.
func (r *seatReader) watch(event int64) { r.watcher.Turn(r.topics(event)...) }

// topics are what the player is told of. Results of others are nothing to who plays: in a large hall one is confirmed several times a second.
func (r *seatReader) topics(event int64) []live.Topic {
	topics := live.Topics(event, door.TopicSeats, door.TopicPeople, door.TopicPenalties, door.TopicSettings)
	if !r.settled {
		topics = append(topics, live.Topics(event, r.others...)...)
	}
	if r.table != 0 {
		topics = append(topics, live.TableTopic(r.table))
	}
	return topics
}

// actor gives the player whose seat the token holds.
func (r *seatReader) actor() (*rights.Actor, error) {
	seating := r.shell.venue.Games.SeatingsOf(r.event) // before it is asked: what is older than the answer is asked again
	if r.me != nil && r.seating == seating {
		return r.me, nil
	}
	me, err := r.shell.seats.actor(r.ctx, r.token)
	if err == nil && me == nil {
		err = refuse.Unauthenticated("err_token_unknown")
	}
	r.me, r.seating = me, seating
	return me, err
}

// tableCache remembers which game is a table's current one, so that four seats cost one query. It holds for one count of what may change that.
type tableCache struct {
	store  *storage.DB
	mu     sync.Mutex
	tables map[int64]tableAt
}

type tableAt struct {
	woken uint64
	game  game.CurrentGame
}

// tablesMost bounds the memory, as many as frames are kept.
const tablesMost = 20_000

// current gives the table's current game; woken is 0 where nobody counts.
func (c *tableCache) current(ctx context.Context, table int64, woken uint64) (game.CurrentGame, error) {
	c.mu.Lock()
	at := c.tables[table]
	c.mu.Unlock()
	if woken != 0 && at.woken == woken {
		return at.game, nil
	}
	current, err := game.CurrentAtTable(ctx, c.store, table)
	if err != nil || woken == 0 {
		return current, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil || len(c.tables) >= tablesMost {
		c.tables = map[int64]tableAt{}
	}
	if c.tables[table].woken < woken { // what was counted later stays
		c.tables[table] = tableAt{woken, current}
	}
	return current, nil
}

// seatCache remembers whom a seat's token plays for, so that a turn does not cost a query. What it
// remembers holds for one count of the event's seatings: when a code is issued again, a device
// replaced or a round published, all of that event is asked again.
type seatCache struct {
	store  *storage.DB
	games  *game.Games
	mu     sync.RWMutex
	actors map[[sha256.Size]byte]seatActor
}

type seatActor struct {
	*rights.Actor
	seating uint64
}

// actorsMost bounds the memory, some 300 bytes each; only tokens that existed when they were asked for are kept.
const actorsMost = 100_000

func newSeatCache(store *storage.DB, games *game.Games) *seatCache {
	return &seatCache{store: store, games: games, actors: map[[sha256.Size]byte]seatActor{}}
}

// actor gives the player of a token, nil when there is none. The token is looked up by its hash, which
// tells nothing of how much of it was right.
func (s *seatCache) actor(ctx context.Context, token string) (*rights.Actor, error) {
	hash := sha256.Sum256([]byte(token))
	s.mu.RLock()
	known, ok := s.actors[hash]
	s.mu.RUnlock()
	if ok && known.seating == s.games.SeatingsOf(known.Tournament) {
		return known.Actor, nil
	}
	all := s.games.Seatings() // before the query: what is older than the answer is asked again
	found, err := tournament.ActorByToken(ctx, s.store, token)
	if err != nil {
		return nil, Nobody(err)
	}
	seating := s.games.SeatingsOf(found.Tournament)
	if s.games.Seatings() != all {
		return &found, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.actors) >= actorsMost {
		clear(s.actors)
	}
	s.actors[hash] = seatActor{&found, seating}
	return &found, nil
}
