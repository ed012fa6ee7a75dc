package game

import (
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
)

// toldOf returns the moves that a node announces to the others.
func toldOf(t *testing.T, g *Games, do func()) (all []Move) {
	t.Helper()
	g.Wrote = func(m Move) { all = append(all, m) }
	defer func() { g.Wrote = nil }()
	if do(); len(all) == 0 {
		t.Fatal("nothing was told of")
	}
	return all
}

// knownAt returns a node's cached game without refreshing it.
func knownAt(t *testing.T, g *Games, game int64) *runningGame {
	t.Helper()
	r, err := g.find(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readTo(t *testing.T, r *runningGame, seq int) {
	t.Helper()
	for range 500 {
		if r.now.Load().State.Seq >= seq {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the log is read to seq %d, want %d", r.now.Load().State.Seq, seq)
}

// TestClockByHint checks that the node that runs the clock uses the deadline of a hint, and reads the log when it has
// passed.
func TestClockByHint(t *testing.T) {
	owner, other, game, later := ownedAndNot(t)
	r := knownAt(t, owner, game)
	before := r.now.Load().State.Seq
	moves := toldOf(t, other, func() {
		for range 3 {
			if _, err := drawTurn(t, other, game, ""); err != nil {
				t.Fatal(err)
			}
		}
	})
	for _, i := range []int{1, 0, 1, 2, 2} { // out of order and repeated
		owner.Cluster.MovedElsewhere(moves[i])
	}
	if last := moves[2]; r.now.Load().State.Seq != before || r.clock.heard != last.Seq ||
		*last.Due != engine.Due(&look(t, other, game).State) {
		t.Errorf("the log is read to %d, was to %d; the clock is set by seq %d, want %d, due at %d",
			r.now.Load().State.Seq, before, r.clock.heard, last.Seq, *last.Due)
	}
	later(65 * time.Second)
	owner.expire(game)
	if n, now := count(t, owner, game, expired), look(t, owner, game).State; n != 1 || now.Seq <= moves[2].Seq {
		t.Errorf("%d turns have expired, at seq %d; want the fourth", n, now.Seq)
	}
}

var expired = engine.TurnExpired{}.Kind()

// TestHintsThatAreLostOrWrong checks that without a hint an outdated deadline ends no turn. A wrong deadline in a hint
// ends none either, and the clock follows the log again.
func TestHintsThatAreLostOrWrong(t *testing.T) {
	owner, other, game, later := ownedAndNot(t)
	r := knownAt(t, owner, game)
	later(50 * time.Second)
	moves := toldOf(t, other, func() {
		if _, err := drawTurn(t, other, game, ""); err != nil {
			t.Fatal(err)
		}
	})
	later(15 * time.Second)
	owner.expire(game)
	if n := count(t, owner, game, expired); n != 0 {
		t.Errorf("%d turns have expired whose hint was lost", n)
	}
	readTo(t, r, moves[0].Seq)
	wrong := moves[0]
	due := owner.DB.Millis()
	wrong.Seq, wrong.Due = wrong.Seq+7, &due
	owner.Cluster.MovedElsewhere(wrong)
	for range 500 {
		if !r.behind() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.clock.mu.Lock()
	defer r.clock.mu.Unlock()
	if r.behind() || r.clock.heard != 0 || r.clock.timer == nil || count(t, owner, game, expired) != 0 {
		t.Errorf("a wrong deadline: it is said to go on %t, the clock is set by seq %d, %d turns have expired",
			r.behind(), r.clock.heard, count(t, owner, game, expired))
	}
}

// TestReadWhereItIsWatched checks that games with viewers are read at once, several together, and that their viewers
// are woken afterwards. Other games are not read until they are needed.
func TestReadWhereItIsWatched(t *testing.T) {
	all, games, _ := hallOn(t, 2, 3)
	owner, other := all[0], all[1]
	lead(t, owner)
	begin(t, owner)
	var watched, woken atomic.Int64
	var moves []Move
	var known []*runningGame
	for _, game := range games {
		readyAll(t, owner, game)
		moves = append(moves, toldOf(t, owner, func() {
			look(t, other, game)
			if _, err := drawTurn(t, owner, game, ""); err != nil {
				t.Fatal(err)
			}
		})...)
		known = append(known, knownAt(t, other, game))
	}
	other.Watched = func(of Ref) bool { return of.ID == watched.Load() }
	other.Moved = func(of Ref, _ Step) {
		if r := knownAt(t, other, of.ID); of.ID == watched.Load() && r.behind() {
			t.Error("a watcher is woken before there is anything to see")
		}
		woken.Add(1)
	}
	watched.Store(games[0])
	for _, m := range moves {
		other.Cluster.MovedElsewhere(m)
	}
	readTo(t, known[0], moves[0].Seq)
	if known[1].now.Load().State.Seq >= moves[1].Seq || woken.Load() != 3 {
		t.Errorf("%d were woken of 3; what nobody watches is read to %d", woken.Load(), known[1].now.Load().State.Seq)
	}
	other.readTogether(t.Context(), known)
	for i, r := range known {
		if got, want := r.now.Load().State, look(t, owner, games[i]).State; got.Seq != want.Seq ||
			engine.Check(got) != nil {
			t.Errorf("game %d, read with others, is at seq %d, want %d", games[i], got.Seq, want.Seq)
		}
	}
	if woken.Load() != 5 {
		t.Errorf("%d were woken, want once for each move", woken.Load())
	}
}
