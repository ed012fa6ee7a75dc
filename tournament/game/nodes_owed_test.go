package game

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
)

var paused = engine.GamePaused{}.Kind()

// ownedAndNot returns two nodes with a game in its first turn, and which of them runs the clock.
func ownedAndNot(t *testing.T) (owner, other *Games, game int64, later func(time.Duration)) {
	t.Helper()
	all, game, ahead := playedAtFirst(t, 2)
	owner, other = all[0], all[1]
	lead(t, other)
	if !owner.Owns(game) || other.Owns(game) {
		t.Fatal("the first node does not keep the clock")
	}
	look(t, other, game)
	return owner, other, game, func(d time.Duration) { ahead.Add(d.Milliseconds()) }
}

// owedAt returns since when a node owes a game time.
func owedAt(t *testing.T, g *Games, game int64) engine.Millis {
	t.Helper()
	r, err := g.find(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return engine.Millis(r.owed.Load())
}

// TestLateCommandStopsNoClock checks that a client that sends a turn too late and disconnects stops no clock. That
// another node runs the clock is not a fault of the database.
func TestLateCommandStopsNoClock(t *testing.T) {
	owner, other, game, later := ownedAndNot(t)
	snap := look(t, other, game)
	later(65 * time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := other.Submit(ctx, seatActor(snap, snap.State.Turn.Seat), game, "too-late-key",
			engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number})
		answered <- err
	}()
	time.AfterFunc(100*time.Millisecond, cancel)
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("a command that nobody waits for: %v, want that it was given up", err)
	}
	if owed := owedAt(t, other, game); owed != 0 {
		t.Errorf("time is owed since %d for a command that came too late", owed)
	}
	owner.expire(game)
	other.expire(game) // as it would a second later
	if n := count(t, owner, game, paused); n != 0 {
		t.Errorf("the next player's clock was stopped %d times", n)
	}
}

