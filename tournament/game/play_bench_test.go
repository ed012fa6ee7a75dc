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
	"meldhall/tournament/signing"
	"meldhall/tournament/store/storetest"
)

// BenchmarkSubmit measures a durable turn without HTTP, with 400 games drawing at once, unsigned and signed by the
// player's device. A pool of 50 tiles limits the draws, so give a count: -benchtime 18000x.
func BenchmarkSubmit(b *testing.B) {
	b.Run("unsigned", func(b *testing.B) { submits(b, false) })
	b.Run("signed", func(b *testing.B) { submits(b, true) })
}

func submits(b *testing.B, signs bool) {
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
	device := signing.NewDevice([32]byte{48})
	var left atomic.Int64
	left.Store(int64(b.N))
	took := make([][]time.Duration, len(games))
	var wg sync.WaitGroup
	b.ResetTimer()
	for at, game := range games {
		wg.Go(func() {
			for i := 0; i < 48 && left.Add(-1) >= 0; i++ {
				snap := look(b, g, game)
				turn := snap.State.Turn
				draw := engine.Draw{Seat: turn.Seat, Turn: turn.Number}
				me, signature := seatActor(snap, turn.Seat), Signature{}
				if signs {
					me.Key = device.Key()
					signed := device.Sign(snap.Statement(me.Seat, me.Key), game, me.Seat, snap.State.Seq, snap.History(),
						signing.ContentOf(draw))
					signature = Signature{signed.Seen, signed.Signature}
				}
				began := time.Now()
				if _, err := g.SubmitSigned(context.Background(), me, game, fmt.Sprintf("key-%08d", i), signature,
					draw); err != nil {
					b.Error(err)
				}
				took[at] = append(took[at], time.Since(began))
			}
		})
	}
	wg.Wait()
	all := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
	b.ReportMetric(float64(all[len(all)*99/100])/float64(time.Millisecond), "p99-ms")
}
