package game

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game/shares"
	"meldhall/tournament/signing"
	"meldhall/tournament/store"
)

// Step is the kind of a game's last change.
type Step uint8

const (
	StepDraft Step = iota // a draft or a change in display; the log is unchanged
	StepEvent             // the log has grown
	StepPhase             // the game ended, or continues after its end
	StepBegin             // the game was dealt, or its first turn began; no result changed
)

// Games runs the games: it takes commands, appends the engine's decisions to the log, and caches the resulting state in
// memory. The log alone decides a game: ErrClash means that another writer was faster, and the tail is read again.
type Games struct {
	// Moved is called with the game after a commit, or when a draft changes. It is a hint that carries no data of the
	// game. It must not block.
	Moved func(Ref, Step)
	// Stood is called when commands can no longer be written, and when they can again. It must not block.
	Stood func()
	// Rehearsed, if set, is called with the tournament of a new rehearsal, which bots are to play. It must not block.
	Rehearsed func(tournamentID int64)
	// Slept returns how long the machine has slept so far, or 0 if the system does not report it.
	Slept func() time.Duration
	// BeganWithout is called when a game has begun in which a seated player may be out. It must give up the seats of
	// such players.
	BeganWithout func(ctx context.Context, ref Ref) error
	// HoldAbsent holds a new game while a player has no device, until that player is ready or an official starts it.
	HoldAbsent bool
	// Owner decides which clocks this program runs. It may be set before any other method is called.
	Owner Owner
	// Deal, if set, replaces the joint shuffle. Tests use it to choose the tiles.
	Deal func() engine.Deal

	DB       *store.DB
	Log      *Log
	Seatings *Seatings      // counts changes of seats, for caches of them
	Seals    *Seals         // which tiles viewers do not see
	Notes    *Notes         // evidence about turns
	Shares   *shares.Keeper // the devices' parts in the shuffles
	cache    cache
	starts   starter
	backs    backs
	closed   atomic.Bool
	stalls   stalls

	stopped   atomic.Int64 // when a shutdown stopped the clocks; 0: they run
	unwritten atomic.Int64 // see Unwritten
	beatless  atomic.Bool  // the heartbeat cannot be written
	refused   atomic.Int64 // when a write last failed, in ms
	standing  sync.Mutex   // held while the games are being notified
}

// Ref identifies where a game is played and by which players. Players are in seat order.
type Ref struct {
	ID, TournamentID, RoundID, TableID int64
	Stage, Round                       int // the format's stage, from 0, and the round's number
	Number, Of, TableNumber            int
	Players                            []int64
	Practice                           string        // the tournament's Practice
	Since                              engine.Millis // when the tournament was created
}

// Snapshot is the state of a game at a moment. It is immutable. Draft is nil if the turn has none.
type Snapshot struct {
	Ref   Ref
	State engine.State
	Head  string // the hash of the log's last event, empty for a new log
	// Signed holds each seat's last signed command; nil before the first one. It is never changed in place.
	Signed []signing.Signed
	Draft  *Draft
	// DraftNumber is the number of the last draft, so that viewers notice when a draft is removed.
	DraftNumber int
	// Stands is the time since which no commands can be written at any table; 0: they can. See Shown.
	Stands engine.Millis
}

type runningGame struct {
	games  *Games
	mu     sync.Mutex // held while a command is decided and committed
	now    atomic.Pointer[Snapshot]
	clock  clock
	gone   bool // dropped from memory: another object may have replaced it
	hints  turnHint
	owed   atomic.Int64 // start of the time owed for failed writes, in ms; 0: none is owed
	stalls atomic.Int64 // gaps of the program that are paid back or owed
	lost   lostTime
	slow   int          // the turn that got back what a slow write cost it
	news   atomic.Int64 // the seq that its log is known to have reached, see Hear
	taken  int64        // the takeover that was paid back
	heard  heardDrafts  // drafts of other programs
}

// Answer is the outcome of a command: the kind and seq of the first event that it caused. The same key always gets the
// same answer. Snapshot is the game afterwards; with a refusal, it is the one that the refusal was based on.
type Answer struct {
	Outcome string `json:"outcome" doc:"the event's kind: tiles_played, tile_drawn, turn_passed, turn_expired, …"`
	Seq     int    `json:"seq" doc:"the event's position in the game's log"`
	Again   bool   `json:"again,omitempty" doc:"the key was already in the log, so nothing new happened"`

	Snapshot *Snapshot `json:"-"`

	someOut bool // set by a start: see markRunning
}

// New returns the Games of a store. Boot restores running games.
func New(db *store.DB, log *Log) *Games {
	g := &Games{DB: db, Log: log, Moved: func(Ref, Step) {}, Stood: func() {}, Slept: slept,
		BeganWithout: func(context.Context, Ref) error { return nil }}
	g.cache = cache{games: g, known: map[int64]*runningGame{}, room: gamesKept}
	g.starts.games, g.stalls.games = g, g
	g.Notes = newNotes(g)
	g.Seatings = &Seatings{}
	g.Seals = &Seals{db: db, seatings: g.Seatings}
	g.Shares = shares.New(db, log.Together)
	g.Shares.Asked = g.sharesMoved
	g.Owner = alone{g}
	return g
}

// Look returns the current snapshot of a game. A game that has not started has a State in PhaseNew.
func (g *Games) Look(ctx context.Context, game int64) (*Snapshot, error) {
	r, err := g.cache.find(ctx, game)
	if err != nil {
		return nil, err
	}
	if r.news.Load() != 0 {
		r.refresh(ctx)
	}
	return r.now.Load(), nil
}

// Closed reports whether Close has been called.
func (g *Games) Closed() bool { return g.closed.Load() }

// Close stops the timers and writes the waiting notes. Commands in progress still finish. Close the log after Close has
// returned.
func (g *Games) Close() {
	g.closed.Store(true)
	for _, r := range g.cache.all() {
		r.mu.Lock()
		r.clock.stop()
		r.mu.Unlock()
	}
	g.Notes.close()
}
