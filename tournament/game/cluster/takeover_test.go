package cluster

import (
	"sync"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/game/gametest"
)

// dies makes the other nodes consider a node gone, having been silent for 3.5 s.
func dies(t *testing.T, g *Cluster) {
	t.Helper()
	silent(t, g, 3500)
}

// silent makes a node appear silent for ms more.
func silent(t *testing.T, g *Cluster, ms int) {
	t.Helper()
	if _, err := g.games.DB.BeatSQL().Exec(`UPDATE nodes SET at = at - $1 WHERE name = $2`, ms,
		g.games.DB.Nodes.Name()); err != nil {
		t.Fatal(err)
	}
}

// TestSilentNodeIsLookedAtInTime checks that a silent node is examined again as soon as it counts as gone, not with the
// next heartbeat after that.
func TestSilentNodeIsLookedAtInTime(t *testing.T) {
	var all []*Cluster
	for taken := true; taken; taken = all[1].Leases() == shards { // again if the machine stood still for a second here
		all, _, _ = playedAtFirst(t, 2)
		silent(t, all[0], 2050)
		lead(t, all[1])
	}
	select {
	case <-all[1].soon:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody looks at it again")
	}
	lead(t, all[1])
	if n := all[1].Leases(); n != shards {
		t.Errorf("%d of %d leases were taken over", n, shards)
	}
}

// TestSharesOfADeadNode checks that a dead node's leases are shared among the nodes present. The share of a node that
// missed two heartbeats is not reserved, and leases that a node leaves free for a while go to the next node.
func TestSharesOfADeadNode(t *testing.T) {
	for name, c := range map[string]struct{ dead, other, want int }{
		"the other one takes its part":         {3100, 0, shards / 2},
		"the other one has missed two beats":   {3100, 2500, shards},
		"the other one leaves its part for 1s": {4000, 0, shards},
	} {
		t.Run(name, func(t *testing.T) {
			all, _, _ := nodesOn(t, 3)
			silent(t, all[1], 2500)
			silent(t, all[2], 2500)
			lead(t, all[0])
			if _, err := all[2].games.DB.Nodes.Beat(t.Context()); err != nil {
				t.Fatal(err)
			}
			silent(t, all[0], c.dead)
			silent(t, all[2], c.other)
			lead(t, all[1])
			if n := all[1].Leases(); n != c.want {
				t.Errorf("it has %d leases, want %d", n, c.want)
			}
		})
	}
}

// TestTakingOverWaitsForNobody checks that a locked lease is left for the next heartbeat. The others are taken at once,
// and the node's own heartbeat continues.
func TestTakingOverWaitsForNobody(t *testing.T) {
	all, id, _ := playedAtFirst(t, 2)
	dies(t, all[0])
	tx, err := all[0].games.DB.BeatSQL().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`SELECT 1 FROM leases WHERE shard = $1 FOR SHARE`, shardOf(id)); err != nil {
		t.Fatal(err)
	}
	lead(t, all[1])
	if n := all[1].Leases(); n != shards-1 || all[1].Owns(id) {
		t.Errorf("%d leases were taken over, want all but the one that is held: %t", n, all[1].Owns(id))
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	lead(t, all[1])
	paidInFull(t, all[1], id)
}

// halfTaken returns three nodes. The first has died. The second has taken over its clocks, but restores the game only
// when goOn is called. Half a minute has passed since.
func halfTaken(t *testing.T) (all []*Cluster, id int64, goOn func()) {
	t.Helper()
	all, id, ahead := playedAtFirst(t, 3)
	look(t, all[1], id)
	if _, err := drawTurn(t, all[0], id, ""); err != nil {
		t.Fatal(err)
	}
	all[1].games.Hear(id, look(t, all[0], id).State.Seq, nil)
	held, release := make(chan struct{}), make(chan struct{})
	hold := sync.OnceFunc(func() { // the node holds a game while it wakes the viewers
		close(held)
		<-release
	})
	all[1].games.Moved = func(game.Ref, game.Step) { hold() }
	var looking sync.WaitGroup
	looking.Go(func() { look(t, all[1], id) }) // reads the log
	<-held
	letGo := sync.OnceFunc(func() {
		close(release)
		looking.Wait()
	})
	t.Cleanup(letGo)
	ahead.Add(1000) // the clocks of two nodes may differ by some ms
	dies(t, all[0])
	if err := all[1].Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	ahead.Add(30_000)
	return all, id, func() {
		letGo()
		all[1].bringing.Wait()
	}
}

// paidInFull checks that a game's turn has the time back that it had when the first node died.
func paidInFull(t *testing.T, g *Cluster, id int64) {
	t.Helper()
	now := look(t, g, id).State
	if whole := now.Turn.Due - now.Turn.Started; !g.Owns(id) || now.Paused == nil || now.Paused.Left < whole-2000 {
		t.Errorf("the clock is kept: %t, pause %+v; want all but what had gone by when the first node died, of %d ms",
			g.Owns(id), now.Paused, whole)
	}
	if n := count(t, g, id, paused); n != 1 {
		t.Errorf("the clock was stopped %d times, want once", n)
	}
}

// TestSecondNodeDiesTakingOver checks that the third node gives back all the time if a node dies, and then the one that
// took over its clocks does before it has paid all players back.
func TestSecondNodeDiesTakingOver(t *testing.T) {
	all, id, goOn := halfTaken(t)
	dies(t, all[1])
	lead(t, all[2])
	goOn() // it was alive after all
	paidInFull(t, all[2], id)
}

