package game

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// races returns how often two referees and a player race for one turn. MELDHALL_RACES sets a higher number.
func races(t *testing.T) int {
	if text := os.Getenv("MELDHALL_RACES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if !testmode.Long {
		return 500
	}
	return 10_000
}

// raced is the outcome of one command of a race.
type raced struct {
	by     string
	cmd    engine.Command
	answer Answer
	err    error
}

// TestTwoRefereesAndAPlayerRaceForATurn sends two rulings on the same state. One of them holds and the other one is
// refused, whatever the player does in the meantime. No command is lost, and the log explains every outcome.
func TestTwoRefereesAndAPlayerRaceForATurn(t *testing.T) {
	n := races(t)
	s, err := store.OpenScratch(filepath.Join(t.TempDir(), "e.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	now := time.Now()
	s.Now = func() time.Time { return now } // fixed, so that no waiting game is begun by its clock
	games := storetest.Hall(t, s, n/20+2, 1)
	g := runner(t, s)
	begin(t, g)
	seen := map[string]int{}
	at := 0
	readyAll(t, g, games[at])
	for i := range n {
		snap := look(t, g, games[at])
		if snap.State.Phase == engine.PhaseOver {
			explain(t, g, s, games[at])
			at++
			readyAll(t, g, games[at])
			snap = look(t, g, games[at])
		}
		r := raceOnce(g, snap, i)
		if !r.holds(t, g, s, snap, seen) {
			t.Fatalf("race %d", i)
		}
	}
	explain(t, g, s, games[at])
	common, rare := []string{"Anna holds", "Ben holds", "player holds", "Anna refused ruled_since",
		"Ben refused ruled_since"},
		[]string{"Ben refused stale_turn", "player refused not_your_turn", "the player came between"}
	// the scheduler decides how three meet: rare outcomes need many tries
	for _, want := range append(common, rare...) {
		if seen[want] == 0 && (n >= 10_000 || n >= 500 && slices.Contains(common, want)) {
			t.Errorf("never met: %s (%v)", want, seen)
		}
	}
	t.Logf("%d races: %v", n, seen)
}

type race [3]raced

// raceOnce lets Anna, Ben and the player to move send commands at once, all based on the same state.
func raceOnce(g *Games, snap *Snapshot, i int) race {
	state := snap.State
	why := func(by string) engine.Grounds {
		return engine.Grounds{Seen: state.Seq, Reason: fmt.Sprintf("race %d", i), By: by}
	}
	turn := state.Turn
	bens := []engine.Command{
		engine.SkipTurn{Grounds: why("Ben"), Turn: turn.Number}, engine.Warn{Grounds: why("Ben"), Seat: i % 4},
		engine.RuleIllegal{Grounds: why("Ben"), Turn: turn.Number}, engine.GiveTime{Grounds: why("Ben"), Seconds: 30},
	}
	var player engine.Command = engine.Draw{Seat: turn.Seat, Turn: turn.Number}
	if len(state.Pool) == 0 {
		player = engine.Pass{Seat: turn.Seat, Turn: turn.Number}
	}
	r := race{
		{by: "referee:Anna", cmd: engine.Penalise{Grounds: why("Anna"), Seat: i % 4}},
		{by: "referee:Ben", cmd: bens[i%len(bens)]},
		{by: seatActor(snap, turn.Seat).String(), cmd: player},
	}
	actors := [3]rights.Actor{rights.Staff(rights.RoleReferee, "Anna"), rights.Staff(rights.RoleReferee, "Ben"),
		seatActor(snap, turn.Seat)}
	var gate, done sync.WaitGroup
	gate.Add(1)
	for k := range r {
		j := (i + k) % len(r) // the goroutine started last often runs first
		done.Go(func() {
			gate.Wait()
			r[j].answer, r[j].err = g.Submit(context.Background(), actors[j], snap.Ref.ID,
				fmt.Sprintf("race-%06d-%d", i, j), r[j].cmd)
		})
	}
	gate.Done()
	done.Wait()
	return r
}

// holds checks the outcome of a race against the log.
func (r race) holds(t *testing.T, g *Games, s *store.DB, before *Snapshot, seen map[string]int) bool {
	t.Helper()
	rows := map[int]string{}
	game := before.Ref.ID
	all, err := s.ReadSQL.Query("SELECT seq, actor, kind FROM game_events WHERE game_id = $1 AND seq > $2", game,
		before.State.Seq)
	if err != nil {
		t.Fatal(err)
	}
	for all.Next() {
		var seq int
		var actor, kind string
		if err := all.Scan(&seq, &actor, &kind); err != nil {
			t.Fatal(err)
		}
		rows[seq] = actor + " " + kind
	}
	held, refused := 0, 0
	for i, one := range r {
		name := [3]string{"Anna", "Ben", "player"}[i]
		var refusal *engine.Refusal
		switch {
		case one.err == nil:
			seen[name+" holds"]++
			held++
			if rows[one.answer.Seq] != one.by+" "+one.answer.Outcome {
				t.Errorf("%s was told %+v, the log has %q", name, one.answer, rows[one.answer.Seq])
				return false
			}
		case errors.As(one.err, &refusal):
			seen[name+" refused "+refusal.Code]++
			refused++
		default:
			t.Errorf("%s: %v", name, one.err)
			return false
		}
	}
	anna, ben, player := r[0].err == nil, r[1].err == nil, r[2].err == nil
	if anna && ben {
		t.Error("both rulings hold, and one did not know of the other")
		return false
	}
	if over := before.State.TurnsLeft() == 1; !anna && !ben &&
		!(over && player && r[0].err.(*engine.Refusal).Code == engine.RefusedGameOver) {
		t.Errorf("no ruling holds: %v, %v", r[0].err, r[1].err)
		return false
	}
	if ruling := max(r[0].answer.Seq, r[1].answer.Seq); player && ruling > r[2].answer.Seq {
		seen["the player came between"]++
	}
	return r.again(t, g, game)
}

// again lets the official who was refused look and rule again.
func (r race) again(t *testing.T, g *Games, game int64) bool {
	t.Helper()
	snap := look(t, g, game)
	if r[0].err == nil || snap.State.Phase != engine.PhasePlaying {
		return true
	}
	c := r[0].cmd.(engine.Penalise)
	c.Seen = snap.State.Seq
	if _, err := g.Submit(context.Background(), rights.Staff(rights.RoleReferee, "Anna"), game,
		fmt.Sprintf("again-%06d", snap.State.Seq), c); err != nil {
		t.Errorf("looked at again, the ruling is refused: %v", err)
		return false
	}
	return true
}

// explain replays a game's log and compares the result with the state in memory, so that the log accounts for all of
// it.
func explain(t *testing.T, g *Games, s *store.DB, game int64) {
	t.Helper()
	state := look(t, g, game).State
	tail, err := g.Log.Tail(context.Background(), game, 0)
	if err != nil {
		t.Fatal(err)
	}
	var again engine.State
	for _, e := range tail {
		again = engine.Apply(again, e.Event)
	}
	was, errWas := json.Marshal(state)
	is, errIs := json.Marshal(again)
	if errWas != nil || errIs != nil || !bytes.Equal(was, is) {
		t.Errorf("game %d: the log replays to another state", game)
	}
}
