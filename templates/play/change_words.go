package play

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
)

// MostSaid is the length of ChangeWords, in characters, that a listener has patience for. With a name, it takes about
// ten seconds to listen to.
const MostSaid = 140

// ChangeWords describes the difference that a turn made to the table: "red 6 to red 3–5; new group of 7: blue, red,
// black; took blue 7 from blue 7–10". It names every tile that came from the rack or from another set. If the text
// exceeds most characters, it leaves out the least important changes and ends with their number; 0 is no limit. It
// returns "" if the table lost a tile or stayed the same.
func ChangeWords(ctx context.Context, before, after [][]tile.Face, most int) string {
	turn, ok := steps.Between(before, after)
	if !ok {
		return ""
	}
	w := changeWords{ctx: ctx, table: before, turn: turn}
	w.say()
	return w.text(most)
}

// ChangeSentence makes a sentence about the player at a seat from ChangeWords. If there are no changes, it returns the
// text otherwise.
func (g Game) ChangeSentence(ctx context.Context, seat int, changes, otherwise string) string {
	if changes == "" {
		return otherwise
	}
	return locale.T(ctx, "diff.said", "name", g.NameOf(seat), "changes", changes)
}

// LastTurn is LastWords for a listener: for a play of another player, it names the tiles instead of their number.
func (g Game) LastTurn(ctx context.Context) string {
	words, l := g.LastWords(ctx), g.View.Last
	if l == nil || l.After == nil || l.Seat == g.View.Seat {
		return words
	}
	return g.ChangeSentence(ctx, l.Seat, ChangeWords(ctx, l.Before.Faces(), l.After.Faces(), MostSaid), words)
}

// changeWords collects the changes of a turn.
type changeWords struct {
	ctx   context.Context
	table [][]tile.Face // before the turn
	turn  steps.Turn
	parts [][]int // by row of turn.Old: the rows of turn.Now into which it was split
	split []bool  // by row of turn.Old: its parts have been named
	freed []bool  // by row of turn.Old: all jokers that left it were replaced
	said  []change
}

// change is one part of the text. Changes with a high rank are left out first.
type change struct {
	rank int
	text string
}

const (
	rankRack  = iota // tiles from the rack
	rankMove         // a set that began, or got tiles, without any from the rack
	rankTook         // where tiles of a new set lay before
	rankJoker        // what a joker stands for now
)

func (w *changeWords) add(rank int, key string, nameValues ...any) {
	w.said = append(w.said, change{rank, locale.T(w.ctx, "diff."+key, nameValues...)})
}

// say collects all changes, with rows that got tiles from the rack first.
func (w *changeWords) say() {
	n := len(w.turn.Old)
	w.parts, w.split, w.freed = make([][]int, n), make([]bool, n), make([]bool, n)
	swaps, partOf := make([][]int, len(w.turn.Now)), make([]int, len(w.turn.Now))
	for j, row := range w.turn.Now {
		swaps[j], partOf[j] = w.turn.Swaps(row), w.turn.PartOf(row)
		if partOf[j] != steps.NoRow {
			w.parts[partOf[j]] = append(w.parts[partOf[j]], j)
		}
		if row.Was != steps.NoRow {
			gone := jokersIn(w.turn.Old[row.Was])
			for i, f := range row.Tiles {
				if f.IsJoker() && row.From(i) == row.Was {
					gone--
				}
			}
			w.freed[row.Was] = gone > 0 && gone <= len(swaps[j])
		}
	}
	for _, now := range []func(row steps.Row, part int) bool{
		func(_ steps.Row, part int) bool { return part != steps.NoRow },
		func(row steps.Row, part int) bool { return part == steps.NoRow && row.Racked() },
		func(row steps.Row, part int) bool { return part == steps.NoRow && !row.Racked() },
	} {
		for j, row := range w.turn.Now {
			part := partOf[j]
			if row.Was != steps.NoRow && len(w.parts[row.Was]) > 0 {
				part = row.Was
			}
			if now(row, part) {
				w.row(row, swaps[j], part)
			}
		}
	}
}

// row says what happened to a row. The tiles at the indexes in swaps replaced jokers. If the row is a part of a row
// that was split, part is that row.
func (w *changeWords) row(row steps.Row, swaps []int, part int) {
	switch {
	case part != steps.NoRow:
		w.sayParts(part)
		w.got(row, nil, part)
	case row.Was == steps.NoRow:
		w.begun(row)
	default:
		for _, i := range swaps {
			w.swapped(row, i)
		}
		w.got(row, swaps, steps.NoRow)
		w.jokers(row)
	}
}

// text joins the changes. If they are longer than most characters, it chooses the most important ones that fit.
func (w *changeWords) text(most int) string {
	order := make([]int, len(w.said))
	for i := range order {
		order[i] = i
	}
	whole := w.join(order)
	if most == 0 || utf8.RuneCountInString(whole) <= most {
		return whole
	}
	slices.SortStableFunc(order, func(a, b int) int { return w.said[a].rank - w.said[b].rank })
	const spare = 2 // other numbers may take a longer plural form
	left := most - utf8.RuneCountInString(w.more(len(order))) - spare
	chosen := order[:0:0]
	for _, i := range order {
		if n := utf8.RuneCountInString(w.said[i].text) + len(between); len(chosen) == 0 || n <= left {
			chosen = append(chosen, i)
			left -= n
		}
	}
	return w.join(chosen)
}