// TestNodeStopsTakingOver checks that a node that stops while it restores games leaves the time owed to the next one.
func TestNodeStopsTakingOver(t *testing.T) {
	all, id, goOn := halfTaken(t)
	handed := make(chan error, 1)
	go func() { handed <- all[1].HandOver(t.Context()) }()
	<-all[1].leaving
	time.Sleep(100 * time.Millisecond) // let HandOver get as far as it can
	goOn()
	if err := <-handed; err != nil {
		t.Fatal(err)
	}
	lead(t, all[2])
	paidInFull(t, all[2], id)
}

// TestNodeDiesOwing checks that the next owner of a node's clocks gives back what that node owed its games while it was
// alive, for example for failed writes, whether it dies or is stopped.
func TestNodeDiesOwing(t *testing.T) {
	for name, gone := range map[string]func(*Cluster){
		"dies":  func(c *Cluster) { dies(t, c) },
		"stops": func(c *Cluster) { _ = c.HandOver(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			all, id, ahead := playedAtFirst(t, 2)
			failToDraw(t, all[0], id)
			ahead.Add(30_000)
			lead(t, all[0])
			gone(all[0])
			lead(t, all[1])
			paidInFull(t, all[1], id)
		})
	}
}

// TestNodeDiesHavingPaid checks that a node that has given back the time it owed leaves nothing to pay.
func TestNodeDiesHavingPaid(t *testing.T) {
	all, id, ahead := playedAtFirst(t, 2)
	failToDraw(t, all[0], id)
	lead(t, all[0])
	readOnly(t, all[0], false)
	waitFor(t, "the time is given back", func() bool { return owedAt(all[0], id) == 0 })
	lead(t, all[0])
	ahead.Add(30_000)
	lead(t, all[0])
	if err := all[0].HandOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	lead(t, all[1])
	if now := look(t, all[1], id).State; !all[1].Owns(id) || count(t, all[1], id, paused) != 1 {
		t.Errorf("the clock was stopped %d times, want once: %+v", count(t, all[1], id, paused), now.Paused)
	}
}

// TestNothingIsGivenHalfTaken checks that a node keeps shards whose games it is still restoring.
func TestNothingIsGivenHalfTaken(t *testing.T) {
	all, id, goOn := halfTaken(t)
	owned := func() (n int) {
		for shard := range int64(shards) {
			if all[1].Owns(shard) {
				n++
			}
		}
		return n
	}
	before := owned()
	lead(t, all[0]) // it is back
	if err := all[1].Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := owned(); n < before {
		t.Errorf("of %d shards %d are given away whose games are being brought back", before, before-n)
	}
	goOn()
	paidInFull(t, all[1], id)
}

// TestAnswerOfTakingOverIsLost checks that a node that does not learn of its own lease takes it again, with all the
// time owed.
func TestAnswerOfTakingOverIsLost(t *testing.T) {
	all, id, goOn := halfTaken(t)
	all[1].mu.Lock()
	all[1].held = [shards]lease{}
	all[1].mu.Unlock()
	if err := all[1].Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	goOn()
	paidInFull(t, all[1], id)
}

// TestAnswerOfTakingOverIsLostToAFullNode checks that no clock stays without a node if a node does not learn of leases
// that it has taken and has its share of the others.
func TestAnswerOfTakingOverIsLostToAFullNode(t *testing.T) {
	all, _, _ := nodesOn(t, 2)
	full, other := all[0], all[1]
	lead(t, full)
	lead(t, other)
	if full.Leases() != shards/2 || other.Leases() != shards/2 {
		t.Fatalf("the nodes have %d and %d leases, want %d each", full.Leases(), other.Leases(), shards/2)
	}
	if _, err := full.games.DB.BeatSQL().Exec(`UPDATE leases SET node = $1, fence = fence + 1
		WHERE shard IN (SELECT shard FROM leases WHERE node = $2 ORDER BY shard LIMIT 3)`,
		full.games.DB.Nodes.Name(), other.games.DB.Nodes.Name()); err != nil {
		t.Fatal(err)
	}
	lead(t, other)
	lead(t, full)
	if n := full.Leases() + other.Leases(); n != shards {
		t.Errorf("%d of %d leases have a node", n, shards)
	}
}

// TestTakingOverIsTriedAgain checks that games that cannot be read at a takeover are restored with a later heartbeat.
func TestTakingOverIsTriedAgain(t *testing.T) {
	all, id, ahead := playedAtFirst(t, 2)
	rename := func(from, to string) {
		if _, err := all[1].games.DB.WriteSQL.Exec(`ALTER TABLE ` + from + ` RENAME TO ` + to); err != nil {
			t.Fatal(err)
		}
	}
	ahead.Add(1000)
	dies(t, all[0])
	rename("games", "games_away")
	lead(t, all[1])
	rename("games_away", "games")
	lead(t, all[1])
	paidInFull(t, all[1], id)
}

// TestHintWhileTheLeaseIsNotSure checks that the node that runs a game's clock handles a hint for it even if the game
// is not in memory and the lease is uncertain at that moment.
func TestHintWhileTheLeaseIsNotSure(t *testing.T) {
	all, id, _ := nodesOn(t, 2)
	lead(t, all[0])
	begin(t, all[1])
	gametest.ReadyAll(t, all[1].games, id)
	unsure(all[0])
	all[0].games.Forget([]int64{id})
	all[0].MovedElsewhere(Move{Game: id, Seq: look(t, all[1], id).State.Seq, Step: game.StepPhase})
	waitFor(t, "the game is in memory, where its time can run out", func() bool {
		snap, _, _ := all[0].games.Hear(id, 0, nil)
		return snap != nil && snap.State.Phase == engine.PhasePlaying
	})
}
