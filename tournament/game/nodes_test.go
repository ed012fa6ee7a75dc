package game

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// nodesOn returns n nodes that run the games of one database, with one table dealt and ready. The test advances their
// clock.
func nodesOn(t *testing.T, n int) (all []*Games, game int64, ahead *atomic.Int64) {
	all, games, ahead := hallOn(t, n, 1)
	return all, games[0], ahead
}

// hallOn is nodesOn with the given number of tables.
func hallOn(t *testing.T, n, tables int) (all []*Games, games []int64, ahead *atomic.Int64) {
	address := storetest.Server(t, storetest.Fresh)
	ahead = &atomic.Int64{}
	for i := range n {
		s, err := store.OpenNode(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		if i == 0 {
			games = storetest.Hall(t, s, tables, 1)
		}
		now := s.Now
		s.Now = func() time.Time { return now().Add(time.Duration(ahead.Load()) * time.Millisecond) }
		if err := s.Join(t.Context(), "test", ""); err != nil {
			t.Fatal(err)
		}
		all = append(all, runner(t, s))
	}
	return all, games, ahead
}

func lead(t *testing.T, g *Games) {
	t.Helper()
	if err := g.Cluster.lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.Cluster.bringing.Wait()
}

// playedAtFirst returns n nodes; the first runs all clocks. The game has begun.
func playedAtFirst(t *testing.T, n int) (all []*Games, game int64, ahead *atomic.Int64) {
	t.Helper()
	all, game, ahead = nodesOn(t, n)
	lead(t, all[0])
	begin(t, all[0])
	readyAll(t, all[0], game)
	return all, game, ahead
}

// TestAnyNodeDecides checks that any node accepts a command, even if another node has written to the log since. A
// refusal is based on the newest state. The same command at two nodes takes effect once.
func TestAnyNodeDecides(t *testing.T) {
	all, game, _ := nodesOn(t, 3)
	for _, g := range all {
		lead(t, g)
		if writers := g.Log.writers.Load(); writers != 3 {
			t.Errorf("a log counts %d writers, of three", writers)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	any := func() *Games { return all[rng.IntN(len(all))] }
	begin(t, any())
	readyAll(t, all[0], game)
	for turn := 0; turn < 45; turn++ {
		at := any()
		at.Cluster.follow(game) // the others lag behind
		snap := look(t, at, game)
		me, c := seatActor(snap, snap.State.Turn.Seat), engine.Draw{Seat: snap.State.Turn.Seat,
			Turn: snap.State.Turn.Number}
		key := "the-same-key-" + string(rune('a'+turn%26)) + string(rune('a'+turn/26))
		answers := make(chan error, len(all))
		var happened atomic.Int64
		for _, g := range all {
			go func() {
				answer, err := g.Submit(t.Context(), me, game, key, c)
				if err == nil && !answer.Again {
					happened.Add(1)
				}
				answers <- err
			}()
		}
		for range all {
			if err := <-answers; err != nil {
				t.Fatalf("turn %d: %v", turn, err)
			}
		}
		if n := happened.Load(); n != 1 {
			t.Fatalf("turn %d: it happened %d times", turn, n)
		}
	}
	want := look(t, all[0], game).State.Seq
	for _, g := range all {
		if err := g.Cluster.LookElsewhere(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := 0; look(t, g, game).State.Seq < want; i++ {
			if time.Sleep(10 * time.Millisecond); i == 100 {
				t.Fatalf("a node that has looked shows seq %d, want %d", look(t, g, game).State.Seq, want)
			}
		}
	}
}

// kept returns the node that runs a game's clock, and another one.
func kept(t *testing.T, all []*Games, game int64) (owner, other *Games) {
	t.Helper()
	for _, g := range all {
		if g.Owns(game) {
			if owner != nil {
				t.Fatal("two nodes keep the clock of a game")
			}
			owner = g
		} else {
			other = g
		}
	}
	if owner == nil || other == nil {
		t.Fatal("nobody keeps the clock of a game, or all do")
	}
	return owner, other
}

func count(t *testing.T, g *Games, game int64, kind string) (n int) {
	t.Helper()
	for _, e := range eventsOf(t, g.Log, game) {
		if e.Kind() == kind {
			n++
		}
	}
	return n
}

// TestTimeRunsOutAtOneNode checks that time runs out only at the node with the lease. Another node waits for it, and a
// node whose lease was taken over writes nothing.
func TestTimeRunsOutAtOneNode(t *testing.T) {
	all, game, ahead := nodesOn(t, 2)
	for _, g := range all {
		lead(t, g)
	}
	lead(t, all[0]) // gives up the leases beyond its share
	lead(t, all[1])
	owner, other := kept(t, all, game)
	begin(t, other)
	readyAll(t, other, game)
	owner.Cluster.follow(game)
	snap := look(t, other, game)
	ahead.Store(65_000)
	answered := make(chan error, 1)
	go func() {
		_, err := other.Submit(t.Context(), seatActor(snap, snap.State.Turn.Seat), game, "too-late-key",
			engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number})
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Fatalf("a turn came too late to a node that does not keep the clock: %v, want that it waits", err)
	case <-time.After(300 * time.Millisecond):
	}
	owner.expire(game)
	var refusal *engine.Refusal
	if err := <-answered; !errors.As(err, &refusal) {
		t.Errorf("a turn that came too late: %v, want a refusal", err)
	}
	if n := count(t, owner, game, (engine.TurnExpired{}).Kind()); n != 1 {
		t.Errorf("%d turns have expired, want 1", n)
	}
	ahead.Store(130_000)
	if _, err := owner.DB.WriteSQL.Exec(`UPDATE leases SET node = 'somebody', fence = fence + 1 WHERE shard = $1`,
		shardOf(game)); err != nil {
		t.Fatal(err)
	}
	go owner.expire(game) // waits for the present holder of the lease
	time.Sleep(300 * time.Millisecond)
	if n := count(t, owner, game, (engine.TurnExpired{}).Kind()); n != 1 || owner.Owns(game) {
		t.Errorf("without the lease: %d turns have expired, want 1; it takes it to have the lease: %t", n,
			owner.Owns(game))
	}
}

// TestClocksAreTakenOver checks that other nodes take over the clocks of a node that died and that no player loses a
// second. Handing clocks over costs no time either.
func TestClocksAreTakenOver(t *testing.T) {
	all, game, _ := nodesOn(t, 2)
	dead, other := all[0], all[1]
	lead(t, dead)
	begin(t, dead)
	readyAll(t, dead, game)
	lead(t, other)
	if !dead.Owns(game) || other.Owns(game) {
		t.Fatal("a node has taken the clock of another one that lives")
	}
	before := look(t, dead, game).State
	time.Sleep(1500 * time.Millisecond)
	if _, err := other.DB.WriteSQL.Exec(`UPDATE nodes SET at = at - 3500 WHERE name = $1`, dead.DB.Node()); err != nil {
		t.Fatal(err)
	}
	lead(t, other)
	now := look(t, other, game).State
	if !other.Owns(game) || now.Turn.Number != before.Turn.Number || now.Paused == nil ||
		now.Paused.Why != engine.PausedByOutage {
		t.Fatalf("a game that was taken over: owned %t, turn %d of %d, pause %+v", other.Owns(game), now.Turn.Number,
			before.Turn.Number, now.Paused)
	}
	if whole := before.Turn.Due - before.Turn.Started; now.Paused.Left < whole-1000 {
		t.Errorf("of %d ms the player has %d ms left", whole, now.Paused.Left)
	}
	seq := now.Seq
	if err := other.Cluster.HandOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	lead(t, dead) // it was alive after all
	if now := look(t, dead, game).State; !dead.Owns(game) || now.Seq != seq {
		t.Errorf("after it was handed over: owned %t, seq %d, want %d", dead.Owns(game), now.Seq, seq)
	}
}

// TestDraftsAreOfAllNodes checks that a draft sent to one node counts at the others: the node that runs the clock can
// tell whether the table was disturbed.
func TestDraftsAreOfAllNodes(t *testing.T) {
	all, game, _ := nodesOn(t, 2)
	a, b := all[0], all[1]
	lead(t, a)
	begin(t, a)
	readyAll(t, a, game)
	snap := look(t, b, game)
	var said []Draft
	b.Drafted = func(_ int64, d Draft) { said = append(said, d) }
	me := seatActor(snap, snap.State.Turn.Seat)
	rack := snap.State.Racks[me.Seat]
	if _, err := b.SetDraft(t.Context(), me, game, snap.State.Turn.Number,
		[]tile.LaidFaces{{Faces: tile.FacesOf(rack[:1])}}, Sender{}); err != nil {
		t.Fatal(err)
	}
	if len(said) != 1 {
		t.Fatalf("%d drafts were told of, want 1", len(said))
	}
	if _, err := b.SetDraft(t.Context(), me, game, snap.State.Turn.Number,
		[]tile.LaidFaces{{Faces: tile.FacesOf(rack[:2])}}, Sender{}); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, 0, 1} { // out of order and repeated
		a.Cluster.DraftElsewhere(game, "b", said[i])
	}
	if got := look(t, a, game); got.Draft == nil || !got.disturbed() || len(got.Draft.Table[0].Faces) != 2 ||
		got.DraftNumber != 2 {
		t.Errorf("at the other node the draft is %+v, the %dth", got.Draft, got.DraftNumber)
	}
}

// TestToldWhileTheGameIsHeld checks that a hint from another node that arrives while a command holds the game is shown
// as soon as the command is done: the viewers are woken again.
func TestToldWhileTheGameIsHeld(t *testing.T) {
	all, game, _ := nodesOn(t, 2)
	a, b := all[0], all[1]
	lead(t, a)
	begin(t, a)
	readyAll(t, a, game)
	before := look(t, b, game).State
	var woken atomic.Int64
	b.Moved = func(Ref, Step) { woken.Add(1) }
	r, err := b.hold(t.Context(), b.known[game], game)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Submit(t.Context(), seatActor(look(t, a, game), before.Turn.Seat), game, "while-it-is-held",
		engine.Draw{Seat: before.Turn.Seat, Turn: before.Turn.Number}); err != nil {
		t.Fatal(err)
	}
	b.Cluster.MovedElsewhere(Move{Game: game, Seq: look(t, a, game).State.Seq, Step: StepEvent})
	if look(t, b, game).State.Seq != before.Seq {
		t.Fatal("it is read although it is held")
	}
	told := woken.Load()
	r.release()
	if woken.Load() == told {
		t.Error("nobody is woken once it can be read")
	}
	if got := look(t, b, game).State.Seq; got <= before.Seq {
		t.Errorf("it shows seq %d, as before", got)
	}
}
