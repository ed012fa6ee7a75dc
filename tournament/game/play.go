package game

import (
	"context"
	"errors"
	"fmt"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// Submit applies an actor's command to a game. The client makes a key for each command (8 to 64 letters, digits, - and
// _), so that a command sent twice takes effect once; the clock and the tournament use an empty key. Submit returns
// after the durable commit. Errors are *engine.Refusal for violations of the rules and *refuse.Error for actions that
// the actor may not take.
func (g *Games) Submit(ctx context.Context, actor rights.Actor, game int64, key string,
	c engine.Command) (answer Answer, err error) {
	return g.SubmitSigned(ctx, actor, game, key, Signature{}, c)
}

// SubmitSigned is Submit with the signature of the actor's device. A signature that does not fit is dropped, and the
// command counts as unsigned: no player must lose a turn because of a lost key.
func (g *Games) SubmitSigned(ctx context.Context, actor rights.Actor, game int64, key string, signature Signature,
	c engine.Command) (answer Answer, err error) {
	r, err := g.cache.find(ctx, game)
	if err != nil {
		return Answer{}, err
	}
	snap, came := r.now.Load(), g.DB.Millis()
	ref := &snap.Ref
	for tries := 1; ; tries++ {
		full, cmd := c, ""
		if cmd, err = g.admit(ctx, actor, snap, key, &full); err != nil {
			if hasLeft(actor, ref) {
				return r.answerAgain(ctx, ref, actor, key, c, err)
			}
			return Answer{}, err
		}
		if r, err = g.cache.hold(ctx, r, game); err != nil {
			return Answer{}, err
		}
		answer, err = r.submit(ctx, &submission{actor.String(), cmd, actor.Key, actor.Seat, signature}, full)
		if !needsDeal(err) || answer.Snapshot.State.Seq == snap.State.Seq || tries == triesMost {
			break
		}
		snap = answer.Snapshot
	}
	if ofPlayer(c) {
		g.Notes.submission(ref, came, c, answer, err)
	}
	return answer, err
}

// needsDeal reports whether a command failed because its deal is missing or of an earlier state. The deal is made for
// the state in memory, before the game is locked, but the command is decided on the newest state.
func needsDeal(err error) bool {
	var refusal *engine.Refusal
	return errors.As(err, &refusal) && refusal.Code == engine.RefusedBadDeal
}

// admit checks whether the actor may give a command and whether it is well-formed. It adds the shuffle to a redeal and
// the state to a rewind. It returns the ID of the command in the log (see commandID).
func (g *Games) admit(ctx context.Context, actor rights.Actor, snap *Snapshot, key string,
	c *engine.Command) (cmd string, err error) {
	if err := authorizeCommand(actor, &snap.Ref, *c); err != nil {
		return "", err
	}
	if play, ok := (*c).(engine.Play); ok {
		if err := checkSize(play.Table); err != nil {
			return "", err
		}
	}
	if cmd, err = commandID(actor, key, *c); err != nil {
		return "", err
	}
	switch (*c).(type) {
	case engine.Rewind, engine.RuleIllegal:
		*c, err = g.Log.rewinding(ctx, snap.Ref.ID, *c)
	case engine.Redeal, engine.GrantRedeal:
		err = g.dealAgain(ctx, snap, c)
	}
	return cmd, err
}

// submit decides a command of a locked game and unlocks the game. It repeats the decision if the log has moved on, and
// waits while the clock is held. If the command fails for a reason that costs the players time, submit records that
// they are owed that time.
func (r *runningGame) submit(ctx context.Context, by *submission, c engine.Command) (answer Answer, err error) {
	defer r.release()
	began, waiting := r.games.DB.Millis(), time.Now()
	for tries, again := 1, true; again; {
		if err = r.settle(ctx); err != nil {
			break
		}
		answer, err = r.try(ctx, by, c)
		switch {
		case err == nil:
			again = false
		case errors.Is(err, ErrClockHeld):
			if again, err = r.awaitClock(ctx, waiting, err); again {
				err = r.catchUp(ctx)
				again = err == nil
			}
		default:
			answer, again, err = r.failed(ctx, by.cmd, err)
			if tries++; again && tries > triesMost {
				again, err = false, fmt.Errorf("game %d: %d conflicts in a row", r.now.Load().Ref.ID, triesMost)
			}
		}
	}
	if isOurFault(ctx, err) {
		r.owe(began)
		r.retry(time.Second)
	}
	answer.Snapshot = r.now.Load()
	return answer, err
}

// triesMost limits how often a command is decided again because another writer was faster.
const triesMost = 8

// settle updates a game whose log has moved on and gives back the time that is owed to its players. Nearly always there
// is nothing to do. The caller must hold r.mu.
func (r *runningGame) settle(ctx context.Context) error {
	if r.behind() {
		if err := r.catchUp(ctx); err != nil {
			return err
		}
	}
	r.noteStall()
	if err := r.noteTaken(ctx); err != nil {
		return err
	}
	return r.payBack(ctx)
}

// isOurFault reports whether a command failed for a reason for which players must get their time back. A held clock
// does not count, nor does a canceled request, whose reads are aborted.
func isOurFault(ctx context.Context, err error) bool {
	return IsStorage(err) && !errors.Is(err, ErrClockHeld) && !errors.Is(ctx.Err(), context.Canceled)
}

// failed returns the answer to a command that failed with err. again reports whether the command must be retried
// because the log has moved on. The caller must hold r.mu.
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

// catchUp updates a game from its log after another writer's events. The caller must hold r.mu.
func (r *runningGame) catchUp(ctx context.Context) error {
	said, snap := r.news.Load(), r.now.Load()
	tail, err := r.games.Log.Tail(ctx, snap.Ref.ID, snap.State.Seq)
	if err != nil {
		return err
	}
	return r.follows(ctx, tail, said)
}

// follows applies the tail of a game's log and shows the resulting state. said is the seq that hints had announced. The
// caller must hold r.mu.
func (r *runningGame) follows(ctx context.Context, tail []Entry, said int64) (err error) {
	snap := *r.now.Load()
	seq, begins := snap.State.Seq, snap.State.Phase == engine.PhaseNew
	if snap.State, err = replay(snap.Ref.ID, snap.State, tail); err != nil {
		return err
	}
	snap.Head = headOf(tail, snap.Head)
	snap.sign(tail)
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

// try decides a command on the cached state and appends the events. If the time has run out, the clock's events are the
// answer to a player's late command. Before any other command, they are first appended as the clock's own; the command
// is then decided on the resulting state.
func (r *runningGame) try(ctx context.Context, by *submission, c engine.Command) (Answer, error) {
	snap := r.now.Load()
	events, err := engine.Decide(&snap.State, c, r.disturbed(snap), r.games.now())
	if _, paying := c.(engine.Outage); err == nil && !paying && engine.ByClock(events) && !r.paidUp() {
		err = ErrClockHeld // time owed to the players comes first
	}
	if err != nil {
		return Answer{}, err
	}
	if engine.ByClock(events) && !answeredByClock(c) {
		if _, err := r.commit(ctx, snap, events, By{Actor: clockName}); err != nil {
			return Answer{}, err
		}
		return r.try(ctx, by, c)
	}
	signed, err := r.signedBy(ctx, snap, events[0], by)
	if err != nil {
		return Answer{}, err
	}
	return r.commit(ctx, snap, events, By{by.actor, by.cmd, signed})
}

// commit appends events that were decided on a snapshot and shows the state that follows.
func (r *runningGame) commit(ctx context.Context, snap *Snapshot, events []engine.Event,
	by By) (Answer, error) {
	next := *snap
	for _, e := range events {
		next.State.Follow(e)
	}
	project, someOut := projection(next.Ref, &next.State, events)
	if byClock := engine.ByClock(events); byClock || by.Actor == clockName {
		var err error
		if project, err = r.games.Owner.Fence(next.Ref.ID, byClock, project); err != nil {
			return Answer{}, err
		}
	}
	next.note(by.Signed, events[0], snap.State.Turn.Number)
	began := r.games.DB.Millis()
	err := r.games.Log.Append(ctx, next.Ref.ID, snap.State.Seq, &next.Head, events, by, project)
	if r.games.wrote(began, err, false); err != nil {
		return Answer{}, err
	}
	step := r.show(&next)
	r.tell(&next, step)
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

// answerAgain returns the answer to a command from an actor who has moved to another table. If the game had accepted
// the command before, the actor gets the answer that was lost: others have seen the effect, and the round may have gone
// on at once. A new command is rejected with otherwise.
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

// IsStorage reports whether err is a database error, such as a full, failing, locked or slow database. The command was
// not written, or its outcome is unknown; the client may send it again with the same key.
func IsStorage(err error) bool {
	return store.IsFailing(err) || errors.Is(err, ErrLogClosed) || errors.Is(err, ErrClockHeld)
}
