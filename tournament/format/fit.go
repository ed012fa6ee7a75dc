package format

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Tables returns the table sizes for n players: as many fours as possible, the rest threes at the end; two players
// share one table. ok is false for n = 5 and n < 2.
func Tables(n int) (sizes []int, ok bool) {
	if n == 2 {
		return []int{2}, true
	}
	threes := (4 - n%4) % 4
	fours := (n - 3*threes) / 4
	if n < 3 || n-3*threes < 0 {
		return nil, false
	}
	for range fours {
		sizes = append(sizes, 4)
	}
	for range threes {
		sizes = append(sizes, 3)
	}
	return sizes, true
}

// pairs returns tables of two, with one of three if n is odd.
func pairs(n int) (sizes []int, ok bool) {
	for left := n; left > 0; left -= sizes[len(sizes)-1] {
		sizes = append(sizes, min(left, 2+left%2))
	}
	if n%2 == 1 && len(sizes) > 1 { // the larger one last
		sizes[0], sizes[len(sizes)-1] = sizes[len(sizes)-1], sizes[0]
	}
	return sizes, n >= 2
}

// tables returns the sizes of a stage's tables.
func (s Stage) tables(n int) ([]int, bool) {
	if s.TableSize == 2 {
		return pairs(n)
	}
	return Tables(n)
}

// Seat returns the table sizes for n players in this stage under rules that allow seatsMin to seatsMax players at a
// table. The error, a *Problem, says why they cannot be seated.
func (s Stage) Seat(n, seatsMin, seatsMax int) ([]int, error) {
	if n < 2 {
		return nil, &Problem{Key: "err_players_too_few", Args: map[string]any{"players": n}}
	}
	sizes, ok := s.tables(n)
	if !ok {
		return nil, &Problem{Key: "err_players_unseatable", Args: map[string]any{"players": n}}
	}
	for _, size := range sizes {
		if size < seatsMin || size > seatsMax {
			return nil, &Problem{Key: "err_table_size", Args: map[string]any{"players": n, "size": size,
				"min": seatsMin, "max": seatsMax}}
		}
	}
	return sizes, nil
}

// PlayOff returns the table sizes at which n tied players play one more game: those of Tables, or a three and a two for
// five players. It returns nil if n is below 2.
func PlayOff(n int) []int {
	if sizes, ok := Tables(n); ok {
		return sizes
	}
	if n == 5 {
		return []int{3, 2}
	}
	return nil
}

// For returns why n players cannot play the format at tables of seatsMin to seatsMax, as a *Problem that names the
// stage, or nil. The number must be allowed, every stage must be seatable, and no stage may take more players than
// reach it.
func (f Format) For(n, seatsMin, seatsMax int) error {
	_, err := f.Field(n, seatsMin, seatsMax)
	return err
}

// Field returns the number of players in each stage when n enter. It returns the same error as For.
func (f Format) Field(n, seatsMin, seatsMax int) ([]int, error) {
	players, sizes, err := f.stageSizes(n, seatsMin, seatsMax)
	if err == nil && f.severalWinners(sizes) {
		err = f.severalFinals(n, len(sizes), seatsMin, seatsMax)
	}
	return players, err
}

// severalWinners reports whether a last stage with these tables leaves several winners for a lot to separate.
func (f Format) severalWinners(sizes []int) bool {
	return len(sizes) > 1 && f.lotAmongWinners(len(f.Stages)-1)
}

// stageSizes returns the number of players in each stage when n enter, and the table sizes of the last stage.
func (f Format) stageSizes(n, seatsMin, seatsMax int) (players, sizes []int, err error) {
	if err := f.entry(n); err != nil {
		return nil, nil, err
	}
	for i, s := range f.Stages {
		if i > 0 {
			before := n
			if n = s.entrants(sizes); n > before {
				return players, sizes, cutAbove(i, s, n, before)
			}
			if best := len(sizes) * s.PerTable; best > n {
				return players, sizes, cutBelow(i, s, best)
			}
		}
		if sizes, err = s.Seat(n, seatsMin, seatsMax); err != nil {
			return players, sizes, f.inStage(i, err)
		}
		players = append(players, n)
	}
	return players, sizes, nil
}

