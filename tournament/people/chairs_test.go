package people_test

import (
	"fmt"
	"testing"

	"meldhall/tournament/action"
	"meldhall/tournament/draw"
	"meldhall/tournament/eventtest"
	"meldhall/tournament/format"
	"meldhall/tournament/people"
	"meldhall/tournament/rosterfile"
)

// TestLateEntriesTakeKeptChairs checks that late players take chairs that were kept for players who have left, if all
// others are taken: no table is added and none becomes too small.
func TestLateEntriesTakeKeptChairs(t *testing.T) {
	for _, size := range []int{2, 3} {
		for late := 1; late <= 3; late++ {
			t.Run(fmt.Sprintf("%d at a table, %d late", size, late), func(t *testing.T) {
				s := eventtest.NewStore(t)
				seats := map[string]any{"seats_min": size, "seats_max": size}
				tour := eventtest.NewTournament(t, s, "open", 3, func(f *format.Format) {
					f.Stages[0].Rules, f.Stages[0].TableSize = seats, size%3 // 0: as many as possible
				})
				eventtest.EnterPlayers(t, s, tour, 3*size)
				c := &eventtest.Crowd{T: t, S: s, Tour: tour}
				round, err := action.Do(t.Context(), eventtest.DeskOf(s), eventtest.Organizer,
					draw.PairRound{Tournament: tour.ID, PairingOptions: draw.PairingOptions{Most: size}})
				if err != nil {
					t.Fatal(err)
				}
				c.Publish(round)
				for _, players := range c.Placings(round) {
					c.Do(people.NoShow{Tournament: c.Tour.ID, Player: players[0]})
				}
				var entries []rosterfile.PlayerEntry
				for i := range late {
					entries = append(entries, rosterfile.PlayerEntry{Name: fmt.Sprintf("Late %d", i+1)})
				}
				done := c.Do(people.EnterPlayers{Tournament: c.Tour.ID, Entries: entries})
				sits := map[int64]bool{}
				now := c.Placings(round)
				for _, players := range now {
					for _, p := range players {
						sits[p] = true
					}
				}
				if sizes := eventtest.SizesOf(now); sizes != fmt.Sprint([]int{size, size, size}) &&
					sizes != fmt.Sprint([]int{size, size}) {
					t.Errorf("the tables are %v", now)
				}
				for _, p := range done.Players {
					if !sits[p.ID] {
						t.Errorf("%s has no chair: %v", p.Name, now)
					}
				}
			})
		}
	}
}
