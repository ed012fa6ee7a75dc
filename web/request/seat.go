package request

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/signin"
)

// Seats lets devices take seats by their codes and follows each player from game to game.
type Seats struct {
	store   *store.DB
	desk    *action.Desk
	games   *game.Games
	hub     *live.Hub
	cookies signin.Cookies
	notes   *signin.Notes
	codes   *guard.Throttle // wrong codes, by address and by code
	cache   *seatCache
	tables  *tableCache
}

// Holder returns the player whose token came with the request.
func (s *Seats) Holder(c *gin.Context) (rights.Actor, error) {
	who := CallersIn(c)
	if who.Player == nil {
		if who.Staff != nil {
			return rights.Actor{}, refuse.Forbidden("err_not_your_seat")
		}
		return rights.Actor{}, refuse.Unauthenticated("err_join_first")
	}
	return *who.Player, nil
}

// SeatAt describes where a player is now. Snap is the current game at the player's table, or nil while no round seats
// the player. Confirmed reports whether its result is confirmed. Woken changes whenever anything changes at the table
// or in the tournament's seats, people or settings; 0 means that changes are not counted.
type SeatAt struct {
	Me        rights.Actor
	Snap      *game.Snapshot
	Confirmed bool
	Woken     uint64
}

// Running reports whether a game at the player's table is dealt or being played.
func (at SeatAt) Running() bool {
	return at.Snap != nil && (at.Snap.State.Phase == engine.PhaseDealt || at.Snap.State.Phase == engine.PhasePlaying)
}

// Over reports whether the current game at the player's table has ended.
func (at SeatAt) Over() bool { return at.Snap != nil && at.Snap.State.Phase == engine.PhaseOver }

// seatReader follows a player from game to game and from table to table.
type seatReader struct {
	seats   *Seats
	ctx     context.Context
	token   string
	watcher *live.Watcher
	others  []action.What // other aspects shown between games
	draw    func(SeatAt) (live.Message, error)

	tournamentID int64
	me           *rights.Actor // the token's player, as of seating
	seating      uint64

	table, game int64
	settled     bool // the game is being played, so no other can be the current one
	confirmed   bool
	place       []live.Topic // topics that determine the table's current game
	woken       uint64       // their wake count at the last query
	asked       string       // the last message about the shuffle
}

// Feed returns the feed of a player from game to game and from table to table. draw makes the messages from the
// player's current place. others are the further aspects of the tournament shown between games.
func (s *Seats) Feed(c *gin.Context, me rights.Actor, draw func(SeatAt) (live.Message, error),
	others ...action.What) live.Feed {
	r := &seatReader{seats: s, tournamentID: me.Tournament, token: s.Token(c), ctx: c.Request.Context(),
		others: others, draw: draw}
	r.watcher = s.hub.Watch(r.topics(me.Tournament)...)
	return live.Feed{Watcher: r.watcher, Next: r.next}
}

// next returns the player's newest state. It looks the token's player up every time, so that a replaced device gets
// nothing more.
func (r *seatReader) next() (live.Message, error) {
	me, err := r.actor()
	if err != nil {
		return live.Message{}, err
	}
	if me.Table != r.table {
		r.table, r.settled = me.Table, false
		r.woken, r.place = 0, append(live.Topics(me.Tournament, action.TopicSeats, action.TopicPeople,
			action.TopicSettings), live.TableTopic(r.table))
		r.watch(me.Tournament)
	}
	if r.table == 0 {
		r.game = 0
		return r.draw(SeatAt{Me: *me})
	}
	var woken uint64
	if !r.settled {
		woken, _ = r.seats.hub.Newest(r.place...)
		if woken == 0 || woken != r.woken {
			current, err := r.seats.tables.current(r.ctx, r.table, woken)
			if err != nil {
				return live.Message{}, err
			}
			r.game, r.confirmed, r.woken = current.Game, current.Confirmed, woken
		}
	}
	snap, err := r.seats.games.Look(r.ctx, r.game)
	if err != nil {
		return live.Message{}, err
	}
	if asked, err := r.ask(me, snap); err != nil || asked.Event != "" {
		return asked, err
	}
	if snap.State.Phase == engine.PhaseOver && r.settled {
		r.settled, r.woken = false, 0
		r.watch(me.Tournament)
		return r.next() // it has just ended: look for the next one
	}
	if running := snap.State.Phase == engine.PhaseDealt ||
		snap.State.Phase == engine.PhasePlaying; running != r.settled {
		r.settled = running
		r.watch(me.Tournament)
	}
	return r.draw(SeatAt{*me, snap, r.confirmed && !r.settled, woken})
}