// lotAmongWinners reports whether the last stage is a single-game final in which only a lot can separate the winners
// of two tables.
func (f Format) lotAmongWinners(last int) bool {
	s, scoring := f.Stages[last], f.ScoringOf(last)
	ruled, _ := f.Rules["standings"].(string)
	lowest := cmp.Or(scoring.Ranking, ruled) == LowestPoints // then all winners have 0 points
	if last == 0 || s.Rounds*s.GamesPerRound > 1 || s.CarryOver != CarryNone || s.Decide == 0 || !scoring.Has(TieLot) ||
		!lowest && scoring.Ranking != WinsOnly {
		return false
	}
	return !slices.ContainsFunc(scoring.TieBreaks, func(tie string) bool {
		return slices.Contains([]string{TiePlayOff, TieOpponents, TieTurnOrder}, tie) || !lowest &&
			(tie == TiePoints || tie == TieBestGame)
	})
}

// severalFinals returns the problem of n players who would play the final at several tables. It names the largest
// smaller field that the format admits.
func (f Format) severalFinals(n, tables, seatsMin, seatsMax int) *Problem {
	most := n - 1
	for ; most > 1; most-- {
		if _, sizes, err := f.stageSizes(most, seatsMin, seatsMax); err == nil && !f.severalWinners(sizes) {
			break
		}
	}
	last := len(f.Stages) - 1
	return &Problem{Key: "err_final_tables", Field: fmt.Sprintf("stages[%d].per_table", last),
		Args: map[string]any{"stage": f.Stages[last].Name, "players": n, "tables": tables, "most": most}}
}

// entrants returns how many players enter a stage, after one with tables of the given sizes.
func (s Stage) entrants(tables []int) int {
	if s.PerTable == 0 || s.Cut > 0 {
		return s.Cut
	}
	n := 0
	for _, size := range tables {
		n += min(size, s.PerTable)
	}
	return n
}

// entry checks the number of players against what the format allows.
func (f Format) entry(n int) error {
	args := map[string]any{"players": n, "min": f.PlayersMin, "max": f.PlayersMax, "step": f.PlayersStep}
	switch {
	case n < f.PlayersMin:
		return &Problem{Key: "err_entry_few", Field: "players_min", Args: args}
	case f.PlayersMax > 0 && n > f.PlayersMax:
		return &Problem{Key: "err_entry_many", Field: "players_max", Args: args}
	case f.PlayersStep > 1 && n%f.PlayersStep != 0:
		return &Problem{Key: "err_entry_step", Field: "players_step", Args: args}
	}
	return nil
}

func cutAbove(i int, s Stage, cut, players int) *Problem {
	return &Problem{Key: "err_cut_above_players", Field: fmt.Sprintf("stages[%d].cut", i),
		Args: map[string]any{"stage": s.Name, "cut": cut, "players": players}}
}

func cutBelow(i int, s Stage, best int) *Problem {
	return &Problem{Key: "err_cut_below_tables", Field: fmt.Sprintf("stages[%d].cut", i),
		Args: map[string]any{"stage": s.Name, "cut": s.Cut, "best": best}}
}

// inStage adds the name of a later stage to a seating problem. It leaves a problem of the first stage unchanged,
// because the organizer chose that number of players.
func (f Format) inStage(i int, err error) error {
	p, ok := err.(*Problem)
	if !ok || i == 0 {
		return err
	}
	s, field := f.Stages[i], fmt.Sprintf("stages[%d].cut", i)
	if s.PerTable > 0 {
		field = fmt.Sprintf("stages[%d].per_table", i)
	}
	args := map[string]any{"stage": s.Name, "players": p.Args["players"], "why": p}
	maps.Copy(args, p.Args)
	return &Problem{Key: "err_stage_unseatable", Field: field, Args: args}
}
