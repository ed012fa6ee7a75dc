package record

import (
	"fmt"
	"testing"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
)

// botGame plays a game of four bots to its end.
func botGame(t testing.TB, seed uint64, style bot.Style) *recorded {
	t.Helper()
	r := &recorded{t: t}
	r.do(engine.Start{Rules: wrc(t, func(r *ruleset.Ruleset) { r.TurnSeconds = 0 }), Seats: 4, First: int(seed % 4),
		Deal: seededDeal(seed)})
	for seat := range 4 {
		r.do(engine.Ready{Seat: seat, Turn: r.state.Turn.Number})
	}
	for range 1000 {
		turn := r.state.Turn
		switch table := bot.ForView(style, engine.ViewFor(&r.state, turn.Seat)); {
		case r.state.Phase == engine.PhaseOver:
			return r
		case len(table) > 0:
			r.do(engine.Play{Seat: turn.Seat, Turn: turn.Number, Table: table})
		case len(r.state.Pool) > 0:
			r.draw()
		default:
			r.do(engine.Pass{Seat: turn.Seat, Turn: turn.Number})
		}
	}
	t.Fatal("a game of more than 1000 turns")
	return nil
}

// BenchmarkReplay measures finding the best play for every turn of a game, as the list of its turns does.
func BenchmarkReplay(b *testing.B) {
	for _, style := range []bot.Style{bot.Novice, bot.Club} {
		var games [][]ReplayTurn
		turns := 0
		for seed := range 20 {
			games = append(games, ReplayTurns(botGame(b, uint64(seed), style).events))
			turns += len(games[seed])
		}
		b.Run(fmt.Sprintf("%s, %d turns on average", style, turns/len(games)), func(b *testing.B) {
			unproven, answers := 0, 0
			for i := 0; b.Loop(); i++ {
				for _, t := range games[i%len(games)] {
					if !t.Possible(solve.Question{Limit: 20_000}).Proven {
						unproven++
					}
					answers++
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(answers), "µs/turn")
			b.ReportMetric(100*float64(unproven)/float64(answers), "%unproven")
		})
	}
}
