package cluster

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// nodesOn returns n nodes that run the games of one database, with one table dealt and ready. The test advances their
// clock.
func nodesOn(t *testing.T, n int) (all []*Cluster, id int64, ahead *atomic.Int64) {
	all, games, ahead := hallOn(t, n, 1)
	return all, games[0], ahead
}

// hallOn is nodesOn with the given number of tables.
func hallOn(t *testing.T, n, tables int) (all []*Cluster, games []int64, ahead *atomic.Int64) {
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
		if err := s.Nodes.Join(t.Context(), "test", ""); err != nil {
			t.Fatal(err)
		}
		log := game.OpenLog(s)
		g := game.New(s, log)
		t.Cleanup(func() {
			g.Close()
			log.Close()
		})
		all = append(all, New(g))
	}
	return all, games, ahead
}

// lead sends a node's heartbeat and waits until the games that it has taken over are restored.
func lead(t *testing.T, c *Cluster) {
	t.Helper()
	if err := c.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.bringing.Wait()
}

// playedAtFirst returns n nodes; the first runs all clocks. The game has begun.
func playedAtFirst(t *testing.T, n int) (all []*Cluster, id int64, ahead *atomic.Int64) {
	t.Helper()
	all, id, ahead = nodesOn(t, n)
	lead(t, all[0])
	begin(t, all[0])
	gametest.ReadyAll(t, all[0].games, id)
	return all, id, ahead
}

// ownedAndNot returns two nodes with a game in its first turn, and which of them runs the clock.
func ownedAndNot(t *testing.T) (owner, other *Cluster, id int64, later func(time.Duration)) {
	t.Helper()
	all, id, ahead := playedAtFirst(t, 2)
	owner, other = all[0], all[1]
	lead(t, other)
	if !owner.Owns(id) || other.Owns(id) {
		t.Fatal("the first node does not keep the clock")
	}
	look(t, other, id)
	return owner, other, id, func(d time.Duration) { ahead.Add(d.Milliseconds()) }
}

func begin(t *testing.T, c *Cluster) {
	t.Helper()
	if err := c.games.StartWaiting(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, c *Cluster, id int64) *game.Snapshot {
	t.Helper()
	return gametest.Look(t, c.games, id)
}

// drawTurn draws for the seat whose turn it is.
func drawTurn(t *testing.T, c *Cluster, id int64, key string) (game.Answer, error) {
	t.Helper()
	snap := look(t, c, id)
	turn := snap.State.Turn
	return c.games.Submit(t.Context(), gametest.Player(snap, turn.Seat), id, key,
		engine.Draw{Seat: turn.Seat, Turn: turn.Number})
}

// expire lets the time of a game run out at a node, as its timer does.
func expire(t *testing.T, c *Cluster, id int64) error {
	_, err := c.games.Submit(t.Context(), rights.Actor{Role: rights.RoleProgram, Name: "clock", Seat: -1}, id, "",
		engine.Expire{})
	return err
}

// count counts the events of a kind in a game's log.
func count(t *testing.T, c *Cluster, id int64, kind string) (n int) {
	t.Helper()
	tail, err := c.games.Log.Tail(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tail {
		if e.Event.Kind() == kind {
			n++
		}
	}
	return n
}

var paused, expired = engine.GamePaused{}.Kind(), engine.TurnExpired{}.Kind()

// waitFor waits up to five seconds for a condition.
func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 500 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain: %s", what)
}

// readOnly makes all writes of a node's games fail, or no longer. Its heartbeat is not affected.
func readOnly(t *testing.T, c *Cluster, yes bool) {
	t.Helper()
	if _, err := c.games.DB.WriteSQL.Exec(fmt.Sprintf("SET default_transaction_read_only = %t", yes)); err != nil {
		t.Fatal(err)
	}
}

// failToDraw sends a turn to a node that cannot write, so that the node owes the game time.
func failToDraw(t *testing.T, c *Cluster, id int64) {
	t.Helper()
	readOnly(t, c, true)
	if _, err := drawTurn(t, c, id, ""); !game.IsStorage(err) {
		t.Fatalf("a turn that cannot be written: %v", err)
	}
	if owedAt(c, id) == 0 {
		t.Fatal("nothing is owed for a turn that could not be written")
	}
}

// owedAt returns the time since which a node owes a game time, or 0 if it owes none.
func owedAt(c *Cluster, id int64) engine.Millis { return c.games.Owed(c.games.DB.Millis())[id] }

// unsure makes a node unsure whether it still has its leases, as if its heartbeat had long failed.
func unsure(c *Cluster) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beaten = c.beaten.Add(-time.Hour)
}
