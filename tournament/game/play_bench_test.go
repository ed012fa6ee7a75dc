package game

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/store/storetest"
)

// BenchmarkSubmit measures a durable turn without HTTP, with 400 games drawing at once. A pool of 50 tiles limits the
// draws, so give a count: -benchtime 18000x.
func BenchmarkSubmit(b *testing.B) {
	const tables = 400
	if b.N > tables*48 {
		b.Skipf("%d turns: the pools of %d games hold %d", b.N, tables, tables*48)
	}
	s := newStore(b)
	games := storetest.Hall(b, s, tables, 1)
	g := runner(b, s)
	begin(b, g)
	for _, game := range games {
		readyAll(b, g, game)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ResetTimer()
	for _, game := range games {
		wg.Go(func() {
			for i := 0; i < 48 && left.Add(-1) >= 0; i++ {
				snap := look(b, g, game)
				turn := snap.State.Turn
				draw := engine.Draw{Seat: turn.Seat, Turn: turn.Number}
				if _, err := g.Submit(context.Background(), seatActor(snap, turn.Seat), game,
					fmt.Sprintf("key-%08d", i), draw); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}
