package game

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store/storetest"
)

// keysSent counts the outcomes of repeated keys.
type keysSent struct {
	first, again, other atomic.Int64 // decided commands; repetitions; keys reused with another command
}

// usedKey is an accepted command and its answer.
type usedKey struct {
	game   int64
	seat   int
	key    string
	c      engine.Draw
	answer Answer
}

// TestKeysComeAgain repeats the commands of a hall's games with their keys: four at once before there is an answer,
// later, with another content, for another game, and to a program that has been restarted. Each command takes effect
// once, and all repetitions get the same answer. MELDHALL_KEYS sets the number of commands; meldbench fuzz runs a
// million.
func TestKeysComeAgain(t *testing.T) {
	want, _ := strconv.Atoi(cmp.Or(os.Getenv("MELDHALL_KEYS"), "3000"))
	sent := &keysSent{}
	for seed := uint64(1); sent.again.Load()+sent.other.Load() < int64(want); seed++ {
		sendAgain(t, sent, seed, min(40, 1+want/1000))
	}
	t.Logf("counted: %d keys came again, %d of them with something else in it; %d commands, each once in its log",
		sent.again.Load()+sent.other.Load(), sent.other.Load(), sent.first.Load())
}

// sendAgain plays the games of one hall.
func sendAgain(t *testing.T, sent *keysSent, seed uint64, tables int) {
	t.Helper()
	s := newStore(t)
	games := storetest.Hall(t, s, tables, 1)
	g := runner(t, s)
	begin(t, g)
	used := make([][]usedKey, len(games))
	var players sync.WaitGroup
	gate := make(chan struct{}, 2)
	for i, game := range games {
		players.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			readyAll(t, g, game)
			for n := range 45 {
				used[i] = append(used[i], sendTurn(t, g, sent, game, fmt.Sprintf("key-%04d-%03d", seed, n)))
				for range 8 {
					repeat(t, g, sent, used[i][rng.IntN(len(used[i]))], rng)
				}
			}
		})
	}
	players.Wait()
	g.Close()
	after := runner(t, s)
	rng := rand.New(rand.NewPCG(seed, 1<<40))
	for i, game := range games {
		for _, u := range used[i] {
			repeat(t, after, sent, u, rng)
		}
		if drawn := len(used[i]); look(t, after, game).State.Turn.Number != drawn+1 {
			t.Errorf("game %d is in turn %d after %d draws", game, look(t, after, game).State.Turn.Number, drawn)
		}
		if err := engine.Check(look(t, after, game).State); err != nil {
			t.Error(err)
		}
	}
	var twice int
	if err := s.ReadSQL.QueryRow(`SELECT count(*) FROM (SELECT 1 FROM game_events WHERE cmd_id <> '' GROUP BY game_id, substr(cmd_id, 1, 16) HAVING count(*) > 1) AS twice`).Scan(&twice); err != nil || twice > 0 {
		t.Errorf("%d keys stand twice in a log, %v", twice, err)
	}
}

// sendTurn sends the command for the current turn four times at once.
func sendTurn(t *testing.T, g *Games, sent *keysSent, game int64, key string) usedKey {
	t.Helper()
	snap := look(t, g, game)
	u := usedKey{game: game, seat: snap.State.Turn.Seat, key: key,
		c: engine.Draw{Seat: snap.State.Turn.Seat, Turn: snap.State.Turn.Number}}
	var answers [4]Answer
	var all sync.WaitGroup
	for k := range answers {
		all.Go(func() {
			var err error
			if answers[k], err = g.Submit(context.Background(), seatActor(snap, u.seat), game, key, u.c); err != nil {
				t.Errorf("game %d, %s: %v", game, key, err)
			}
		})
	}
	all.Wait()
	decided := 0
	for _, a := range answers {
		if !a.Again {
			decided, u.answer = decided+1, a
		}
		if a.Seq != answers[0].Seq || a.Outcome != answers[0].Outcome {
			t.Errorf("game %d, %s: answered %+v and %+v", game, key, answers[0], a)
		}
	}
	if decided != 1 {
		t.Errorf("game %d, %s was decided %d times", game, key, decided)
	}
	sent.first.Add(1)
	sent.again.Add(3)
	return u
}

// repeat sends a used key again. With the same content it gets the original answer; with other content it is rejected.
func repeat(t *testing.T, g *Games, sent *keysSent, u usedKey, rng *rand.Rand) {
	t.Helper()
	snap := look(t, g, u.game)
	c := engine.Command(u.c)
	switch rng.IntN(5) {
	case 0:
		c = engine.Pass{Seat: u.seat, Turn: u.c.Turn}
	case 1:
		c = engine.Draw{Seat: u.seat, Turn: u.c.Turn + 1 + rng.IntN(3)}
	}
	answer, err := g.Submit(context.Background(), seatActor(snap, u.seat), u.game, u.key, c)
	if c == engine.Command(u.c) {
		sent.again.Add(1)
		if err != nil || !answer.Again || answer.Seq != u.answer.Seq || answer.Outcome != u.answer.Outcome {
			t.Errorf("game %d, %s again: %+v, %v, want %+v", u.game, u.key, answer, err, u.answer)
		}
		return
	}
	sent.other.Add(1)
	if !isRefused(err, refuse.KindInvalid, "err_key_reused") {
		t.Errorf("game %d, %s with %+v: %+v, %v", u.game, u.key, c, answer, err)
	}
	if now := look(t, g, u.game).State.Seq; now != snap.State.Seq {
		t.Errorf("game %d went on from %d to %d", u.game, snap.State.Seq, now)
	}
}
