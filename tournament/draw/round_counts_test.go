package draw_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/result"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// countTables computes the result of RoundCounts from each round's tables and results.
func countTables(t testing.TB, s *store.DB, tour int64) map[int64]tournament.RoundCount {
	t.Helper()
	rounds, err := draw.Rounds(t.Context(), s, tour)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[int64]tournament.RoundCount{}
	for _, r := range rounds {
		tables, err := tournament.Tables(t.Context(), s, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		results, err := result.RoundResults(t.Context(), s, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		n := tournament.RoundCount{Tables: len(tables)}
		for _, table := range tables {
			if table.Started(r) {
				n.Started++
			}
			n.Seats += len(table.Seats)
			for _, g := range table.Games {
				switch status := g.Status; {
				case results[g.ID].Confirmed():
					n.Confirmed++
				case status == game.Finished:
					n.Finished++
				case status == game.Running:
					n.Running++
				default:
					n.Waiting++
				}
			}
		}
		counts[r.ID] = n
	}
	return counts
}

func TestRoundCounts(t *testing.T) {
	s := eventtest.NewStore(t)
	g := eventtest.Runner(t, s)
	tour := eventtest.NewTournament(t, s, "rounds", 3)
	eventtest.EnterPlayers(t, s, tour, 8)
	check := func(when string, want tournament.RoundCount, round int64) {
		t.Helper()
		got, err := tournament.RoundCounts(t.Context(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		if all := countTables(t, s, tour.ID); !maps.Equal(got, all) || got[round] != want {
			t.Errorf("%s: got %+v, by the tables %+v, want %+v of round %d", when, got, all, want, round)
		}
	}
	check("without a round", tournament.RoundCount{}, 0)
	eventtest.PlayRound(t, s, tour, rand.New(rand.NewPCG(3, 7)))
	round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Method: pairing.Random, Games: 2}})
	if err != nil {
		t.Fatal(err)
	}
	check("drafted", tournament.RoundCount{Tables: 2, Seats: 8}, round.ID)
	if round, err = action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	check("published", tournament.RoundCount{Tables: 2, Seats: 8, Waiting: 4}, round.ID)
	tables, err := tournament.Tables(t.Context(), s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), action.NewDesk(g.DB, g), eventtest.Organizer,
		draw.StartTable{Table: tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	got := countTables(t, s, tour.ID)[round.ID]
	check("one table started", tournament.RoundCount{Tables: 2, Seats: 8, Started: 1, Waiting: got.Waiting,
		Running: got.Running},
		round.ID)
	if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
		draw.StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 7))
	if err := eventtest.EndGame(t, s, tables[1].Games[0].ID,
		eventtest.Fabricated(rng, len(tables[1].Seats))); err != nil {
		t.Fatal(err)
	}
	got = countTables(t, s, tour.ID)[round.ID]
	check("a game ended", tournament.RoundCount{Tables: 2, Seats: 8, Started: 2, Waiting: got.Waiting,
		Running:  got.Running,
		Finished: 1}, round.ID)
	if _, err := action.Do(t.Context(), eventtest.IdleDesk(s), rights.Staff(rights.RoleReferee, "Bob"),
		result.ConfirmResult{Game: tables[1].Games[0].ID, Rev: 1}); err != nil {
		t.Fatal(err)
	}
	check("and confirmed", tournament.RoundCount{Tables: 2, Seats: 8, Started: 2, Waiting: got.Waiting,
		Running:   got.Running,
		Confirmed: 1}, round.ID)
}

// BenchmarkDesk measures what the organizer's desk reads for 100 players after six rounds, and the queries it used
// before.
func BenchmarkDesk(b *testing.B) {
	s := eventtest.NewStore(b)
	tour := eventtest.NewTournament(b, s, "rounds", 5)
	eventtest.EnterPlayers(b, s, tour, 100)
	rng := rand.New(rand.NewPCG(5, 7))
	for range 6 {
		eventtest.PlayRound(b, s, tour, rng)
	}
	b.Run("counts of all rounds", func(b *testing.B) {
		for b.Loop() {
			if _, err := tournament.RoundCounts(b.Context(), s, tour.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tables and results of each", func(b *testing.B) {
		for b.Loop() {
			countTables(b, s, tour.ID)
		}
	})
	b.Run("what may be promised", func(b *testing.B) {
		for b.Loop() {
			if _, err := draw.PromiseMethods(b.Context(), s, tour.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
}
