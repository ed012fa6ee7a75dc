package game

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// Step is how far a game has moved.
type Step uint8

const (
	StepDraft Step = iota // a draft, or how the game is shown: nothing is in its log
	StepEvent             // something is
	StepPhase             // it ended by it, or goes on after it had
	StepBegin             // it was dealt by it, or its first turn began: no result is another one
)

// Games runs the games: it takes commands, appends what the engine decides, and keeps the state that
// the log gives in memory. Nothing that decides a game is here alone: a clash in the log
// means that somebody else moved, and the tail is read again.
type Games struct {
	// Moved is called after a commit, or when a draft changes, with the game that moved: a hint that
	// carries no data of the game. It must not block.
	Moved func(Ref, Step)
	// Stood is called when commands cannot be written any more, and when they can again. It must not block.
	Stood func()
	// Rehearsed, if set, is called when a rehearsal was made, with its event: bots are to play it. It must not block.
	Rehearsed func(event int64)
	// Slept is for how long the machine has slept so far, as far as the system tells.
	Slept func() time.Duration
	// BeganWithout is called when a game has begun in which somebody who has a seat may be out: such seats are given up.
	BeganWithout func(ctx context.Context, ref Ref) error
	// HoldAbsent holds a new game while a player has no device, until that player is ready or an official starts it.
	HoldAbsent bool
	// Wrote and Drafted, if set, are told of what other nodes are to know: a move in the log, and a draft. They must not block.
	Wrote   func(Move)
	Drafted func(game int64, d Draft)
	// Watched, if set, tells whether somebody watches a game here: then what another node has written in it is read at once. It must not block.
	Watched func(Ref) bool
	// Leased, if set, is called when leases were given up for others to take. It must not block.
	Leased func()
	// Deal makes a shuffled deal; ShuffledDeal unless a test or a simulation sets it.
	Deal func() engine.Deal
	// DealAt, if set, makes the deal of a game in place of Deal, and of a new start that a player asks for in a turn of it: a test's or a
	// simulation's, which follows from where the game is played.
	DealAt func(of Ref, turn int) engine.Deal

	DB      *storage.DB
	log     *Log
	mu      sync.Mutex
	known   map[int64]*runningGame
	folds   folds
	backs   backs
	room    int // how many known games are too many
	closed  atomic.Bool
	later   atomic.Bool // games that could not start are to be tried again
	notes   *notes
	typical typicals
	courses courses
	stalls  stalls

	stopped   atomic.Int64 // since when the clocks stand, as the program is to stop; 0: they run
	unwritten atomic.Int64 // see Unwritten
	beatless  atomic.Bool  // it is the heartbeat that cannot be written
	refused   atomic.Int64 // when something could not be written last, in ms
	standing  sync.Mutex   // held while it is told to the games
	rules     roundRules

	seatings   seatings
	duplicates duplicateRounds
	tails      tails
	nodes      *nodes // nil where no other program runs games in the database

	noEvidence bool // for measuring what evidence costs
}

// Ref says where a game is played and by whom. Players are in seat order.
type Ref struct {
	ID, TournamentID, RoundID, TableID int64
	Stage, Round                       int // of the format from 0, and the round's number
	Number, Of, TableNumber            int
	Players                            []int64
	Practice                           string        // of Tournament
	Since                              engine.Millis // when the tournament was made
}

// Snapshot is a game as it stands: it does not change. Draft is nil when there is none for this turn.
type Snapshot struct {
	Ref   Ref
	State engine.State
	Head  string // the hash of the log's last event, empty for a new log
	Draft *Draft
	// DraftNumber is the number of the last draft, so that a watcher sees that one has gone.
	DraftNumber int
	// Stands is since when no command can be written, at whatever table; 0: they can. See Shown.
	Stands engine.Millis
}

type runningGame struct {
	mu     sync.Mutex // held while a command of this game is decided and committed
	now    atomic.Pointer[Snapshot]
	clock  clock
	gone   bool // let go: another one may stand for the game by now
	hints  turnHint
	owed   atomic.Int64 // since when, in ms, it could not be written or decided; 0: nothing is owed to the players
	stalls atomic.Int64 // gaps of the program that it was paid for, or owes
	lost   lostTime
	slow   int          // the turn that was given back what a slow write had cost it
	news   atomic.Int64 // the seq that another node's log is said to be at
	fence  int64        // the taking over that it was paid for
	heard  heardDrafts  // of other nodes
}

