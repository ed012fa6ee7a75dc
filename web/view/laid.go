package view

import (
	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/game"
)

// DraftTable returns the table as in the draft, with the rack's tiles marked as new. If the draft is impossible with
// the tiles on the table and the rack, DraftTable returns the committed table.
func DraftTable(snap *game.Snapshot) []tile.LaidView {
	committed := engine.ViewFor(&snap.State, engine.Spectator).Table
	before := tile.CountFaces(snap.State.Table.Faces()...)
	table := tile.Placed(snap.Draft.Table)
	for _, set := range table {
		if set.At < 0 {
			return committed
		}
	}
	after := tile.CountFaces(setsOf(table)...)
	if !before.Within(after) {
		return committed
	}
	laid := after.Minus(before)
	if !laid.Within(tile.CountFaces(tile.FacesOf(snap.State.Racks[snap.Draft.Seat]))) {
		return committed
	}
	return markLaid(committed, table, laid)
}

// markLaid returns a table of sets with the newly laid tiles marked, compared with the committed table.
func markLaid(committed []tile.LaidView, sets []tile.LaidFaces, laid tile.Counts) []tile.LaidView {
	lay := map[int]tile.Face{} // tiles by cell, to distinguish a tile that stayed from a new copy
	for _, set := range committed {
		for i, f := range set.Tiles {
			lay[set.At+i] = f
		}
	}
	table := make([]tile.LaidView, len(sets))
	for _, skipped := range []bool{true, false} { // a copy in its old cell is the last candidate for a new tile
		for i, set := range sets {
			table[i].At, table[i].Tiles = set.At, set.Faces
			for j, f := range set.Faces {
				was, ok := lay[set.At+j]
				if (ok && was == f) == skipped || laid[f] == 0 {
					continue
				}
				laid[f]--
				table[i].New = append(table[i].New, j)
			}
		}
	}
	return table
}

func cardFaces(s engine.State) []tile.LaidFaces {
	var sets []tile.LaidFaces
	for _, set := range engine.ViewFor(&s, engine.Spectator).Table {
		sets = append(sets, tile.LaidFaces{At: set.At, Faces: set.Tiles})
	}
	return sets
}

func asViews(sets []tile.LaidFaces) []tile.LaidView {
	views := make([]tile.LaidView, len(sets))
	for i, set := range sets {
		views[i] = tile.LaidView{At: set.At, Tiles: set.Faces}
	}
	return views
}

// laidSince returns a table of sets with the tiles marked that were not on the base table.
func laidSince(base, sets []tile.LaidFaces) []tile.LaidView {
	before, after := tile.CountFaces(setsOf(base)...), tile.CountFaces(setsOf(sets)...)
	for f := range after {
		after[f] -= min(after[f], before[f])
	}
	return markLaid(asViews(base), tile.Placed(sets), after)
}

func setsOf(table []tile.LaidFaces) [][]tile.Face {
	sets := make([][]tile.Face, len(table))
	for i, set := range table {
		sets[i] = set.Faces
	}
	return sets
}

// moved returns the tiles that a move laid and took back. If there are none, it returns the tiles that changed their
// place.
func moved(before, after []tile.LaidFaces) (laid, back, over []tile.Face) {
	was, is := tile.CountFaces(setsOf(before)...), tile.CountFaces(setsOf(after)...)
	for f := range is {
		for range max(0, int(is[f])-int(was[f])) {
			laid = append(laid, tile.Face(f))
		}
		for range max(0, int(was[f])-int(is[f])) {
			back = append(back, tile.Face(f))
		}
	}
	if len(laid)+len(back) > 0 {
		return laid, back, nil
	}
	lay := map[int]tile.Face{}
	for _, set := range before {
		for i, f := range set.Faces {
			lay[set.At+i] = f
		}
	}
	for _, set := range after {
		for i, f := range set.Faces {
			if was, ok := lay[set.At+i]; (!ok || was != f) && len(over) < movedMost {
				over = append(over, f)
			}
		}
	}
	return nil, nil, over
}

// movedMost is how many of the tiles that only changed their place are shown.
const movedMost = 8
