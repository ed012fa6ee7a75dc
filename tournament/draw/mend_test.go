package draw_test

import (
	"fmt"
	"slices"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
	"meldhall/tournament/people"
)

// TestAPlanIsMendedWhenSomebodyLeaves checks that a plan without repeated meetings stays so for the remaining players:
// a table of four becomes one of three.
func TestAPlanIsMendedWhenSomebodyLeaves(t *testing.T) {
	for _, row := range []struct{ players, leave, rounds, most int }{{16, 1, 5, 0}, {32, 1, 9, 0}, {24, 2, 4, 0}} {
		t.Run(fmt.Sprintf("%d of %d", row.leave, row.players), func(t *testing.T) {
			s := eventtest.NewStore(t)
			tour := eventtest.NewTournament(t, s, "open", 1, func(f *format.Format) {
				f.Stages[0].Seating, f.Stages[0].Rounds, f.Stages[0].GamesPerRound = format.Plan, row.rounds, 1
			})
			eventtest.EnterPlayers(t, s, tour, row.players)
			drawing := func() tournament.Round {
				t.Helper()
				round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					draw.PairRound{Tournament: tour.ID})
				if err != nil {
					t.Fatal(err)
				}
				return round
			}
			round := drawing()
			met := map[pairing.Pair]bool{}
			tables, _ := tournament.TablesOf(s.Read, round.ID)
			meetAt(met, tables)
			confirmAll(t, s, round)
			for _, gone := range tables[0][:row.leave] {
				if _, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					people.LeaveEvent{Tournament: tour.ID, Player: gone, Why: "ill"}); err != nil {
					t.Fatal(err)
				}
			}
			next := drawing()
			drawn, _ := tournament.TablesOf(s.Read, next.ID)
			again := 0
			for _, planned := range append([]pairing.Round{drawn}, next.PlannedRounds()...) {
				for _, table := range planned {
					for i, a := range table {
						for _, b := range table[:i] {
							if met[pairing.PairOf(a, b)] {
								again++
							}
						}
					}
				}
				meetAt(met, planned)
			}
			if again > row.most {
				t.Errorf("%d meetings again, want %d", again, row.most)
			}
		})
	}
}

func meetAt(met map[pairing.Pair]bool, tables [][]int64) {
	for _, table := range tables {
		for i, a := range table {
			for _, b := range table[:i] {
				met[pairing.PairOf(a, b)] = true
			}
		}
	}
}

// strangers returns two players of two tables whose exchange repeats no meeting, or any two if there
// are none.
func strangers(met map[pairing.Pair]bool, one, other []int64) (int64, int64) {
	known := func(p, instead int64, table []int64) bool {
		return slices.ContainsFunc(table, func(q int64) bool { return q != instead && met[pairing.PairOf(p, q)] })
	}
	for _, a := range one {
		for _, b := range other {
			if !known(a, b, other) && !known(b, a, one) {
				return a, b
			}
		}
	}
	return one[0], other[2]
}