// between separates the changes.
const between = "; "

// join joins the chosen changes in their order, and ends with the number of the others.
func (w *changeWords) join(chosen []int) string {
	var parts []string
	for i, c := range w.said {
		if slices.Contains(chosen, i) {
			parts = append(parts, c.text)
		}
	}
	if left := len(w.said) - len(chosen); left > 0 {
		parts = append(parts, w.more(left))
	}
	return strings.Join(parts, between)
}

// more says how many changes are left out.
func (w *changeWords) more(n int) string { return locale.T(w.ctx, "diff.more", "n", n) }

// begun names a new set, and where its tiles lay before. A joker that another tile replaced has been mentioned there.
func (w *changeWords) begun(row steps.Row) {
	rank := rankMove
	if row.Racked() {
		rank = rankRack
	}
	if run, ok := tile.AsRun(row.Tiles); ok {
		last := run.First() + tile.Face(len(row.Tiles)-1)
		text := locale.T(w.ctx, "diff.new_run", "first", TileName(w.ctx, run.First()), "last", TileName(w.ctx, last))
		for i, f := range row.Tiles {
			if f.IsJoker() {
				text += ", " + w.tile(row.Tiles, i)
			}
		}
		w.said = append(w.said, change{rank, text})
	} else {
		w.add(rank, "new_group", "number", numberOf(row.Tiles), "colours", w.colours(row.Tiles))
	}
	for _, got := range row.Got {
		if got.From == steps.NoRow || w.freed[got.From] && len(got.At) == 1 && row.Tiles[got.At[0]].IsJoker() {
			continue
		}
		w.add(rankTook, "took", "tiles", w.tiles(row.Tiles, got.At), "from", w.name(w.turn.Old[got.From]))
	}
}

// got says which tiles a row got. Those at the indexes in swaps have been named. If the row is a part of a row that was
// split, split is that row.
func (w *changeWords) got(row steps.Row, swaps []int, split int) {
	to := w.name(row.Tiles)
	if row.Was != steps.NoRow && split == steps.NoRow {
		to = w.name(w.turn.Old[row.Was])
	}
	for _, got := range row.Got {
		at := slices.DeleteFunc(slices.Clone(got.At), func(i int) bool { return slices.Contains(swaps, i) })
		switch {
		case len(at) == 0 || got.From == split && split != steps.NoRow:
		case got.From == steps.NoRow && split != steps.NoRow:
			w.add(rankRack, "added", "tiles", w.tiles(row.Tiles, at))
		case got.From == steps.NoRow:
			w.add(rankRack, "add", "tiles", w.tiles(row.Tiles, at), "to", to)
		case len(at) == len(w.turn.Old[got.From]):
			w.add(rankMove, "join", "from", w.name(w.turn.Old[got.From]), "to", to)
		default:
			w.add(rankMove, "move", "tiles", w.tiles(row.Tiles, at), "from", w.name(w.turn.Old[got.From]), "to", to)
		}
	}
}

// swapped says that the tile at an index replaced a joker.
func (w *changeWords) swapped(row steps.Row, i int) {
	name, to := TileName(w.ctx, row.Tiles[i]), w.name(w.turn.Old[row.Was])
	if from := row.From(i); from != steps.NoRow {
		w.add(rankMove, "swap_from", "tile", name, "from", w.name(w.turn.Old[from]), "to", to)
		return
	}
	w.add(rankRack, "swap", "tile", name, "to", to)
}

// jokers says what the jokers that stayed in a run stand for now, if that changed.
func (w *changeWords) jokers(row steps.Row) {
	was := w.turn.Old[row.Was]
	before, ok := tile.AsRun(was)
	after, run := tile.AsRun(row.Tiles)
	if !ok || !run {
		return
	}
	var stood tile.FaceSet
	for p, f := range was {
		if f.IsJoker() {
			stood |= before.Stands(p)
		}
	}
	for i, f := range row.Tiles {
		if f.IsJoker() && row.From(i) == row.Was && after.Stands(i)&stood == 0 {
			w.add(rankJoker, "joker_now", "from", w.name(was), "tile", TileName(w.ctx, after.Stands(i).List()[0]))
		}
	}
}

// sayParts names the runs into which a run was split.
func (w *changeWords) sayParts(old int) {
	if w.split[old] {
		return
	}
	w.split[old] = true
	var runs [][]tile.Face
	rank := rankMove
	for j, row := range w.turn.Now {
		if row.Was == old || slices.Contains(w.parts[old], j) {
			runs = append(runs, row.Tiles)
			if row.Racked() {
				rank = rankRack
			}
		}
	}
	slices.SortFunc(runs, func(a, b []tile.Face) int {
		x, _ := tile.AsRun(a)
		y, _ := tile.AsRun(b)
		return int(x.First()) - int(y.First())
	})
	names := make([]string, len(runs))
	for i, run := range runs {
		names[i] = w.name(run)
	}
	w.add(rank, "split", "from", w.name(w.turn.Old[old]), "parts", strings.Join(names, ", "))
}
