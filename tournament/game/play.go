package game

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Step is the kind of a game's last change.
type Step uint8

const (
	StepDraft Step = iota // a draft or a change in display; the log is unchanged
	StepEvent             // the log has grown
	StepPhase             // the game ended, or continues after its end
	StepBegin             // it was dealt, or its first turn began; no result changed
)

// Games runs the games: it takes commands, appends the engine's decisions to the log, and caches the resulting state in
// memory. The log alone decides a game: a clash in it means that another writer was faster, and the tail is read again.
type Games struct {
	// Moved is called with the game after a commit, or when a draft changes. It is a hint that carries no data of the
	// game. It must not block.
	Moved func(Ref, Step)
	// Stood is called when commands can no longer be written, and when they can again. It must not block.
	Stood func()
	// Rehearsed, if set, is called with the tournament of a new rehearsal, which bots are to play. It must not block.
	Rehearsed func(tournamentID int64)
	// Slept returns how long the machine has slept so far, as far as the system reports it.
	Slept func() time.Duration
	// BeganWithout is called when a game has begun in which a seated player may be out. It gives up such seats.
	BeganWithout func(ctx context.Context, ref Ref) error
	// HoldAbsent holds a new game while a player has no device, until that player is ready or an official starts it.
	HoldAbsent bool
	// Owner decides which clocks this program runs. It may be set before any other method is called.
	Owner Owner
	// Deal makes a shuffled deal. It is ShuffledDeal unless a test or a simulation sets it.
	Deal func() engine.Deal
	// DealAt, if set, replaces Deal for the first deal of a game and for a redeal that a player asks for. Tests and
	// simulations use it to derive the deal from the place of the game.
	DealAt func(of Ref, turn int) engine.Deal

	DB       *store.DB
	Log      *Log
	Seatings *Seatings // who sits where, counted for all caches of it
	Seals    *Seals    // which tiles viewers do not see
	Notes    *Notes    // evidence about turns
	cache    cache
	starts   starter
	backs    backs
	closed   atomic.Bool
	stalls   stalls

	stopped   atomic.Int64 // since when the clocks stand because of a shutdown; 0: they run
	unwritten atomic.Int64 // see Unwritten
	beatless  atomic.Bool  // the heartbeat cannot be written
	refused   atomic.Int64 // when a write last failed, in ms
	standing  sync.Mutex   // held while the games are being notified
}

// Ref says where a game is played and by which players. Players are in seat order.
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
	Draft *Draft
	// DraftNumber is the number of the last draft, so that viewers notice when a draft is removed.
	DraftNumber int
	// Stands is since when commands cannot be written at any table; 0: they can. See Shown.
	Stands engine.Millis
}

type runningGame struct {
	games  *Games
	mu     sync.Mutex // held while a command is decided and committed
	now    atomic.Pointer[Snapshot]
	clock  clock
	gone   bool // dropped from memory: another object may have replaced it
	hints  turnHint
	owed   atomic.Int64 // since when time is owed for failed writes, in ms; 0: none is owed
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
		BeganWithout: func(context.Context, Ref) error { return nil }, Deal: ShuffledDeal}
	g.cache = cache{games: g, known: map[int64]*runningGame{}, room: gamesKept}
	g.starts.games, g.stalls.games = g, g
	g.Notes = newNotes(g)
	g.Seatings = &Seatings{}
	g.Seals = &Seals{db: db, seatings: g.Seatings}
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

// Submit applies an actor's command to a game. The client makes a key for each command (8 to 64 letters, digits, - and
// _), so that a command sent twice takes effect once; the clock and the tournament use an empty key. Submit returns
// after the durable commit. Errors are *engine.Refusal for violations of the rules and *refuse.Error for actions that
// the actor may not take.
func (g *Games) Submit(ctx context.Context, actor rights.Actor, game int64, key string,
	c engine.Command) (answer Answer, err error) {
	r, err := g.cache.find(ctx, game)
	if err != nil {
		return Answer{}, err
	}
	ref, came := &r.now.Load().Ref, g.DB.Millis()
	cmd, err := g.admit(actor, ref, key, &c)
	if err != nil {
		if hasLeft(actor, ref) {
			return r.answerAgain(ctx, ref, actor, key, c, err)
		}
		return Answer{}, err
	}
	if r, err = g.cache.hold(ctx, r, game); err != nil {
		return Answer{}, err
	}
	answer, err = r.held(ctx, actor.String(), cmd, c)
	if ofPlayer(c) {
		g.Notes.submission(ref, came, c, answer, err)
	}
	return answer, err
}

