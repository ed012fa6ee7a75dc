package cluster

import (
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
)

// sentBy returns the moves that a node announces to the others.
func sentBy(t *testing.T, c *Cluster, do func()) (all []Move) {
	t.Helper()
	c.SendMove = func(m Move) { all = append(all, m) }
	defer func() { c.SendMove = nil }()
	if do(); len(all) == 0 {
		t.Fatal("nothing was announced")
	}
	return all
}

// readTo waits until a node has read a game's log to seq without a viewer's asking.
func readTo(t *testing.T, c *Cluster, id int64, seq int) {
	t.Helper()
	waitFor(t, "the log is read", func() bool {
		snap, _, _ := c.games.Hear(id, 0, nil)
		return snap != nil && snap.State.Seq >= seq
	})
}

// TestClockByHint checks that the node that runs the clock uses the deadline of a hint, and reads the log when it has
// passed.
func TestClockByHint(t *testing.T) {
	owner, other, id, later := ownedAndNot(t)
	later(10 * time.Second)
	moves := sentBy(t, other, func() {
		for range 3 {
			if _, err := drawTurn(t, other, id, ""); err != nil {
				t.Fatal(err)
			}
		}
	})
	later(59 * time.Second)               // the first turn would have run out meanwhile
	for _, i := range []int{1, 0, 1, 2} { // out of order
		owner.MovedElsewhere(moves[i])
	}
	last := moves[2]
	if behind := owner.games.Behind(); behind[id] != last.Seq {
		t.Errorf("the log is said to be at %d, want %d, which is not read", behind[id], last.Seq)
	}
	if due := engine.Due(&look(t, other, id).State); *last.Due != due {
		t.Errorf("the hint names %d as the deadline, want %d", *last.Due, due)
	}
	owner.MovedElsewhere(last)
	go owner.games.Heartbeat(t.Context())
	waitFor(t, "the fourth turn runs out", func() bool { return count(t, owner, id, expired) == 1 })
	if behind := owner.games.Behind(); len(behind) != 0 {
		t.Errorf("the log is not read afterwards: %v", behind)
	}
	if now := look(t, owner, id).State; now.Seq <= last.Seq {
		t.Errorf("it is at seq %d, want after %d", now.Seq, last.Seq)
	}
}

// TestHintsThatAreLostOrWrong checks that without a hint an outdated deadline ends no turn. A wrong deadline in a hint
// ends none either, and the clock follows the log again.
func TestHintsThatAreLostOrWrong(t *testing.T) {
	owner, other, id, later := ownedAndNot(t)
	later(50 * time.Second)
	moves := sentBy(t, other, func() {
		if _, err := drawTurn(t, other, id, ""); err != nil {
			t.Fatal(err)
		}
	})
	later(15 * time.Second)
	if err := expire(t, owner, id); err == nil || count(t, owner, id, expired) != 0 {
		t.Errorf("%d turns have expired whose hint was lost, %v", count(t, owner, id, expired), err)
	}
	readTo(t, owner, id, moves[0].Seq)
	wrong := moves[0]
	due := owner.games.DB.Millis()
	wrong.Seq, wrong.Due = wrong.Seq+7, &due
	owner.MovedElsewhere(wrong)
	waitFor(t, "the log is read", func() bool { return len(owner.games.Behind()) == 0 })
	if n := count(t, owner, id, expired); n != 0 {
		t.Errorf("%d turns have expired by a wrong deadline", n)
	}
	later(44 * time.Second) // the timer of the turn is set by the log: this time it is the hint that is right
	moves = sentBy(t, other, func() {
		if _, err := drawTurn(t, other, id, ""); err != nil {
			t.Fatal(err)
		}
	})
	later(59 * time.Second)
	owner.MovedElsewhere(moves[0])
	go owner.games.Heartbeat(t.Context())
	waitFor(t, "the next turn runs out", func() bool { return count(t, owner, id, expired) == 1 })
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
	for _, id := range games {
		gametest.ReadyAll(t, owner.games, id)
		moves = append(moves, sentBy(t, owner, func() {
			look(t, other, id)
			if _, err := drawTurn(t, owner, id, ""); err != nil {
				t.Fatal(err)
			}
		})...)
	}
	other.Watched = func(of game.Ref) bool { return of.ID == watched.Load() }
	other.games.Moved = func(of game.Ref, _ game.Step) {
		if _, behind := other.games.Behind()[of.ID]; of.ID == watched.Load() && behind {
			t.Error("a watcher is woken before there is anything to see")
		}
		woken.Add(1)
	}
	watched.Store(games[0])
	for _, m := range moves {
		other.MovedElsewhere(m)
	}
	readTo(t, other, games[0], moves[0].Seq)
	if behind := other.games.Behind(); len(behind) != 2 || behind[games[1]] != moves[1].Seq || woken.Load() != 3 {
		t.Errorf("%d were woken of 3; not read are %v", woken.Load(), behind)
	}
	other.games.CatchUp(t.Context(), games)
	if behind := other.games.Behind(); len(behind) != 0 {
		t.Errorf("not read are %v", behind)
	}
	for _, id := range games {
		if got, want := look(t, other, id).State, look(t, owner, id).State; got.Seq != want.Seq ||
			engine.Check(got) != nil {
			t.Errorf("game %d, read with others, is at seq %d, want %d", id, got.Seq, want.Seq)
		}
	}
	if woken.Load() != 5 {
		t.Errorf("%d were woken, want once for each move", woken.Load())
	}
}
