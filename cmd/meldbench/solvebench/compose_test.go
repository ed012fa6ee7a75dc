package main

import (
	"reflect"
	"testing"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

func testSource(t testing.TB) source {
	t.Helper()
	club, err := clubRuleset()
	if err != nil {
		t.Fatal(err)
	}
	return source{seed: 1, games: 200, rules: club}
}

// shape holds the number of tiles on the table and rack, and of jokers.
type shape struct{ table, rack, jokers int }

func shapeOf(t *testing.T, p solve.Position) shape {
	t.Helper()
	for _, set := range p.Table {
		if !tile.Valid(set) {
			t.Errorf("%v is no set", set)
		}
	}
	all := tile.CountFaces(p.Table...)
	s := shape{table: all.Total(), rack: p.Rack.Total()}
	for f, n := range p.Rack {
		all[f] += n
	}
	s.jokers = int(all[tile.Joker])
	all[tile.Joker] = 0
	if err := tile.CheckCounts(all); err != nil {
		t.Error(err)
	}
	return s
}

func TestPositionsHaveTheNamedSizes(t *testing.T) {
	want := map[string]shape{
		"mid j0": {40, 12, 0}, "mid j1": {40, 12, 1}, "mid j2": {40, 12, 2},
		"late j0": {80, 10, 0}, "late j1": {80, 10, 1}, "late j2": {80, 10, 2},
		"table 0 j0": {0, 10, 0}, "table 10 j2": {10, 10, 2}, "table 50 j0": {50, 10, 0},
		"table 100 j0": {100, 4, 0}, "table 100 j2": {100, 6, 2}, "mid, 4 jokers": {40, 12, 4},
		"late, 3 jokers": {80, 10, 3},
	}
	s := testSource(t)
	for _, c := range append(s.stages(20), s.growth(20)...) {
		shape, fixed := want[c.name]
		if !fixed {
			continue
		}
		delete(want, c.name)
		tasks := c.tasks()
		if len(tasks) != 20 {
			t.Errorf("%s: %d positions", c.name, len(tasks))
		}
		for _, task := range tasks {
			if got := shapeOf(t, task.position); got != shape {
				t.Errorf("%s: %+v, want %+v: %v", c.name, got, shape, task.position)
			}
		}
	}
	for name := range want {
		t.Errorf("there is no class %s", name)
	}
}

func TestEarlyTablesAreEmptyOrSmall(t *testing.T) {
	empty := 0
	for _, c := range testSource(t).stages(40)[:3] {
		for _, task := range c.tasks() {
			got := shapeOf(t, task.position)
			if got.rack != 14 || got.table > 9 || got.table == 1 || got.table == 2 {
				t.Errorf("%s: %+v", c.name, got)
			}
			if got.table == 0 {
				empty++
			}
		}
	}
	if empty != 60 {
		t.Errorf("%d of 120 tables are empty, want half", empty)
	}
}

func TestPositionsFollowFromTheSeedAlone(t *testing.T) {
	s := testSource(t)
	a, b := s.stages(10)[5].tasks(), s.stages(20)[5].tasks()[:10]
	if !reflect.DeepEqual(a, b) {
		t.Error("the same seed gives other positions")
	}
	s.seed++
	if reflect.DeepEqual(a, s.stages(10)[5].tasks()) {
		t.Error("another seed gives the same positions")
	}
}

// TestPositionsVary checks that every kind of set occurs, and that jokers occur in every kind of position.
func TestPositionsVary(t *testing.T) {
	seen := map[string]int{}
	for _, c := range testSource(t).stages(100)[3:9] {
		for _, task := range c.tasks() {
			if task.position.Rack[tile.Joker] > 0 {
				seen["joker on a rack"]++
			}
			for _, set := range task.position.Table {
				note(seen, set)
			}
		}
	}
	t.Log(seen)
	for _, place := range []string{"group of 3", "group of 4", "run of 3", "run of 4", "run of 5", "longer run",
		"joker on a rack",
		"joker in a group", "joker at an end", "joker in a run", "two jokers in a set"} {
		if seen[place] < 5 {
			t.Errorf("%s: only %d", place, seen[place])
		}
	}
}

func note(seen map[string]int, set []tile.Face) {
	jokers := int(tile.CountFaces(set)[tile.Joker])
	if jokers == 2 {
		seen["two jokers in a set"]++
	}
	if _, run := tile.AsRun(set); run {
		seen[[]string{3: "run of 3", 4: "run of 4", 5: "run of 5", 6: "longer run"}[min(len(set), 6)]]++
		switch {
		case set[0] == tile.Joker || set[len(set)-1] == tile.Joker:
			seen["joker at an end"]++
		case jokers > 0:
			seen["joker in a run"]++
		}
		return
	}
	seen[[]string{3: "group of 3", 4: "group of 4"}[len(set)]]++
	if jokers > 0 {
		seen["joker in a group"]++
	}
}

func TestHardPositionsDoNotFitWhole(t *testing.T) {
	counts := map[string]int{}
	for _, c := range testSource(t).stages(5)[9:] {
		for _, task := range c.tasks() {
			got := shapeOf(t, task.position)
			best := solve.Best(task.position, solve.Question{})
			if got.table < 60 || got.rack == 0 || !best.Proven || best.Tiles >= got.rack {
				t.Errorf("%s: %+v, %d fit", c.name, got, best.Tiles)
			}
			counts[c.name]++
		}
	}
	t.Log(counts)
	for _, name := range []string{"late-hard j1", "late-hard j2", "drawn-hard j0", "drawn-hard j1", "drawn-hard j2"} {
		if counts[name] < 5 {
			t.Errorf("%s: %d positions of 5", name, counts[name])
		}
	}
}
