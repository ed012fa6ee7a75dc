package tournament

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/tournament/format"
	"meldhall/tournament/pairing"
)

// The number chart is the same for every event of that size: players with the same numbers sit alike, whatever the order in which they
// were entered.
func TestTheChartGoesByDrawnNumbers(t *testing.T) {
	ctx := context.Background()
	event := func() (*Store, Tournament, []Player) {
		s := newStore(t)
		tour := newTournament(t, s, "open", 1, func(f *format.Format) { f.Stages[0].Seating = format.Chart })
		enterPlayers(t, s, tour, 12)
		players, err := s.Players(ctx, tour.ID)
		if err != nil {
			t.Fatal(err)
		}
		return s, tour, players
	}
	// seated is the numbers at the tables of both rounds that are looked at.
	seated := func(s *Store, tour Tournament, number func(Player) int) (rounds [][][]int) {
		t.Helper()
		round, err := s.SeatRound(ctx, organizer, tour.ID, "", 0)
		if err != nil || round.Method != pairing.Chart {
			t.Fatalf("got %+v, %v", round, err)
		}
		players, _ := s.Players(ctx, tour.ID)
		first, _ := tablesOf(s.Read, round.ID)
		for _, tables := range append([]pairing.Round{first}, round.plan()...) {
			var numbers [][]int
			for _, table := range tables {
				var at []int
				for _, id := range table {
					at = append(at, number(players[slices.IndexFunc(players, func(p Player) bool { return p.ID == id })]))
				}
				numbers = append(numbers, at)
			}
			rounds = append(rounds, numbers)
		}
		return rounds
	}
	s, tour, _ := event()
	want := seated(s, tour, func(p Player) int { return p.Number })
	if len(want) != 3 {
		t.Fatalf("got %v", want)
	}
	t.Run("all have drawn", func(t *testing.T) {
		s, tour, players := event()
		numbers := map[int64]int{}
		for i, p := range players {
			numbers[p.ID] = (i*5+7)%12 + 1
		}
		if err := s.WriteDrawn(ctx, organizer, tour.ID, numbers); err != nil {
			t.Fatal(err)
		}
		if got := seated(s, tour, func(p Player) int { return p.Drawn }); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		entries, _ := s.Audit(ctx, organizer, tour.ID, 20)
		if n := slices.IndexFunc(entries, func(e AuditEntry) bool {
			return e.Action == "player.drawn" && e.Subject == players[0].subject() && e.After == "8"
		}); n < 0 {
			t.Errorf("got %+v", entries)
		}
	})
	t.Run("some have", func(t *testing.T) {
		s, tour, players := event()
		if err := s.WriteDrawn(ctx, organizer, tour.ID, map[int64]int{players[4].ID: 1, players[0].ID: 12}); err != nil {
			t.Fatal(err)
		}
		place := map[int64]int{players[4].ID: 1, players[0].ID: 12}
		for i, at := range []int{1, 2, 3, 5, 6, 7, 8, 9, 10, 11} { // in the order of entry
			place[players[at].ID] = i + 2
		}
		if got := seated(s, tour, func(p Player) int { return place[p.ID] }); !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("the rest is drawn by lot", func(t *testing.T) {
		s, tour, players := event()
		if err := s.WriteDrawn(ctx, organizer, tour.ID, map[int64]int{players[4].ID: 3}); err != nil {
			t.Fatal(err)
		}
		if n, err := s.DrawNumbers(ctx, organizer, tour.ID); err != nil || n != 11 {
			t.Fatalf("%d were drawn, %v", n, err)
		}
		after, _ := s.Players(ctx, tour.ID)
		drawn := map[int]bool{}
		for _, p := range after {
			drawn[p.Drawn] = p.Drawn >= 1 && p.Drawn <= 12
		}
		if len(drawn) != 12 || drawn[0] || after[4].Drawn != 3 {
			t.Errorf("got %v", drawn)
		}
		if n, err := s.DrawNumbers(ctx, organizer, tour.ID); err != nil || n != 0 {
			t.Errorf("again: %d, %v", n, err)
		}
		// two exchange theirs at once
		a, b := after[4], after[5]
		if err := s.WriteDrawn(ctx, organizer, tour.ID, map[int64]int{a.ID: b.Drawn, b.ID: a.Drawn}); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("the number of who is replaced is free again", func(t *testing.T) {
		s, tour, players := event()
		if err := s.WriteDrawn(ctx, organizer, tour.ID, map[int64]int{players[2].ID: 7}); err != nil {
			t.Fatal(err)
		}
		out, err := s.ChangePeople(ctx, organizer, tour.ID, PeopleAction{Kind: PeopleSubstitute, Player: players[2].ID, Keep: KeepPerson,
			Entries: []PlayerEntry{{Name: "Instead"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.WriteDrawn(ctx, organizer, tour.ID, map[int64]int{out.Players[0].ID: 7}); err != nil {
			t.Fatal(err)
		}
		was, _ := s.PlayerByID(ctx, players[2].ID)
		is, _ := s.PlayerByID(ctx, out.Players[0].ID)
		if was.Drawn != 0 || is.Drawn != 7 {
			t.Errorf("who is replaced has %d, the other %d", was.Drawn, is.Drawn)
		}
	})
	t.Run("refused", func(t *testing.T) {
		s, tour, players := event()
		if err := s.WriteDrawn(ctx, organizer, tour.ID, map[int64]int{players[2].ID: 7}); err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct {
			numbers map[int64]int
			want    string
		}{
			{map[int64]int{players[3].ID: 7}, players[2].Name + " has number 7: " + players[3].Name},
			{map[int64]int{players[3].ID: 8, players[5].ID: 8}, players[3].Name + " has number 8: " + players[5].Name},
			{map[int64]int{players[3].ID: -1}, "-1 cannot be drawn"},
			{map[int64]int{players[3].ID: RosterRows + 1}, "cannot be drawn"},
			{map[int64]int{9999: 1}, "does not play"},
		} {
			err := s.WriteDrawn(ctx, organizer, tour.ID, row.numbers)
			if err == nil || !strings.Contains(fmt.Sprint(err), row.want) {
				t.Errorf("%v: got %v, want %q", row.numbers, err, row.want)
			}
		}
		if err := s.WriteDrawn(ctx, Staff(RoleReferee, "Bob"), tour.ID, nil); !errors.Is(err, ErrForbidden) {
			t.Errorf("by a referee: %v", err)
		}
		if after, _ := s.Players(ctx, tour.ID); after[3].Drawn != 0 || after[5].Drawn != 0 || after[2].Drawn != 7 {
			t.Errorf("got %+v", after)
		}
	})
}