// Answer is what became of a command: the kind and seq of the first event that it brought about. The
// same key always gets the same answer. Snapshot is the game as it then stands; a refusal comes with the one
// that it was decided on.
type Answer struct {
	Outcome string `json:"outcome" doc:"what happened: tiles_played, tile_drawn, turn_passed, turn_expired, …"`
	Seq     int    `json:"seq" doc:"the event's place in the game's log"`
	Again   bool   `json:"again,omitempty" doc:"the key was in the log already; nothing new happened"`

	Snapshot *Snapshot `json:"-"`

	someOut bool // by a start: see markRunning
}

// New gives the runner of the games in a store. Boot brings running games back to life.
func New(store *storage.DB, log *Log) *Games {
	g := &Games{DB: store, log: log, Moved: func(Ref, Step) {}, Stood: func() {}, Slept: slept, BeganWithout: func(context.Context, Ref) error { return nil }, Deal: ShuffledDeal, known: map[int64]*runningGame{}, room: gamesKept}
	g.notes = newNotes(g)
	if name := store.Node(); name != "" {
		g.nodes = newNodes(store, name)
	}
	return g
}

// Look gives a game as it stands. A game that has not started has a State in PhaseNew.
func (g *Games) Look(ctx context.Context, game int64) (*Snapshot, error) {
	r, err := g.find(ctx, game)
	if err != nil {
		return nil, err
	}
	if r.news.Load() != 0 {
		g.refresh(ctx, r)
	}
	return r.now.Load(), nil
}

// Submit lets an actor command a game. key is made by the client, once for each command (8 to 64 letters, digits,
// - and _), so that a command sent twice happens once; empty for the clock and the event itself. The
// answer is given after the durable commit. Errors: *engine.Refusal for what the rules do not allow,
// *Error for what the actor may not do.
func (g *Games) Submit(ctx context.Context, actor rights.Actor, game int64, key string, c engine.Command) (answer Answer, err error) {
	r, err := g.find(ctx, game)
	if err != nil {
		return Answer{}, err
	}
	ref, came := &r.now.Load().Ref, g.DB.Millis()
	cmd, err := g.admit(actor, ref, key, &c)
	if err != nil {
		if hasLeft(actor, ref) {
			return g.answerAgain(ctx, r, ref, actor, key, c, err)
		}
		return Answer{}, err
	}
	if r, err = g.hold(ctx, r, game); err != nil {
		return Answer{}, err
	}
	answer, err = g.held(ctx, r, actor.String(), cmd, c)
	if ofPlayer(c) {
		g.noteSubmission(ref, came, c, answer, err)
	}
	return answer, err
}

// admit asks whether the actor may give a command and whether it can be one, adds the shuffle to a redeal, and gives what the log keeps of
// the command (see commandID).
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
			said.Deal = g.dealAt(*ref, said.Turn)
			*c = said
		}
	}
	return commandID(actor, key, *c)
}

// held settles a command of a game that is held, and lets go of the game.
func (g *Games) held(ctx context.Context, r *runningGame, actor, cmd string, c engine.Command) (answer Answer, err error) {
	defer g.release(r)
	began := g.DB.Millis()
	if answer, err = g.settle(ctx, r, actor, cmd, c); g.isOurFault(ctx, err) {
		g.owe(r, began)
		g.retry(r, time.Second)
	}
	answer.Snapshot = r.now.Load()
	return answer, err
}

// isOurFault tells whether a command failed by what costs players time. That another node keeps the clock does not, nor that nobody waits
// for the answer any more, which cuts what is being read for it.
func (g *Games) isOurFault(ctx context.Context, err error) bool {
	if g.nodes != nil && (errors.Is(err, errNotOurs) || errors.Is(ctx.Err(), context.Canceled)) {
		return false
	}
	return IsStorage(err)
}

