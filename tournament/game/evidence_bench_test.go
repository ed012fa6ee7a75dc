package game

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/store/storetest"
)

// benchmarkTurns lets 200 games draw five times a second each, with four moves of tiles before each draw. That is about
// 20 times the load of a hall of 400 tables. It reports the response time.
func benchmarkTurns(b *testing.B, without bool) {
	const tables = 200
	if b.N > tables*48 {
		b.Skipf("%d turns: the pools of %d games hold %d", b.N, tables, tables*48)
	}
	s := newStore(b)
	games := storetest.Hall(b, s, tables, 1)
	g := runner(b, s)
	g.Notes.off = without
	begin(b, g)
	for _, game := range games {
		readyAll(b, g, game)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	var mu sync.Mutex
	var took []time.Duration
	b.ResetTimer()
	for _, game := range games {
		wg.Go(func() {
			time.Sleep(time.Duration(game%200) * time.Millisecond)
			for i := 0; i < 48 && left.Add(-1) >= 0; i++ {
				snap := look(b, g, game)
				turn, me := snap.State.Turn, seatActor(snap, snap.State.Turn.Seat)
				rack := tile.FacesOf(snap.State.Racks[turn.Seat])
				for n := range 4 {
					if _, err := g.SetDraft(context.Background(), me, game, turn.Number,
						[]tile.LaidFaces{{At: 0, Faces: rack[:n+1]}}, Sender{}); err != nil {
						b.Error(err)
					}
				}
				asked := time.Now()
				draw := engine.Draw{Seat: turn.Seat, Turn: turn.Number}
				if _, err := g.Submit(context.Background(), me, game, fmt.Sprintf("key-%08d", i), draw); err != nil {
					b.Error(err)
				}
				mu.Lock()
				took = append(took, time.Since(asked))
				mu.Unlock()
				time.Sleep(200*time.Millisecond - time.Since(asked))
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	g.Notes.flush()
	var rows, bytes float64
	if err := s.ReadSQL.QueryRow(`SELECT count(*), coalesce(sum(length(data)), 0) FROM evidence`).Scan(&rows,
		&bytes); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(rows/float64(b.N), "rows/turn")
	b.ReportMetric(bytes/float64(b.N), "data-B/turn")
}
