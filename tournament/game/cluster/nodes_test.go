package cluster

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/rights"
)

// TestAnyNodeDecides checks that any node accepts a command, even if another node has written to the log since. A
// refusal is based on the newest state. The same command at two nodes takes effect once.
func TestAnyNodeDecides(t *testing.T) {
	all, id, _ := nodesOn(t, 3)
	for _, g := range all {
		lead(t, g)
		if there := g.Nodes(); len(there) != 3 {
			t.Errorf("a node sees %v, of three", there)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	any := func() *Cluster { return all[rng.IntN(len(all))] }
	begin(t, any())
	gametest.ReadyAll(t, all[0].games, id)
	for turn := 0; turn < 45; turn++ {
		at := any()
		at.follow(id) // the others lag behind
		snap := look(t, at, id)
		me, c := gametest.Player(snap, snap.State.Turn.Seat), engine.Draw{Seat: snap.State.Turn.Seat,
			Turn: snap.State.Turn.Number}
		key := "the-same-key-" + string(rune('a'+turn%26)) + string(rune('a'+turn/26))
		answers := make(chan error, len(all))
		var happened atomic.Int64
		for _, g := range all {
			go func() {
				answer, err := g.games.Submit(t.Context(), me, id, key, c)
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
	want := look(t, all[0], id).State.Seq
	for _, g := range all {
		if err := g.LookElsewhere(t.Context()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "a node that has looked shows the newest event",
			func() bool { return look(t, g, id).State.Seq >= want })
	}
}

// kept returns the node that runs a game's clock, and another one.
func kept(t *testing.T, all []*Cluster, id int64) (owner, other *Cluster) {
	t.Helper()
	for _, g := range all {
		if g.Owns(id) {
			if owner != nil {
				t.Fatal("two nodes keep the clock of a game")
			}
			owner = g
		} else {
			other = g
		}
	}
	if owner == nil || other == nil {
		t.Fatal("nobody keeps the clock of a id, or all do")
	}
	return owner, other
}

// TestDealsAgainOnTheNewestState checks that a node deals again even if it has not heard of the deal before.
func TestDealsAgainOnTheNewestState(t *testing.T) {
	all, id, _ := nodesOn(t, 2)
	look(t, all[1], id)
	lead(t, all[0])
	begin(t, all[0])
	grant := engine.GrantRedeal{Grounds: engine.Grounds{Reason: "seen"}, Seat: 1}
	for i, at := range []*Cluster{all[1], all[0], all[1]} {
		answer, err := at.games.Submit(t.Context(), rights.Staff(rights.RoleReferee, "Ann"), id, "", grant)
		if err != nil {
			t.Fatalf("grant %d: %v", i+1, err)
		}
		if got := answer.Snapshot.State.Deal; got != i+2 {
			t.Fatalf("grant %d: deal %d, want %d", i+1, got, i+2)
		}
	}
}

// TestTimeRunsOutAtOneNode checks that time runs out only at the node with the lease. Another node waits for it, and a
// node whose lease was taken over writes nothing.
func TestTimeRunsOutAtOneNode(t *testing.T) {
	all, id, ahead := nodesOn(t, 2)
	for _, g := range all {
		lead(t, g)
	}
	lead(t, all[0]) // gives up the leases beyond its share
	lead(t, all[1])
	owner, other := kept(t, all, id)
	begin(t, other)
	gametest.ReadyAll(t, other.games, id)
	owner.follow(id)
	snap := look(t, other, id)
	ahead.Store(65_000)
	answered := make(chan error, 1)
	go func() {
		_, err := other.games.Submit(t.Context(), gametest.Player(snap, snap.State.Turn.Seat), id, "too-late-key",
			engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number})
		answered <- err
	}()
	select {
	case err := <-answered:
		t.Fatalf("a turn came too late to a node that does not keep the clock: %v, want that it waits", err)
	case <-time.After(300 * time.Millisecond):
	}
	if err := expire(t, owner, id); err != nil {
		t.Fatal(err)
	}
	var refusal *engine.Refusal
	if err := <-answered; !errors.As(err, &refusal) {
		t.Errorf("a turn that came too late: %v, want a refusal", err)
	}
	if n := count(t, owner, id, (engine.TurnExpired{}).Kind()); n != 1 {
		t.Errorf("%d turns have expired, want 1", n)
	}
	ahead.Store(130_000)
	if _, err := owner.games.DB.WriteSQL.Exec(`UPDATE leases SET node = 'somebody', fence = fence + 1 WHERE shard = $1`,
		shardOf(id)); err != nil {
		t.Fatal(err)
	}
	go func() { _ = expire(t, owner, id) }() // waits for the present holder of the lease
	waitFor(t, "the owner notices that it has lost the lease", func() bool { return !owner.Owns(id) })
	if n := count(t, owner, id, (engine.TurnExpired{}).Kind()); n != 1 {
		t.Errorf("without the lease: %d turns have expired, want 1", n)
	}
}

// TestClocksAreTakenOver checks that other nodes take over the clocks of a node that died and that no player loses a
// second. Handing clocks over costs no time either.
func TestClocksAreTakenOver(t *testing.T) {
	all, id, _ := nodesOn(t, 2)
	dead, other := all[0], all[1]
	lead(t, dead)
	begin(t, dead)
	gametest.ReadyAll(t, dead.games, id)
	lead(t, other)
	if !dead.Owns(id) || other.Owns(id) {
		t.Fatal("a node has taken the clock of another one that lives")
	}
	before := look(t, dead, id).State
	time.Sleep(1500 * time.Millisecond)
	if _, err := other.games.DB.WriteSQL.Exec(`UPDATE nodes SET at = at - 3500 WHERE name = $1`,
		dead.games.DB.Nodes.Name()); err != nil {
		t.Fatal(err)
	}
	lead(t, other)
	now := look(t, other, id).State
	if !other.Owns(id) || now.Turn.Number != before.Turn.Number || now.Paused == nil ||
		now.Paused.Why != engine.PausedByOutage {
		t.Fatalf("a game that was taken over: owned %t, turn %d of %d, pause %+v", other.Owns(id), now.Turn.Number,
			before.Turn.Number, now.Paused)
	}
	if whole := before.Turn.Due - before.Turn.Started; now.Paused.Left < whole-1000 {
		t.Errorf("of %d ms the player has %d ms left", whole, now.Paused.Left)
	}
	seq := now.Seq
	if err := other.HandOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	lead(t, dead) // it was alive after all
	if now := look(t, dead, id).State; !dead.Owns(id) || now.Seq != seq {
		t.Errorf("after it was handed over: owned %t, seq %d, want %d", dead.Owns(id), now.Seq, seq)
	}
}

// TestDraftsAreOfAllNodes checks that a draft sent to one node counts at the others: the node that runs the clock can
// tell whether the table was disturbed.
func TestDraftsAreOfAllNodes(t *testing.T) {
	all, id, _ := nodesOn(t, 2)
	a, b := all[0], all[1]
	lead(t, a)
	begin(t, a)
	gametest.ReadyAll(t, a.games, id)
	snap := look(t, b, id)
	var said []game.Draft
	b.SendDraft = func(_ int64, d game.Draft) { said = append(said, d) }
	me := gametest.Player(snap, snap.State.Turn.Seat)
	rack := snap.State.Racks[me.Seat]
	if _, err := b.games.SetDraft(t.Context(), me, id, snap.State.Turn.Number,
		[]tile.LaidFaces{{Faces: tile.FacesOf(rack[:1])}}, game.Sender{}); err != nil {
		t.Fatal(err)
	}
	if len(said) != 1 {
		t.Fatalf("%d drafts were told of, want 1", len(said))
	}
	if _, err := b.games.SetDraft(t.Context(), me, id, snap.State.Turn.Number,
		[]tile.LaidFaces{{Faces: tile.FacesOf(rack[:2])}}, game.Sender{}); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, 0, 1} { // out of order and repeated
		a.DraftElsewhere(id, "b", said[i])
	}
	if got := look(t, a, id); got.Draft == nil || !got.Disturbed() || len(got.Draft.Table[0].Faces) != 2 ||
		got.DraftNumber != 2 {
		t.Errorf("at the other node the draft is %+v, the %dth", got.Draft, got.DraftNumber)
	}
}

// TestToldWhileTheGameIsHeld checks that a hint from another node that arrives while a command holds the game is shown
// as soon as the command is done: the viewers are woken again.
func TestToldWhileTheGameIsHeld(t *testing.T) {
	all, id, _ := playedAtFirst(t, 2)
	a, b := all[0], all[1]
	look(t, b, id)
	woken, seq := 0, 0
	b.games.Moved = func(game.Ref, game.Step) { // called while the command still holds the game
		if woken++; woken > 1 {
			return
		}
		if _, err := drawTurn(t, a, id, ""); err == nil {
			t.Error("a node that has not looked draws for a seat whose turn is over")
		}
		if _, err := drawTurn(t, a, id, ""); err != nil {
			t.Error(err)
		}
		seq = look(t, a, id).State.Seq
		b.MovedElsewhere(Move{Game: id, Seq: seq, Step: game.StepEvent})
		if look(t, b, id).State.Seq >= seq {
			t.Error("it is read although it is held")
		}
	}
	if _, err := drawTurn(t, b, id, ""); err != nil {
		t.Fatal(err)
	}
	if woken != 3 { // by its own move, by the hint, and once the game can be read
		t.Errorf("the viewers are woken %d times, want 3", woken)
	}
	if got := look(t, b, id).State.Seq; got != seq {
		t.Errorf("it shows seq %d, want %d", got, seq)
	}
}