// admit checks whether the actor may give a command and whether it is well-formed, and adds the shuffle to a redeal. It
// returns the ID of the command in the log (see commandID).
func (g *Games) admit(actor rights.Actor, ref *Ref, key string, c *engine.Command) (cmd string, err error) {
	if err := authorizeCommand(actor, ref, *c); err != nil {
		return "", err
	}
	switch said := (*c).(type) {
	case engine.Play:
		if err := checkSize(said.Table); err != nil {
			return "", err
		}
	case engine.Redeal:
		if len(said.Deal.Pool) == 0 {
			said.Deal = g.starts.dealAt(*ref, said.Turn)
			*c = said
		}
	}
	return commandID(actor, key, *c)
}

// held settles a command of a locked game and unlocks the game.
func (r *runningGame) held(ctx context.Context, actor, cmd string, c engine.Command) (answer Answer,
	err error) {
	defer r.release()
	began := r.games.DB.Millis()
	if answer, err = r.settle(ctx, actor, cmd, c); r.games.isOurFault(ctx, err) {
		r.owe(began)
		r.retry(time.Second)
	}
	answer.Snapshot = r.now.Load()
	return answer, err
}

// isOurFault reports whether a command failed for a reason that costs players time. A clock that is held is
// none, nor is a canceled request, whose reads are aborted.
func (g *Games) isOurFault(ctx context.Context, err error) bool {
	return IsStorage(err) && !errors.Is(err, ErrClockHeld) && !errors.Is(ctx.Err(), context.Canceled)
}

// settle tries a command until the decision has been appended, or the answer to its key is found in the log; r.mu is
// held.
func (r *runningGame) settle(ctx context.Context, actor, cmd string, c engine.Command) (Answer, error) {
	if r.behind() {
		if err := r.catchUp(ctx); err != nil {
			return Answer{}, err
		}
	}
	r.noteStall()
	if err := r.noteTaken(ctx); err != nil {
		return Answer{}, err
	}
	if err := r.payBack(ctx); err != nil {
		return Answer{}, err
	}
	for began, tries := time.Now(), 0; tries < 8; tries++ {
		answer, err := r.try(ctx, actor, cmd, c)
		if errors.Is(err, ErrClockHeld) {
			if on, gone := r.awaitClock(ctx, began); gone != nil {
				return Answer{}, gone
			} else if !on {
				return Answer{}, err
			}
			tries--
			continue
		}
		if err == nil {
			return answer, nil
		}
		if answer, again, err := r.failed(ctx, cmd, err); !again {
			return answer, err
		}
	}
	return Answer{}, fmt.Errorf("game %d: eight conflicts in a row", r.now.Load().Ref.ID)
}

// failed returns the answer to a command that failed with err, or again if the command must be retried because the log
// has moved on; r.mu is held.
func (r *runningGame) failed(ctx context.Context, cmd string, err error) (answer Answer, again bool,
	_ error) {
	game := r.now.Load().Ref.ID
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		if moved, lost := r.newer(ctx); moved || lost != nil {
			return Answer{}, lost == nil, lost
		}
	}
	if !errors.Is(err, ErrClash) {
		if cmd != "" && refusal != nil {
			answer, err = r.games.Log.answerTo(ctx, game, cmd, err)
		}
		return answer, false, err
	}
	if answer, err = r.games.Log.answerTo(ctx, game, cmd, nil); err != nil || answer.Seq != 0 {
		return answer, false, err
	}
	err = r.catchUp(ctx)
	return Answer{}, err == nil, err
}

// catchUp updates a game from its log after another writer's events; r.mu is held.
func (r *runningGame) catchUp(ctx context.Context) error {
	said, snap := r.news.Load(), r.now.Load()
	tail, err := r.games.Log.Tail(ctx, snap.Ref.ID, snap.State.Seq)
	if err != nil {
		return err
	}
	return r.follows(ctx, tail, said)
}

// follows shows the state that follows from the tail of a game's log. said is the seq that hints had announced. r.mu is
// held.
func (r *runningGame) follows(ctx context.Context, tail []Entry, said int64) (err error) {
	snap := *r.now.Load()
	seq, begins := snap.State.Seq, snap.State.Phase == engine.PhaseNew
	if snap.State, err = replay(snap.Ref.ID, snap.State, tail); err != nil {
		return err
	}
	snap.Head = headOf(tail, snap.Head)
	if said > int64(snap.State.Seq) && r.news.CompareAndSwap(said, int64(snap.State.Seq)) { // the hint was wrong
		r.schedule(&snap.State)
	}
	if snap.State.Seq == seq {
		return nil
	}
	if begins { // the players may have been reseated before
		if snap.Ref, err = FindRef(ctx, r.games.DB, snap.Ref.ID); err != nil {
			return err
		}
	}
	r.show(&snap)
	return nil
}

