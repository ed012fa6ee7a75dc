package cluster

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
)

// TestLateCommandStopsNoClock checks that a client that sends a turn too late and disconnects stops no clock. That
// another node runs the clock is not a fault of the database.
func TestLateCommandStopsNoClock(t *testing.T) {
	owner, other, id, later := ownedAndNot(t)
	snap := look(t, other, id)
	later(65 * time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := other.games.Submit(ctx, gametest.Player(snap, snap.State.Turn.Seat), id, "too-late-key",
			engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number})
		answered <- err
	}()
	time.AfterFunc(100*time.Millisecond, cancel)
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("a command that nobody waits for: %v, want that it was given up", err)
	}
	if owed := owedAt(other, id); owed != 0 {
		t.Errorf("time is owed since %d for a command that came too late", owed)
	}
	if err := expire(t, owner, id); err != nil {
		t.Error(err)
	}
	time.Sleep(1200 * time.Millisecond) // a node that owed time would give it back after a second
	if n := count(t, owner, id, paused); n != 0 {
		t.Errorf("the next player's clock was stopped %d times", n)
	}
}

// TestWhatWasPlayedElsewhereIsNotOwed checks that a node that was cut off from the database owes no time to a game that
// went on at other nodes.
func TestWhatWasPlayedElsewhereIsNotOwed(t *testing.T) {
	owner, other, id, later := ownedAndNot(t)
	failToDraw(t, other, id)
	later(20 * time.Second)
	if _, err := drawTurn(t, owner, id, ""); err != nil {
		t.Fatal(err)
	}
	later(10 * time.Second)
	readOnly(t, other, false)
	if err := other.LookElsewhere(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := drawTurn(t, other, id, ""); err != nil {
		t.Fatal(err)
	}
	if n := count(t, owner, id, paused); n != 0 || owedAt(other, id) != 0 {
		t.Errorf("the clock of a turn that began meanwhile was stopped %d times, and time is owed since %d", n,
			owedAt(other, id))
	}
}

// TestGapIsPaidOnceItIsSure checks that a turn gets its time back if it ran out while the node that runs its clock was
// stopped, even though commands were waiting and the ownership of the clock was briefly uncertain.
func TestGapIsPaidOnceItIsSure(t *testing.T) {
	owner, _, id, later := ownedAndNot(t)
	snap := look(t, owner, id)
	unsure(owner)
	sleeps(t, owner)
	later(65 * time.Second)
	answered := make(chan error, 1)
	go func() {
		_, err := owner.games.Submit(t.Context(), gametest.Player(snap, snap.State.Turn.Seat), id, "waiting-key",
			engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number})
		answered <- err
	}()
	time.Sleep(200 * time.Millisecond) // the command has begun
	lead(t, owner)
	if err := <-answered; err == nil || errors.Is(err, game.ErrClockHeld) {
		t.Errorf("a command while the clock stands: %v, want a refusal", err)
	}
	now := look(t, owner, id).State
	if now.Turn.Number != snap.State.Turn.Number || now.Paused == nil || now.Paused.Left < 50_000 {
		t.Errorf("after a gap in which turn %d ran out it is turn %d, pause %+v; want that turn with what it had",
			snap.State.Turn.Number, now.Turn.Number, now.Paused)
	}
}

// sleeps makes a node notice that its machine has slept.
func sleeps(t *testing.T, c *Cluster) {
	t.Helper()
	var slept, asked atomic.Int64
	c.games.Slept = func() time.Duration {
		asked.Add(1)
		return time.Duration(slept.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	var pulse sync.WaitGroup
	pulse.Go(func() { c.games.Pulse(ctx) })
	waitFor(t, "the pulse has begun", func() bool { return asked.Load() > 0 })
	slept.Store(int64(time.Minute))
	waitFor(t, "the sleep is noticed", func() bool { return c.games.Gaps() == 1 })
	cancel()
	pulse.Wait()
}

// TestNodeSeesThatItCanBeWrittenAgain checks a node that briefly could not write and has received no commands since. It
// shows running clocks again once no write has failed for a while.
func TestNodeSeesThatItCanBeWrittenAgain(t *testing.T) {
	_, other, id, later := ownedAndNot(t)
	failToDraw(t, other, id)
	readOnly(t, other, false)
	if snap := look(t, other, id); snap.Stands == 0 || snap.Shown().Paused == nil {
		t.Error("right after a refusal clocks run")
	}
	later(3 * time.Second)
	go other.games.Heartbeat(t.Context())
	waitFor(t, "clocks run again", func() bool {
		snap := look(t, other, id)
		return snap.Stands == 0 && snap.Shown().Paused == nil
	})
}

// TestHintThatIsNotSo checks that a hint of a move that is not in the log is looked up only once, not with every later
// request.
func TestHintThatIsNotSo(t *testing.T) {
	_, other, id, _ := ownedAndNot(t)
	other.MovedElsewhere(Move{Game: id, Seq: 1_000_000, Step: game.StepEvent})
	if behind := other.games.Behind(); behind[id] != 1_000_000 {
		t.Errorf("after the hint not read are %v", behind)
	}
	look(t, other, id)
	if behind := other.games.Behind(); len(behind) != 0 {
		t.Errorf("after the game was read not read are %v", behind)
	}
}

// TestTableInOrderThatWasNotHeardOf checks that a player who has put the table in order pays no penalty when time runs
// out, even if only another node has seen it.
func TestTableInOrderThatWasNotHeardOf(t *testing.T) {
	owner, other, id, later := ownedAndNot(t)
	snap := look(t, other, id)
	me := gametest.Player(snap, snap.State.Turn.Seat)
	draft := func(table []tile.LaidFaces) {
		t.Helper()
		if _, err := other.games.SetDraft(t.Context(), me, id, snap.State.Turn.Number, table,
			game.Sender{}); err != nil {
			t.Fatal(err)
		}
	}
	owner.follow(id)
	other.SendDraft = func(of int64, d game.Draft) { owner.DraftElsewhere(of, "other", d) }
	draft([]tile.LaidFaces{{Faces: tile.FacesOf(snap.State.Racks[me.Seat][:1])}})
	if !look(t, owner, id).Disturbed() {
		t.Fatal("the owner has not heard of the draft")
	}
	other.SendDraft = nil
	draft(nil)
	later(65 * time.Second)
	if err := expire(t, owner, id); err != nil {
		t.Fatal(err)
	}
	tail, err := owner.games.Log.Tail(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tail {
		if expired, is := e.Event.(engine.TurnExpired); is {
			if expired.Disturbed {
				t.Error("the player pays for a table that was put in order")
			}
			return
		}
	}
	t.Error("no turn has expired")
}
