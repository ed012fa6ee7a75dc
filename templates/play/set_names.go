package play

import (
	"slices"
	"strings"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// name returns the short name of a set: "red 3–5", "group of 7". If another set of the table has the same name, or the
// tiles are both a run and a group, it names the tiles.
func (w *changeWords) name(row []tile.Face) string {
	readings := tile.Readings(row)
	shared := func(other []tile.Face) bool { return alikeNamed(row, other) }
	if len(readings) != 1 || slices.ContainsFunc(w.table, shared) {
		return rowWords(w.ctx, row)
	}
	if !readings[0].Run {
		return locale.T(w.ctx, "diff.group", "number", numberOf(row))
	}
	return w.run(readings[0].First(), len(row))
}

// alikeNamed reports whether two sets with different tiles would have the same short name. Of two runs, only one with a
// joker needs another name.
func alikeNamed(row, other []tile.Face) bool {
	if tile.CountFaces(row) == tile.CountFaces(other) || !steps.Alike(row, other) {
		return false
	}
	run, ok := tile.AsRun(row)
	if !ok {
		return true
	}
	same, _ := tile.AsRun(other)
	return jokersIn(row) > 0 && len(row) == len(other) && run.First() == same.First()
}

func (w *changeWords) run(first tile.Face, n int) string {
	return locale.T(w.ctx, "diff.run."+colourName(first), "first", first.Number(), "last", first.Number()+n-1)
}

// tiles names the tiles of a row at some indexes.
func (w *changeWords) tiles(row []tile.Face, at []int) string {
	n := len(at)
	if _, run := tile.AsRun(row); run && n > 2 && at[n-1]-at[0] == n-1 && jokersIn(row[at[0]:at[0]+n]) == 0 {
		return w.run(row[at[0]], n)
	}
	names := make([]string, n)
	for k, i := range at {
		names[k] = w.tile(row, i)
	}
	return strings.Join(names, ", ")
}

// tile names the tile of a row at an index, and what it stands for if it is a joker of a run.
func (w *changeWords) tile(row []tile.Face, i int) string {
	run, ok := tile.AsRun(row)
	if !ok || !row[i].IsJoker() {
		return TileName(w.ctx, row[i])
	}
	return locale.T(w.ctx, "diff.joker_as", "tile", TileName(w.ctx, run.Stands(i).List()[0]))
}

// colours names the colours of a group.
func (w *changeWords) colours(group []tile.Face) string {
	names := make([]string, len(group))
	for i, f := range group {
		if names[i] = TileName(w.ctx, tile.Joker); !f.IsJoker() {
			names[i] = locale.T(w.ctx, "diff.colour."+colourName(f))
		}
	}
	return strings.Join(names, ", ")
}

// numberOf returns the number of a group.
func numberOf(group []tile.Face) int {
	for _, f := range group {
		if !f.IsJoker() {
			return f.Number()
		}
	}
	return 0
}

func jokersIn(row []tile.Face) int { return int(tile.CountFaces(row)[tile.Joker]) }
