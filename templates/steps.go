package templates

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// StepWords says one step of hands in a sentence: "Move orange 7 from orange 4, 5, 6, 7 to ….".
func StepWords(ctx context.Context, s solve.Step) string {
	key := "step." + string(s.Kind)
	switch {
	case s.Kind == solve.StepTake && s.To == nil:
		key = "step.loose"
	case s.Kind == solve.StepSwap && s.Joker != nil:
		key = "step.swap_to"
	case s.Kind == solve.StepOrder && s.To == nil:
		s.To = s.From
	}
	return T(ctx, key, "tiles", rowWords(ctx, s.Tiles), "from", changed(ctx, s.From), "to", changed(ctx, s.To), "joker", changed(ctx, s.Joker))
}

// changed names a row as it lies before the step; one that the step makes as it lies then.
func changed(ctx context.Context, c *solve.Change) string {
	switch {
	case c == nil:
		return ""
	case len(c.Before) > 0:
		return rowWords(ctx, c.Before)
	}
	return rowWords(ctx, c.After)
}

// rowWords names tiles that lie beside each other, the colour of a run once: "red 4, 5, joker", "joker, red 5, 6".
func rowWords(ctx context.Context, row []tile.Face) string {
	first := slices.IndexFunc(row, func(f tile.Face) bool { return !f.IsJoker() })
	if first < 0 || slices.ContainsFunc(row, func(f tile.Face) bool { return !f.IsJoker() && f.Colour() != row[first].Colour() }) {
		return tileNames(ctx, row)
	}
	numbers := make([]string, len(row)-first)
	for i, f := range row[first:] {
		if numbers[i] = T(ctx, "tile.joker"); !f.IsJoker() {
			numbers[i] = strconv.Itoa(f.Number())
		}
	}
	run := T(ctx, "tile."+colourName(row[first]), "number", strings.Join(numbers, ", "))
	return strings.Repeat(T(ctx, "tile.joker")+", ", first) + run
}
