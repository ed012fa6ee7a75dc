package game

import (
	"fmt"
	"testing"

	"meldhall/tournament/store/storetest"
)

// BenchmarkCommit measures one commit of the turns of 64 tables, two events each.
func BenchmarkCommit(b *testing.B) {
	s := newStore(b)
	games := storetest.Hall(b, s, 64, 1)
	l := OpenLog(s)
	defer l.Close()
	seq := 0
	for b.Loop() {
		batch := make([]*appendRequest, len(games))
		for i, game := range games {
			batch[i] = &appendRequest{game: game, done: make(chan error, 1), rows: []eventRow{
				{seq: seq + 1, kind: "tile_drawn", data: `{"at":1764000000000,"seat":1,"turn":12,"tile":"R13"}`,
					actor: "player:12", cmd: fmt.Sprintf("%016d%s", seq, "0123456789abcdef"), at: 1764000000000},
				{seq: seq + 2, kind: "turn_started",
					data: `{"at":1764000000000,"seat":2,"turn":13,"due":1764000060000}`, actor: "player:12",
					at: 1764000000000},
			}}
			batch[i].values = appendValues(nil, game, batch[i].rows)
		}
		l.commit(batch)
		for _, req := range batch {
			if err := <-req.done; err != nil {
				b.Fatal(err)
			}
		}
		seq += 2
	}
	b.ReportMetric(float64(b.N*len(games))/b.Elapsed().Seconds(), "turns/s")
}