// TestWhatWasPlayedElsewhereIsNotOwed checks that a node that was cut off from the database owes no time to a game that
// went on at other nodes.
func TestWhatWasPlayedElsewhereIsNotOwed(t *testing.T) {
	owner, other, game, later := ownedAndNot(t)
	r, err := other.find(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	r.owe(other.DB.Millis())
	r.mu.Unlock()
	later(20 * time.Second)
	if _, err := drawTurn(t, owner, game, ""); err != nil {
		t.Fatal(err)
	}
	later(10 * time.Second)
	other.expire(game)
	if n := count(t, owner, game, paused); n != 0 || owedAt(t, other, game) != 0 {
		t.Errorf("the clock of a turn that began meanwhile was stopped %d times", n)
	}
}

// TestGapIsPaidOnceItIsSure checks that a turn gets its time back if it ran out while the node that runs its clock was
// stopped, even though commands were waiting and the ownership of the clock was briefly uncertain.
func TestGapIsPaidOnceItIsSure(t *testing.T) {
	owner, _, game, later := ownedAndNot(t)
	snap := look(t, owner, game)
	owner.stalls.begins(owner.DB.Millis())
	later(65 * time.Second)
	owner.Cluster.mu.Lock()
	owner.Cluster.beaten = owner.Cluster.beaten.Add(-time.Hour)
	owner.Cluster.mu.Unlock()
	answered := make(chan error, 1)
	go func() {
		_, err := owner.Submit(t.Context(), seatActor(snap, snap.State.Turn.Seat), game, "waiting-key",
			engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number})
		answered <- err
	}()
	r, _ := owner.find(t.Context(), game)
	for i := 0; r.mu.TryLock() && i < 100; i++ { // wait until the command has begun
		r.mu.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	lead(t, owner)
	if err := <-answered; err == nil || errors.Is(err, errNotOurs) {
		t.Errorf("a command while the clock stands: %v, want a refusal", err)
	}
	now := look(t, owner, game).State
	if now.Turn.Number != snap.State.Turn.Number || now.Paused == nil || now.Paused.Left < 50_000 {
		t.Errorf("after a gap in which turn %d ran out it is turn %d, pause %+v; want that turn with what it had",
			snap.State.Turn.Number, now.Turn.Number, now.Paused)
	}
}

// TestGapThatIsNotNotedEndsNoTurn checks that a turn whose time ran out in a gap is not ended by a command that had
// checked for gaps just before.
func TestGapThatIsNotNotedEndsNoTurn(t *testing.T) {
	owner, _, game, later := ownedAndNot(t)
	r := knownAt(t, owner, game)
	r.mu.Lock()
	r.noteStall()
	owner.stalls.begins(owner.DB.Millis())
	later(65 * time.Second)
	_, err := r.try(t.Context(), clockActor.String(), "", engine.Expire{})
	r.mu.Unlock()
	if n := count(t, owner, game, expired); n != 0 || !errors.Is(err, errNotOurs) {
		t.Errorf("%d turns have expired, answer %v", n, err)
	}
	owner.expire(game)
	if n, now := count(t, owner, game, expired), look(t, owner, game).State; n != 0 || now.Paused == nil ||
		now.Paused.Left < 50_000 {
		t.Errorf("%d turns have expired, pause %+v; want that turn with what it had", n, now.Paused)
	}
}

// TestNodeSeesThatItCanBeWrittenAgain checks a node that briefly could not write and has received no commands since. It
// shows running clocks again once no write has failed for a while.
func TestNodeSeesThatItCanBeWrittenAgain(t *testing.T) {
	_, other, game, later := ownedAndNot(t)
	beat := func() { other.wrote(other.DB.Millis(), other.beat(t.Context(), other.DB.Millis()), true) }
	readOnly := func(yes bool) {
		if _, err := other.DB.WriteSQL.Exec(fmt.Sprintf("SET default_transaction_read_only = %t", yes)); err != nil {
			t.Fatal(err)
		}
	}
	readOnly(true)
	if _, err := drawTurn(t, other, game, ""); !IsStorage(err) {
		t.Fatalf("a turn that cannot be written: %v", err)
	}
	readOnly(false)
	beat()
	if snap := look(t, other, game); snap.Stands == 0 || snap.Shown().Paused == nil {
		t.Error("right after a refusal clocks run")
	}
	later(3 * time.Second)
	beat()
	if snap := look(t, other, game); snap.Stands != 0 || snap.Shown().Paused != nil {
		t.Errorf("nothing is refused any more, and clocks stand since %d", snap.Stands)
	}
}

// TestHintThatIsNotSo checks that a hint of a move that is not in the log is looked up only once, not with every later
// request.
func TestHintThatIsNotSo(t *testing.T) {
	_, other, game, _ := ownedAndNot(t)
	other.Cluster.MovedElsewhere(Move{Game: game, Seq: 1_000_000, Step: StepEvent})
	snap := look(t, other, game)
	r, err := other.find(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	if said := r.news.Load(); said != int64(snap.State.Seq) {
		t.Errorf("the log is said to be at %d, and is at %d", said, snap.State.Seq)
	}
}

// TestTableInOrderThatWasNotHeardOf checks that a player who has put the table in order pays no penalty when time runs
// out, even if only another node has seen it.
func TestTableInOrderThatWasNotHeardOf(t *testing.T) {
	owner, other, game, later := ownedAndNot(t)
	snap := look(t, other, game)
	me := seatActor(snap, snap.State.Turn.Seat)
	draft := func(table []tile.LaidFaces) {
		t.Helper()
		if _, err := other.SetDraft(t.Context(), me, game, snap.State.Turn.Number, table, Sender{}); err != nil {
			t.Fatal(err)
		}
	}
	owner.Cluster.follow(game)
	other.Drafted = func(of int64, d Draft) { owner.Cluster.DraftElsewhere(of, "other", d) }
	draft([]tile.LaidFaces{{Faces: tile.FacesOf(snap.State.Racks[me.Seat][:1])}})
	if !look(t, owner, game).disturbed() {
		t.Fatal("the owner has not heard of the draft")
	}
	other.Drafted = nil
	draft(nil)
	later(65 * time.Second)
	owner.expire(game)
	for _, e := range eventsOf(t, owner.Log, game) {
		if expired, is := e.(engine.TurnExpired); is {
			if expired.Disturbed {
				t.Error("the player pays for a table that was put in order")
			}
			return
		}
	}
	t.Error("no turn has expired")
}
