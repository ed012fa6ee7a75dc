package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"

	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// class is a kind of position. Its tasks are created by a function because finding them may take time.
type class struct {
	table, name string
	tasks       func() []task
}

// source creates positions of every class from one seed. Each class has its own random numbers, so its positions do not
// depend on which other classes are measured.
type source struct {
	seed  uint64
	games int // limits the self-play
	aim   solve.Aim
	rules ruleset.Ruleset
}

func (s source) rng(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(s.seed, stream)) }

// drawn returns a class of n positions, or fewer if draw does not find enough.
func (s source) drawn(table, name string, stream uint64, n int,
	draw func(i int, rng *rand.Rand) (solve.Position, bool)) class {
	return class{table, name, func() []task {
		rng := s.rng(stream)
		var positions []solve.Position
		for i := range n {
			if p, ok := draw(i, rng); ok {
				positions = append(positions, p)
			}
		}
		return s.tasksOf(positions)
	}}
}

func (s source) tasksOf(positions []solve.Position) (tasks []task) {
	for i, p := range positions {
		tasks = append(tasks, task{name: fmt.Sprintf("position %d", i+1), position: p, aim: s.aim})
	}
	return tasks
}

// early returns a position with 14 tiles on the rack. Half of the tables are empty; the others have 3 to 9 tiles.
func early(i int, rng *rand.Rand, jokers int) solve.Position {
	table := 0
	if i%2 == 1 {
		table = 3 + rng.IntN(7)
	}
	return position(rng, table, 14, jokers)
}

func mid(_ int, rng *rand.Rand, jokers int) solve.Position  { return position(rng, 40, 12, jokers) }
func late(_ int, rng *rand.Rand, jokers int) solve.Position { return position(rng, 80, 10, jokers) }

// stages returns the classes early, mid, late and the two hard ones, each with 0, 1 and 2 jokers and n positions.
func (s source) stages(n int) (all []class) {
	const table = "classes"
	for i, stage := range []struct {
		name string
		draw func(int, *rand.Rand, int) solve.Position
	}{{"early", early}, {"mid", mid}, {"late", late}} {
		for jokers := range 3 {
			all = append(all, s.drawn(table, fmt.Sprintf("%s j%d", stage.name, jokers), uint64(10*i+jokers), n,
				func(i int, rng *rand.Rand) (solve.Position, bool) { return stage.draw(i, rng, jokers), true }))
		}
	}
	var played [][]solve.Position // by number of jokers, once the games were played
	for jokers := range 3 {
		all = append(all, class{table, fmt.Sprintf("late-hard j%d", jokers), func() []task {
			if played == nil {
				found := lateHard(s.rng(100), s.rules, n, s.games)
				played = found[:]
			}
			return s.tasksOf(played[jokers])
		}})
	}
	for jokers := range 3 {
		all = append(all, s.drawn(table, fmt.Sprintf("drawn-hard j%d", jokers), uint64(110+jokers), n,
			func(_ int, rng *rand.Rand) (solve.Position, bool) { return drawnHard(rng, jokers) }))
	}
	return all
}

// growth returns the classes that show how the time grows with the number of tiles on the table (and up to 10 on the
// rack, if the game has that many left), and with the number of jokers on table and rack. The game has two jokers; with
// three or four it has 107 or 108 tiles.
func (s source) growth(n int) (all []class) {
	for _, jokers := range []int{0, 2} {
		for tiles := 0; tiles <= 100; tiles += 10 {
			all = append(all, s.drawn("tiles", fmt.Sprintf("table %d j%d", tiles, jokers), uint64(1000+10*tiles+jokers),
				n,
				func(_ int, rng *rand.Rand) (solve.Position, bool) { return position(rng, tiles, 10, jokers), true }))
		}
	}
	for i, stage := range []struct {
		name string
		draw func(int, *rand.Rand, int) solve.Position
	}{{"mid", mid}, {"late", late}} {
		for jokers := range 5 {
			all = append(all, s.drawn("jokers", fmt.Sprintf("%s, %d jokers", stage.name, jokers),
				uint64(3000+10*i+jokers), n,
				func(i int, rng *rand.Rand) (solve.Position, bool) { return stage.draw(i, rng, jokers), true }))
		}
	}
	return all
}

// knownCase is a line of a file of cases: a question in the format of meldhall solve, and its answer.
type knownCase struct {
	ID   string `json:"id"`
	Case struct {
		Rules     string        `json:"rules"`
		Opened    bool          `json:"opened"`
		Board     [][]tile.Face `json:"board"`
		Rack      []tile.Face   `json:"rack"`
		Objective string        `json:"objective"`
	} `json:"case"`
	Want   wanted `json:"want"`
	States int    `json:"states,omitempty"` // states searched when the case was recorded
}

// readCases reads the cases with an opened player and a preset with free jokers, grouped by objective.
func readCases(file string) (all []class, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	jokerPoints := map[string]int{"club": clubRules.JokerPoints, "wrc": 100}
	byAim := map[solve.Aim][]task{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var c knownCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", file, n, err)
		}
		points, free := jokerPoints[c.Case.Rules]
		if !free || !c.Case.Opened {
			continue
		}
		rules := solve.Rules{Replace: solve.Free, JokerPoints: points}
		t := task{name: c.ID, position: solve.Position{Rules: rules, Table: c.Case.Board,
			Rack: tile.CountFaces(c.Case.Rack)},
			aim: solve.MostTiles, want: c.Want}
		if c.Case.Objective == "value" {
			t.aim = solve.MostValue
		}
		byAim[t.aim] = append(byAim[t.aim], t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, c := range []struct {
		name string
		aim  solve.Aim
	}{{"cases, tiles", solve.MostTiles}, {"cases, value", solve.MostValue}} {
		if tasks := byAim[c.aim]; len(tasks) > 0 {
			all = append(all, class{"classes", c.name, func() []task { return tasks }})
		}
	}
	return all, nil
}
