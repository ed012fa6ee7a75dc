package game

import (
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestCopyWhileTablesPlay checks that every move is accepted while copies are being made, and that each copy is
// complete and contains everything answered before it began. It prints the response times meanwhile.
func TestCopyWhileTablesPlay(t *testing.T) {
	s := newStore(t)
	games := storetest.Hall(t, s, 8, 1)
	if _, err := s.WriteSQL.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO evidence (game_id, turn, seat, at, kind, data)
		SELECT $1, 1, 0, 1, 'ballast', hex(randomblob(3000)) FROM n`, games[0]); err != nil {
		t.Fatal(err)
	}
	g := runner(t, s)
	begin(t, g)
	for _, game := range games {
		readyAll(t, g, game)
	}
	var mu sync.Mutex
	var copying, stop atomic.Bool
	took := map[bool][]time.Duration{}
	var playing sync.WaitGroup
	for _, game := range games {
		playing.Go(func() {
			for !stop.Load() {
				beside, began := copying.Load(), time.Now()
				if _, err := drawTurn(t, g, game, ""); err != nil {
					return // the pool is empty, or the game is over
				}
				mu.Lock()
				took[beside] = append(took[beside], time.Since(began))
				mu.Unlock()
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	copying.Store(true)
	for i := range 5 {
		seq := look(t, g, games[0]).State.Seq
		path := filepath.Join(t.TempDir(), "copy.db")
		if err := s.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		made, err := store.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var have int
		if err := made.ReadSQL.QueryRow(`SELECT max(seq) FROM game_events WHERE game_id = $1`,
			games[0]).Scan(&have); err != nil || have < seq {
			t.Errorf("copy %d has %d of %d events, %v", i, have, seq, err)
		}
		if err := made.CheckIntegrity(t.Context()); err != nil {
			t.Error(err)
		}
		if err := made.Close(); err != nil {
			t.Error(err)
		}
	}
	stop.Store(true)
	playing.Wait()
	for _, beside := range []bool{false, true} {
		all := took[beside]
		if len(all) == 0 {
			t.Fatalf("nothing was played, beside a copy %t", beside)
		}
		slices.Sort(all)
		t.Logf("beside copies %t: %d moves, median %.1f ms, p99 %.1f ms, worst %.1f ms", beside, len(all),
			all[len(all)/2].Seconds()*1000, all[len(all)*99/100].Seconds()*1000, all[len(all)-1].Seconds()*1000)
	}
}
