package standing

import (
	"testing"

	"meldhall/engine/ruleset"
	"meldhall/engine/score"
)

// BenchmarkRank ranks 400 players by the results of four rounds of four games, ordered by table as a database returns
// them.
func BenchmarkRank(b *testing.B) {
	const players, rounds, games, seats = 400, 4, 4, 4
	in := Input{Method: ruleset.WinsThenPoints}
	var ids []int64
	in.Players, ids = people(players)
	in.Stages = []Stage{everybody(ids)}
	for round := range rounds {
		for table := range players / seats {
			for order := range games {
				for seat := range seats {
					at := round*players/seats + table
					in.Lines = append(in.Lines, Line{Player: ids[(table*seats+seat*(round+1))%players], Round: round +
						1, Game: int64(at*games + order + 1),
						Table: int64(at + 1), Order: order + 1, Turn: seat,
						Points: score.Whole((at*7+order*5+seat*11)%60 - 30)})
				}
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if rows := RankUnmoved(in); len(rows) != players {
			b.Fatal(len(rows))
		}
	}
}