// try decides on the cached state and appends the events. The clock's events are the answer to a turn that came too
// late. Before any other command they are appended as the clock's own, and the command is decided on the state that
// follows.
func (r *runningGame) try(ctx context.Context, actor, cmd string, c engine.Command) (Answer, error) {
	snap := r.now.Load()
	events, err := r.games.decide(ctx, r.games.asLeft(snap), c)
	if _, paying := c.(engine.Outage); err == nil && !paying && engine.ByClock(events) && !r.paidUp() {
		err = ErrClockHeld // time owed to the players comes first
	}
	if err != nil {
		return Answer{}, err
	}
	if engine.ByClock(events) && !answeredByClock(c) {
		if _, err := r.commit(ctx, snap, events, clockName, ""); err != nil {
			return Answer{}, err
		}
		return r.try(ctx, actor, cmd, c)
	}
	return r.commit(ctx, snap, events, actor, cmd)
}

// decide asks the engine which events a command causes now. For a rewind, the state to return to is read from the log.
func (g *Games) decide(ctx context.Context, snap *Snapshot, c engine.Command) (_ []engine.Event, err error) {
	if rewind, ok := c.(engine.Rewind); ok {
		if rewind.To, err = g.Log.turnStart(ctx, snap.Ref.ID, rewind.Turn); err != nil {
			return nil, err
		}
		c = rewind
	}
	return engine.Decide(&snap.State, c, snap.Disturbed(), g.now())
}

// commit appends events that were decided on a snapshot and shows the state that follows.
func (r *runningGame) commit(ctx context.Context, snap *Snapshot, events []engine.Event, actor,
	cmd string) (Answer, error) {
	next := *snap
	for _, e := range events {
		next.State.Follow(e)
	}
	project, someOut := projection(next.Ref, &next.State, events)
	if byClock := engine.ByClock(events); byClock || actor == clockName {
		var err error
		if project, err = r.games.Owner.Fence(next.Ref.ID, byClock, project); err != nil {
			return Answer{}, err
		}
	}
	began := r.games.DB.Millis()
	err := r.games.Log.Append(ctx, next.Ref.ID, snap.State.Seq, &next.Head, events, actor, cmd, project)
	if r.games.wrote(began, err, false); err != nil {
		return Answer{}, err
	}
	step := r.show(&next)
	r.games.tell(&next, step)
	if r.games.DB.Millis()-began > engine.Millis(slowWrite.Milliseconds()) {
		if turn := next.State.Turn; turn.Number != snap.State.Turn.Number {
			began = min(began, turn.Started)
		}
		r.noteSlow(began)
	}
	return Answer{Outcome: events[0].Kind(), Seq: snap.State.Seq + 1, someOut: someOut != nil && *someOut}, nil
}

// show publishes a committed state, with the current draft if its turn is still running.
func (r *runningGame) show(snap *Snapshot) Step {
	var old *Snapshot
	for {
		old = r.now.Load()
		snap.Draft, snap.DraftNumber = old.Draft, old.DraftNumber
		if snap.Draft != nil && (snap.State.Phase != engine.PhasePlaying || snap.Draft.Turn != snap.State.Turn.Number) {
			snap.Draft = nil
		}
		snap.Stands = r.games.Unwritten()
		if r.now.CompareAndSwap(old, snap) {
			break
		}
	}
	if snap.Stands != r.games.Unwritten() {
		r.stand()
	}
	r.schedule(&snap.State)
	step := StepEvent
	switch was, is := old.State.Phase, snap.State.Phase; {
	case was == is:
	case was == engine.PhaseOver || is == engine.PhaseOver:
		step = StepPhase
	default:
		step = StepBegin
	}
	r.games.Moved(snap.Ref, step)
	return step
}

// answerAgain answers an actor who has moved to another table. If the game had accepted the command before, the actor
// gets the answer that was lost: others have seen the effect, and the round may have gone on at once. A new command is
// rejected with otherwise.
func (r *runningGame) answerAgain(ctx context.Context, ref *Ref, actor rights.Actor, key string,
	c engine.Command, otherwise error) (Answer, error) {
	if actor.Role == rights.RolePlayer {
		c = seated(c, ref.SeatOf(actor))
	}
	cmd, err := commandID(actor, key, c)
	if err != nil {
		return Answer{}, otherwise
	}
	answer, err := r.games.Log.answerTo(ctx, ref.ID, cmd, otherwise)
	r.games.Hear(ref.ID, answer.Seq, nil) // another program may have written it
	r.refresh(ctx)
	answer.Snapshot = r.now.Load()
	return answer, err
}
