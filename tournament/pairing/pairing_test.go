package pairing

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"meldhall/tournament/format"
)

func players(n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	return ids
}

func TestPlanSeatsEverybodyOnce(t *testing.T) {
	for n := 3; n <= 80; n++ {
		sizes, ok := format.Tables(n)
		if n == 5 {
			if ok {
				t.Error("5 players were seated")
			}
			continue
		}
		for _, method := range Methods {
			history := History{}
			for round := range 4 {
				tables, err := Plan(players(n), sizes, history, method, int64(n*10+round))
				if err != nil {
					t.Fatalf("%d, %s: %v", n, method, err)
				}
				var seen []int64
				for i, table := range tables {
					if len(table) != sizes[i] {
						t.Errorf("%d, %s: table %d has %d players, want %d", n, method, i, len(table), sizes[i])
					}
					seen = append(seen, table...)
					history.Meet(table)
				}
				slices.Sort(seen)
				if !slices.Equal(seen, players(n)) {
					t.Fatalf("%d, %s: seated %v", n, method, seen)
				}
			}
		}
	}
}

func TestPlan(t *testing.T) {
	for _, row := range []struct {
		method string
		n      int
		want   string
	}{
		{Standings, 7, "[[1 2 3 4] [5 6 7]]"},
		{Snake, 16, "[[1 8 9 16] [2 7 10 15] [3 6 11 14] [4 5 12 13]]"},
		{Snake, 7, "[[1 4 5 7] [2 3 6]]"},
	} {
		t.Run(fmt.Sprint(row.method, row.n), func(t *testing.T) {
			sizes, _ := format.Tables(row.n)
			got, err := Plan(players(row.n), sizes, nil, row.method, 1)
			if err != nil || fmt.Sprint(got) != row.want {
				t.Errorf("got %v, %v, want %s", got, err, row.want)
			}
		})
	}
	t.Run("same seed same plan", func(t *testing.T) {
		sizes, _ := format.Tables(33)
		history := History{}
		for seed := range int64(5) {
			one, _ := Plan(players(33), sizes, history, Random, seed)
			two, _ := Plan(players(33), sizes, history, Random, seed)
			other, _ := Plan(players(33), sizes, history, Random, seed+100)
			if !reflect.DeepEqual(one, two) || reflect.DeepEqual(one, other) {
				t.Errorf("seed %d: %v, %v, other seed %v", seed, one, two, other)
			}
			for _, table := range one {
				history.Meet(table)
			}
		}
	})
	t.Run("players who met are kept apart where they can be", func(t *testing.T) {
		sizes, _ := format.Tables(16)
		first, _ := Plan(players(16), sizes, nil, Random, 3)
		history := History{}
		for _, table := range first {
			history.Meet(table)
		}
		second, _ := Plan(players(16), sizes, history, Random, 4)
		for _, table := range second {
			if history.Cost(table) != 0 {
				t.Errorf("table %v meets again", table)
			}
		}
	})
	t.Run("refusals", func(t *testing.T) {
		if _, err := Plan(players(5), []int{4}, nil, Random, 1); err == nil {
			t.Error("5 players fitted on one table of 4")
		}
		if _, err := Plan(players(4), []int{4}, nil, "by-age", 1); err == nil {
			t.Error("an unknown method was taken")
		}
	})
}
