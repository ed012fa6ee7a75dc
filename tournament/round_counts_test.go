package tournament

import (
	"maps"
	"math/rand/v2"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/pairing"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// countTables computes the result of RoundCounts from each round's tables and results.
func countTables(t testing.TB, s *store.DB, tour int64) map[int64]RoundCount {
	t.Helper()
	rounds, err := Rounds(t.Context(), s, tour)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[int64]RoundCount{}
	for _, r := range rounds {
		tables, err := Tables(t.Context(), s, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		results, err := RoundResults(t.Context(), s, r.ID)
		if err != nil {
			t.Fatal(err)
		}
		n := RoundCount{Tables: len(tables)}
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
	s := newStore(t)
	g := runner(t, s)
	tour := newTournament(t, s, "rounds", 3)
	enterPlayers(t, s, tour, 8)
	check := func(when string, want RoundCount, round int64) {
		t.Helper()
		got, err := RoundCounts(t.Context(), s, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		if all := countTables(t, s, tour.ID); !maps.Equal(got, all) || got[round] != want {
			t.Errorf("%s: got %+v, by the tables %+v, want %+v of round %d", when, got, all, want, round)
		}
	}
	check("without a round", RoundCount{}, 0)
	playRound(t, s, tour, rand.New(rand.NewPCG(3, 7)))
	round, err := action.Do(t.Context(), deskOf(s), organizer,
		PairRound{Tournament: tour.ID, PairingOptions: PairingOptions{Method: pairing.Random, Games: 2}})
	if err != nil {
		t.Fatal(err)
	}
	check("drafted", RoundCount{Tables: 2, Seats: 8}, round.ID)
	if round, err = action.Do(t.Context(), deskOf(s), organizer, PublishRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	check("published", RoundCount{Tables: 2, Seats: 8, Waiting: 4}, round.ID)
	tables, err := Tables(t.Context(), s, round.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := action.Do(t.Context(), action.NewDesk(g.DB, g), organizer,
		StartTable{Table: tables[0].ID}); err != nil {
		t.Fatal(err)
	}
	got := countTables(t, s, tour.ID)[round.ID]
	check("one table started", RoundCount{Tables: 2, Seats: 8, Started: 1, Waiting: got.Waiting, Running: got.Running},
		round.ID)
	if _, err := action.Do(t.Context(), deskOf(s), organizer, StartRound{Round: round.ID}); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 7))
	if err := endGame(t, s, tables[1].Games[0].ID, fabricated(rng, len(tables[1].Seats))); err != nil {
		t.Fatal(err)
	}
	got = countTables(t, s, tour.ID)[round.ID]
	check("a game ended", RoundCount{Tables: 2, Seats: 8, Started: 2, Waiting: got.Waiting, Running: got.Running,
		Finished: 1}, round.ID)
	if _, err := action.Do(t.Context(), idleDesk(s), rights.Staff(rights.RoleReferee, "Bob"),
		ConfirmResult{Game: tables[1].Games[0].ID, Rev: 1}); err != nil {
		t.Fatal(err)
	}
	check("and confirmed", RoundCount{Tables: 2, Seats: 8, Started: 2, Waiting: got.Waiting, Running: got.Running,
		Confirmed: 1}, round.ID)
}

// BenchmarkDesk measures what the organizer's desk reads for 100 players after six rounds, and the queries it used
// before.
func BenchmarkDesk(b *testing.B) {
	s := newStore(b)
	tour := newTournament(b, s, "rounds", 5)
	enterPlayers(b, s, tour, 100)
	rng := rand.New(rand.NewPCG(5, 7))
	for range 6 {
		playRound(b, s, tour, rng)
	}
	b.Run("counts of all rounds", func(b *testing.B) {
		for b.Loop() {
			if _, err := RoundCounts(b.Context(), s, tour.ID); err != nil {
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
			if _, err := PromiseMethods(b.Context(), s, tour.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
}
