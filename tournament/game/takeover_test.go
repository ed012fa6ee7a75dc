package game

import (
	"sync"
	"testing"
	"time"

	"meldhall/engine"
)

// dies has the others take it that a node is gone, for 3.5 s so far.
func dies(t *testing.T, g *Games) {
	t.Helper()
	silent(t, g, 3500)
}

// silent has a node have said nothing for so many ms more.
func silent(t *testing.T, g *Games, ms int) {
	t.Helper()
	if _, err := g.DB.WriteSQL.Exec(`UPDATE nodes SET at = at - ? WHERE name = ?`, ms, g.DB.Node()); err != nil {
		t.Fatal(err)
	}
}

// A node that says nothing is looked at again when it is gone, not with the next beat after that.
func TestSilentNodeIsLookedAtInTime(t *testing.T) {
	all, _, _ := playedAtFirst(t, 2)
	silent(t, all[0], 2500)
	lead(t, all[1])
	select {
	case <-all[1].nodes.soon:
	case <-time.After(10 * time.Second):
		t.Fatal("nobody looks at it again")
	}
	lead(t, all[1])
	if n := all[1].Leases(); n != shards {
		t.Errorf("%d of %d leases were taken over", n, shards)
	}
}

// The shares of a dead node's leases are those of the nodes that are there: of one that missed two beats nobody waits for its share, and
// what another one leaves for a while is taken by who comes.
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
			if _, err := all[2].DB.Beat(t.Context()); err != nil {
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

// A lease that somebody holds on to is left for the next beat: the others are taken at once, and this one goes on saying that it is there.
func TestTakingOverWaitsForNobody(t *testing.T) {
	all, game, _ := playedAtFirst(t, 2)
	dies(t, all[0])
	tx, err := all[0].DB.BeatSQL().Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`SELECT 1 FROM leases WHERE shard = ? FOR SHARE`, shardOf(game)); err != nil {
		t.Fatal(err)
	}
	lead(t, all[1])
	if n := all[1].Leases(); n != shards-1 || all[1].Owns(game) {
		t.Errorf("%d leases were taken over, want all but the one that is held: %t", n, all[1].Owns(game))
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	lead(t, all[1])
	paidInFull(t, all[1], game)
}

// halfTaken are nodes of which the first has died, and the second has taken its clocks over and has not come to the game yet until go on is
// called. Since then half a minute has gone by.
func halfTaken(t *testing.T) (all []*Games, game int64, goOn func()) {
	t.Helper()
	all, game, ahead := playedAtFirst(t, 3)
	r, err := all[1].find(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	ahead.Add(1000) // two nodes' clocks may be some ms apart
	r.mu.Lock()
	dies(t, all[0])
	if err := all[1].lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	ahead.Add(30_000)
	unlock := sync.OnceFunc(r.mu.Unlock)
	t.Cleanup(unlock)
	return all, game, func() {
		unlock()
		all[1].nodes.bringing.Wait()
	}
}

// paidInFull sees that a game's first turn has the time back that it had when the first node died.
func paidInFull(t *testing.T, g *Games, game int64) {
	t.Helper()
	now := look(t, g, game).State
	if whole := now.Turn.Due - now.Turn.Started; !g.Owns(game) || now.Paused == nil || now.Paused.Left < whole-2000 {
		t.Errorf("the clock is kept: %t, pause %+v; want all but what had gone by when the first node died, of %d ms", g.Owns(game), now.Paused, whole)
	}
	if n := count(t, g, game, paused); n != 1 {
		t.Errorf("the clock was stopped %d times, want once", n)
	}
}

// A node dies, and so does the one that has taken its clocks over, before it has paid everybody: the third one pays for all of it.
func TestSecondNodeDiesTakingOver(t *testing.T) {
	all, game, goOn := halfTaken(t)
	dies(t, all[1])
	lead(t, all[2])
	goOn() // it was not dead
	paidInFull(t, all[2], game)
}

// A node that is to stop while it brings games back leaves what they are owed to the next one.
func TestNodeStopsTakingOver(t *testing.T) {
	all, game, goOn := halfTaken(t)
	handed := make(chan error, 1)
	go func() { handed <- all[1].HandOver(t.Context()) }()
	<-all[1].nodes.leaving
	time.Sleep(100 * time.Millisecond) // the end of what it is about to do
	goOn()
	if err := <-handed; err != nil {
		t.Fatal(err)
	}
	lead(t, all[2])
	paidInFull(t, all[2], game)
}

// What a node owes to its games while it says that it is there, such as for writes that were refused, whoever takes its clocks over pays,
// whether it dies or is told to stop.
func TestNodeDiesOwing(t *testing.T) {
	for name, gone := range map[string]func(*Games){
		"dies":  func(g *Games) { dies(t, g) },
		"stops": func(g *Games) { _ = g.HandOver(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			all, game, ahead := playedAtFirst(t, 2)
			all[0].stalls.begins(all[0].DB.Millis())
			ahead.Add(30_000)
			lead(t, all[0])
			gone(all[0])
			lead(t, all[1])
			paidInFull(t, all[1], game)
		})
	}
}

// A node that has paid what it owed leaves nothing to pay.
func TestNodeDiesHavingPaid(t *testing.T) {
	all, game, ahead := playedAtFirst(t, 2)
	all[0].stalls.begins(all[0].DB.Millis())
	lead(t, all[0])
	all[0].creditAll(t.Context())
	lead(t, all[0])
	ahead.Add(30_000)
	lead(t, all[0])
	if err := all[0].HandOver(t.Context()); err != nil {
		t.Fatal(err)
	}
	lead(t, all[1])
	if now := look(t, all[1], game).State; !all[1].Owns(game) || count(t, all[1], game, paused) != 1 {
		t.Errorf("the clock was stopped %d times, want once: %+v", count(t, all[1], game, paused), now.Paused)
	}
}

// A node gives no shard away whose games it still brings back.
func TestNothingIsGivenHalfTaken(t *testing.T) {
	all, game, goOn := halfTaken(t)
	owned := func() (n int) {
		for shard := range int64(shards) {
			if all[1].Owns(shard) {
				n++
			}
		}
		return n
	}
	before := owned()
	lead(t, all[0]) // it is there again
	if err := all[1].lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := owned(); n < before {
		t.Errorf("of %d shards %d are given away whose games are being brought back", before, before-n)
	}
	goOn()
	paidInFull(t, all[1], game)
}

// A node that does not learn that it has a lease takes it again, with all that is owed.
func TestAnswerOfTakingOverIsLost(t *testing.T) {
	all, game, goOn := halfTaken(t)
	all[1].nodes.mu.Lock()
	all[1].nodes.held = [shards]lease{}
	all[1].nodes.mu.Unlock()
	if err := all[1].lead(t.Context()); err != nil {
		t.Fatal(err)
	}
	goOn()
	paidInFull(t, all[1], game)
}

// Where the games cannot be read when they are taken over, they are brought back with a later beat.
func TestTakingOverIsTriedAgain(t *testing.T) {
	all, game, ahead := playedAtFirst(t, 2)
	rename := func(from, to string) {
		if _, err := all[1].DB.WriteSQL.Exec(`ALTER TABLE ` + from + ` RENAME TO ` + to); err != nil {
			t.Fatal(err)
		}
	}
	ahead.Add(1000)
	dies(t, all[0])
	rename("games", "games_away")
	lead(t, all[1])
	rename("games_away", "games")
	lead(t, all[1])
	paidInFull(t, all[1], game)
}

// What a hint tells of a game that is not known yet is looked at where its clock is kept, though that is not sure just then.
func TestHintWhileTheLeaseIsNotSure(t *testing.T) {
	all, game, _ := nodesOn(t, 2)
	lead(t, all[0])
	begin(t, all[1])
	readyAll(t, all[1], game)
	all[0].nodes.mu.Lock()
	all[0].nodes.beaten = all[0].nodes.beaten.Add(-time.Hour)
	all[0].nodes.mu.Unlock()
	all[0].forget(game)
	all[0].MovedElsewhere(Move{Game: game, Seq: look(t, all[1], game).State.Seq, Step: StepPhase})
	for range 500 {
		all[0].mu.Lock()
		r := all[0].known[game]
		all[0].mu.Unlock()
		if r != nil && r.now.Load().State.Phase == engine.PhasePlaying {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("nobody lets the game's time run out")
}