// settle tries a command until what was decided could be appended, or its key's answer is found in the log; r.mu is held.
func (g *Games) settle(ctx context.Context, r *runningGame, actor, cmd string, c engine.Command) (Answer, error) {
	if r.behind() {
		if err := g.catchUp(ctx, r); err != nil {
			return Answer{}, err
		}
	}
	g.noteStall(r)
	if err := g.noteTaken(ctx, r); err != nil {
		return Answer{}, err
	}
	if err := g.payBack(ctx, r); err != nil {
		return Answer{}, err
	}
	for began, tries := time.Now(), 0; tries < 8; tries++ {
		answer, err := g.try(ctx, r, actor, cmd, c)
		if errors.Is(err, errNotOurs) {
			if on, gone := g.awaitOwner(ctx, r, began); gone != nil {
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
		if answer, again, err := g.failed(ctx, r, cmd, err); !again {
			return answer, err
		}
	}
	return Answer{}, fmt.Errorf("game %d: the log moved on eight times", r.now.Load().Ref.ID)
}

// failed gives what is answered to a command that failed with err, or that it is to be tried again, as the log has moved on; r.mu is held.
func (g *Games) failed(ctx context.Context, r *runningGame, cmd string, err error) (answer Answer, again bool, _ error) {
	game := r.now.Load().Ref.ID
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		if moved, lost := g.newer(ctx, r); moved || lost != nil {
			return Answer{}, lost == nil, lost
		}
	}
	if !errors.Is(err, ErrClash) {
		if cmd != "" && refusal != nil {
			answer, err = g.answered(ctx, game, cmd, err)
		}
		return answer, false, err
	}
	if answer, err = g.answered(ctx, game, cmd, nil); err != nil || answer.Seq != 0 {
		return answer, false, err
	}
	err = g.catchUp(ctx, r)
	return Answer{}, err == nil, err
}

// catchUp brings a game up to date with its log, in which somebody else has written; r.mu is held.
func (g *Games) catchUp(ctx context.Context, r *runningGame) error {
	said, snap := r.news.Load(), r.now.Load()
	tail, err := g.log.Tail(ctx, snap.Ref.ID, snap.State.Seq)
	if err != nil {
		return err
	}
	return g.follows(ctx, r, tail, said)
}

// follows shows what follows from the tail of a game's log, which hints had said to go on to a seq; r.mu is held.
func (g *Games) follows(ctx context.Context, r *runningGame, tail []Entry, said int64) (err error) {
	snap := *r.now.Load()
	seq, begins := snap.State.Seq, snap.State.Phase == engine.PhaseNew
	if snap.State, err = replay(snap.Ref.ID, snap.State, tail); err != nil {
		return err
	}
	snap.Head = headOf(tail, snap.Head)
	if said > int64(snap.State.Seq) && r.news.CompareAndSwap(said, int64(snap.State.Seq)) { // a hint that was not so
		g.schedule(r, &snap.State)
	}
	if snap.State.Seq == seq {
		return nil
	}
	if begins { // others may have sat down before
		if snap.Ref, err = FindRef(ctx, g.DB, snap.Ref.ID); err != nil {
			return err
		}
	}
	g.show(r, &snap)
	return nil
}

// try decides on the state that is known and appends. What the clock brings about is the answer to a turn that came too late;
// before any other command it is appended as the clock's own, and the command decided on what follows.
func (g *Games) try(ctx context.Context, r *runningGame, actor, cmd string, c engine.Command) (Answer, error) {
	snap := r.now.Load()
	events, err := g.decide(ctx, g.asLeft(snap), c)
	if _, paying := c.(engine.Outage); err == nil && !paying && engine.ByClock(events) && !g.paidUp(r) {
		err = errNotOurs // what the players are owed comes first
	}
	if err != nil {
		return Answer{}, err
	}
	if engine.ByClock(events) && !answeredByClock(c) {
		if _, err := g.commit(ctx, r, snap, events, clockName, ""); err != nil {
			return Answer{}, err
		}
		return g.try(ctx, r, actor, cmd, c)
	}
	return g.commit(ctx, r, snap, events, actor, cmd)
}

// decide asks the engine what a command brings about now. Of a rewind the log gives the state that it goes back to.
func (g *Games) decide(ctx context.Context, snap *Snapshot, c engine.Command) (_ []engine.Event, err error) {
	if _, ok := c.(engine.Rewind); ok {
		if c, err = g.rewinding(ctx, snap.Ref.ID, c); err != nil {
			return nil, err
		}
	}
	return engine.Decide(&snap.State, c, snap.disturbed(), g.now())
}

func (g *Games) rewinding(ctx context.Context, game int64, c engine.Command) (_ engine.Command, err error) {
	rewind, ok := c.(engine.Rewind)
	if !ok {
		return c, nil
	}
	rewind.To, err = g.turnStart(ctx, game, rewind.Turn)
	return rewind, err
}

// commit appends what was decided on a snapshot, and shows the state that follows.
func (g *Games) commit(ctx context.Context, r *runningGame, snap *Snapshot, events []engine.Event, actor, cmd string) (Answer, error) {
	next := *snap
	for _, e := range events {
		next.State.Follow(e)
	}
	project, someOut := projection(next.Ref, &next.State, events)
	if byClock := engine.ByClock(events); g.nodes != nil && (byClock || actor == clockName) {
		var err error
		if project, err = g.fenced(next.Ref.ID, byClock, project); err != nil {
			return Answer{}, err
		}
	}
	began := g.DB.Millis()
	err := g.log.Append(ctx, next.Ref.ID, snap.State.Seq, &next.Head, events, actor, cmd, project)
	if g.wrote(began, err, false); err != nil {
		return Answer{}, err
	}
	step := g.show(r, &next)
	g.tell(&next, step)
	if g.DB.Millis()-began > engine.Millis(slowWrite.Milliseconds()) {
		if turn := next.State.Turn; turn.Number != snap.State.Turn.Number {
			began = min(began, turn.Started)
		}
		g.noteSlow(r, began)
	}
	return Answer{Outcome: events[0].Kind(), Seq: snap.State.Seq + 1, someOut: someOut != nil && *someOut}, nil
}

// show makes a committed state the one that everybody sees, with the draft as it is by now if its turn
// still runs.
func (g *Games) show(r *runningGame, snap *Snapshot) Step {
	var old *Snapshot
	for {
		old = r.now.Load()
		snap.Draft, snap.DraftNumber = old.Draft, old.DraftNumber
		if snap.Draft != nil && (snap.State.Phase != engine.PhasePlaying || snap.Draft.Turn != snap.State.Turn.Number) {
			snap.Draft = nil
		}
		snap.Stands = g.Unwritten()
		if r.now.CompareAndSwap(old, snap) {
			break
		}
	}
	if snap.Stands != g.Unwritten() {
		g.stand(r)
	}
	g.schedule(r, &snap.State)
	step := StepEvent
	switch was, is := old.State.Phase, snap.State.Phase; {
	case was == is:
	case was == engine.PhaseOver || is == engine.PhaseOver:
		step = StepPhase
	default:
		step = StepBegin
	}
	g.Moved(snap.Ref, step)
	return step
}

// answered finds the stored answer of a command's key. Without one it gives otherwise.
func (g *Games) answered(ctx context.Context, game int64, cmd string, otherwise error) (Answer, error) {
	if cmd == "" {
		return Answer{}, otherwise
	}
	seq, kind, stored, err := g.log.commandOf(ctx, game, cmd[:keyHashLen])
	switch {
	case err != nil:
		return Answer{}, err
	case seq == 0:
		return Answer{}, otherwise
	case stored != cmd:
		return Answer{}, refuse.Invalid("err_key_reused")
	}
	return Answer{Outcome: kind, Seq: seq, Again: true}, nil
}

// answerAgain answers somebody who is elsewhere by now. A command that the game has taken from them before has its answer, which was lost on
// its way: others see what was done, and the round may go on at once. Nothing new is taken: it is refused as otherwise says.
func (g *Games) answerAgain(ctx context.Context, r *runningGame, ref *Ref, actor rights.Actor, key string, c engine.Command, otherwise error) (Answer, error) {
	if actor.Role == rights.RolePlayer {
		c = seated(c, ref.SeatOf(actor))
	}
	cmd, err := commandID(actor, key, c)
	if err != nil {
		return Answer{}, otherwise
	}
	answer, err := g.answered(ctx, ref.ID, cmd, otherwise)
	if g.nodes != nil { // another one may have written it
		g.hear(r, Move{Game: ref.ID, Seq: answer.Seq})
		g.refresh(ctx, r)
	}
	answer.Snapshot = r.now.Load()
	return answer, err
}

// SeqOf is the seq of the first event that an actor's command with this key has brought about, 0 when the key is not in the log.
func (g *Games) SeqOf(ctx context.Context, actor rights.Actor, game int64, key string) (int, error) {
	cmd, err := commandID(actor, key, nil)
	if err != nil || cmd == "" {
		return 0, err
	}
	seq, _, _, err := g.log.commandOf(ctx, game, cmd[:keyHashLen])
	return seq, err
}
