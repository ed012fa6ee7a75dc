package format

import (
	"fmt"
	"slices"
)

// Limits of a format: no event comes near them, and a typing mistake is caught.
const (
	maxStages = 8
	maxRounds = 40
	maxGames  = 20
	maxCut    = 5000
)

// Validate checks every field; the first that cannot stand is a *Problem.
func (f Format) Validate() error {
	if f.Name == "" {
		return badField("name", "", "must not be empty")
	}
	if f.Version < 1 {
		return badField("version", f.Version, "must be 1 or more")
	}
	if len(f.Stages) < 1 || len(f.Stages) > maxStages {
		return badField("stages", len(f.Stages), fmt.Sprintf("must be between 1 and %d", maxStages))
	}
	for i, s := range f.Stages {
		if err := f.validateStage(i, s); err != nil {
			return err
		}
	}
	return nil
}

func (f Format) validateStage(i int, s Stage) error {
	at := func(name string) string { return fmt.Sprintf("stages[%d].%s", i, name) }
	if s.Name == "" {
		return badField(at("name"), "", "must not be empty")
	}
	for _, n := range []struct {
		name          string
		value, lo, hi int
	}{
		{"rounds", s.Rounds, 1, maxRounds},
		{"games_per_round", s.GamesPerRound, 1, maxGames},
	} {
		if n.value < n.lo || n.value > n.hi {
			return badField(at(n.name), n.value, fmt.Sprintf("must be between %d and %d", n.lo, n.hi))
		}
	}
	for _, w := range []struct {
		name, value string
		allowed     []string
	}{
		{"kind", s.Kind, []string{Preliminary, Semi, Final}},
		{"seating", s.Seating, []string{Random, ByStandings, Snake}},
		{"seat_change", s.SeatChange, []string{EveryRound, Keep}},
		{"carry_over", s.CarryOver, []string{CarryAll, CarryNone}},
	} {
		if !slices.Contains(w.allowed, w.value) {
			return badField(at(w.name), w.value, fmt.Sprintf("must be one of %q", w.allowed))
		}
	}
	return f.validateCut(i, s, at("cut"))
}

func (f Format) validateCut(i int, s Stage, field string) error {
	if i == 0 {
		if s.Cut != 0 {
			return badField(field, s.Cut, "the first stage takes everybody: must be 0")
		}
		return nil
	}
	if s.Cut < 2 || s.Cut > maxCut {
		return badField(field, s.Cut, fmt.Sprintf("must be between 2 and %d", maxCut))
	}
	if before := f.Stages[i-1].Cut; before != 0 && s.Cut >= before {
		return badField(field, s.Cut, fmt.Sprintf("must be below the %d players of the stage before", before))
	}
	if _, ok := Tables(s.Cut); !ok {
		return badField(field, s.Cut, "cannot be seated at tables of 4 and 3")
	}
	return nil
}

func badField(field string, value any, why string) *Problem {
	return &Problem{
		Key:   "err_format_field",
		Field: field,
		Args:  map[string]any{"field": field, "value": value, "why": why},
		Text:  fmt.Sprintf("%v: %s", value, why),
	}
}

// Tables gives the sizes of the tables for n players: as many fours as possible, the rest threes,
// the threes last; two players share one table. It is not ok for n = 5 and n < 2.
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

// Seat is Tables under rules that allow seatsMin to seatsMax at a table; the error, a *Problem, says
// why n players cannot be seated.
func Seat(n, seatsMin, seatsMax int) ([]int, error) {
	if n < 2 {
		return nil, &Problem{Key: "err_players_too_few", Args: map[string]any{"players": n},
			Text: fmt.Sprintf("%d players are too few", n)}
	}
	sizes, ok := Tables(n)
	if !ok {
		return nil, &Problem{Key: "err_players_unseatable", Args: map[string]any{"players": n},
			Text: fmt.Sprintf("%d players cannot be seated at tables of 4 and 3", n)}
	}
	for _, size := range sizes {
		if size < seatsMin || size > seatsMax {
			return nil, &Problem{Key: "err_table_size", Args: map[string]any{"players": n, "size": size, "min": seatsMin, "max": seatsMax},
				Text: fmt.Sprintf("%d players need a table of %d, the rules allow %d to %d", n, size, seatsMin, seatsMax)}
		}
	}
	return sizes, nil
}

// For says why n players cannot play the format at tables of seatsMin to seatsMax, as a *Problem, or
// nil when they can: n must be seatable, and no stage may take more players than there are.
func (f Format) For(n, seatsMin, seatsMax int) error {
	if _, err := Seat(n, seatsMin, seatsMax); err != nil {
		return err
	}
	for i, s := range f.Stages {
		if s.Cut > n {
			return &Problem{Key: "err_cut_above_players", Field: fmt.Sprintf("stages[%d].cut", i),
				Args: map[string]any{"stage": s.Name, "cut": s.Cut, "players": n},
				Text: fmt.Sprintf("stage %q takes %d players, there are %d", s.Name, s.Cut, n)}
		}
	}
	return nil
}