// ask returns the message that asks the player's device for its part in a shuffle; it is empty if there is nothing new.
func (r *seatReader) ask(me *rights.Actor, snap *game.Snapshot) (live.Message, error) {
	if me.Role != rights.RolePlayer {
		return live.Message{}, nil
	}
	table, ok, err := r.seats.games.Sharing(r.ctx, snap)
	if err != nil || !ok || me.Seat >= len(table.Players) || table.Players[me.Seat] != me.Player {
		return live.Message{}, err
	}
	ask, err := r.seats.games.Shares.Ask(r.ctx, table, me.Seat)
	if err != nil || ask.Sent >= 0 && ask.Sent >= ask.Deal {
		return live.Message{}, err
	}
	text, err := json.Marshal(ask)
	if err != nil || string(text) == r.asked {
		return live.Message{}, err
	}
	r.asked = string(text)
	r.watcher.Wake() // the state is sent next
	return live.Message{Event: "shuffle", Data: text}, nil
}

// watch sets the watcher's topics to the current ones.
func (r *seatReader) watch(tournamentID int64) { r.watcher.Turn(r.topics(tournamentID)...) }

// topics returns the topics of the player's feed. A playing player does not need the others' results: in a large hall,
// several are confirmed every second.
func (r *seatReader) topics(tournamentID int64) []live.Topic {
	topics := live.Topics(tournamentID, action.TopicSeats, action.TopicPeople, action.TopicPenalties,
		action.TopicSettings)
	if !r.settled {
		topics = append(topics, live.Topics(tournamentID, r.others...)...)
	}
	if r.table != 0 {
		topics = append(topics, live.TableTopic(r.table))
	}
	return topics
}

// actor returns the player whose seat the token holds.
func (r *seatReader) actor() (*rights.Actor, error) {
	// before the query, so that an outdated result is read again
	seating := r.seats.games.Seatings.Of(r.tournamentID)
	if r.me != nil && r.seating == seating {
		return r.me, nil
	}
	me, err := r.seats.cache.actor(r.ctx, r.token)
	if err == nil && me == nil {
		err = refuse.Unauthenticated("err_token_unknown")
	}
	r.me, r.seating = me, seating
	return me, err
}

// tableCache stores each table's current game, so that four seats cost one query. An entry is valid for one value of
// woken.
type tableCache struct {
	store  *store.DB
	mu     sync.Mutex
	tables map[int64]tableAt
}

type tableAt struct {
	woken uint64
	game  game.CurrentGame
}

// tablesMost limits the memory, to as many tables as there are cached frames.
const tablesMost = 20_000

// current returns the table's current game; woken is 0 if changes are not counted.
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
	if c.tables[table].woken < woken { // a newer entry stays
		c.tables[table] = tableAt{woken, current}
	}
	return current, nil
}

// seatCache maps seat tokens to players, so that a turn does not cost a query. An entry is valid for one count of the
// tournament's seatings. When a code is reissued, a device replaced or a round published, all of that tournament's
// tokens are read again.
type seatCache struct {
	store  *store.DB
	games  *game.Games
	mu     sync.RWMutex
	actors map[[sha256.Size]byte]seatActor
}

type seatActor struct {
	*rights.Actor
	seating uint64
}

// actorsMost limits the number of cached tokens, about 300 bytes each. Only tokens that existed when they were looked
// up are stored.
const actorsMost = 100_000

func newSeatCache(db *store.DB, games *game.Games) *seatCache {
	return &seatCache{store: db, games: games, actors: map[[sha256.Size]byte]seatActor{}}
}

// actor returns the player of a token; nil if there is none. The token is looked up by its hash, whose timing does not
// reveal how much of the token was right.
func (s *seatCache) actor(ctx context.Context, token string) (*rights.Actor, error) {
	hash := sha256.Sum256([]byte(token))
	s.mu.RLock()
	known, ok := s.actors[hash]
	s.mu.RUnlock()
	if ok && known.seating == s.games.Seatings.Of(known.Tournament) {
		return known.Actor, nil
	}
	all := s.games.Seatings.All() // before the query, so that an outdated result is read again
	found, err := people.ActorByToken(ctx, s.store, token)
	if err != nil {
		return nil, signin.UnlessUnknown(err)
	}
	seating := s.games.Seatings.Of(found.Tournament)
	if s.games.Seatings.All() != all {
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

// WhereIs returns the game that a player plays or played last at their table.
func (s *Seats) WhereIs(ctx context.Context, me rights.Actor) (SeatAt, error) {
	at := SeatAt{Me: me}
	if me.Table == 0 {
		return at, nil
	}
	current, err := game.CurrentAtTable(ctx, s.store, me.Table)
	if err != nil {
		return at, err
	}
	at.Confirmed = current.Confirmed
	at.Snap, err = s.games.Look(ctx, current.Game)
	return at, err
}
