package engine

import (
	"meldhall/engine/judge"
	"meldhall/engine/tile"
)

// Strange returns the index of the first set with a tile that is neither on the table nor on the rack of the seat to
// move, or -1 if there is none. No player can have laid such a table, so it is more than an illegal play.
func (s *State) Strange(table []tile.LaidFaces) int {
	after := make([][]tile.Face, len(table))
	for i, set := range table {
		after[i] = set.Faces
	}
	before, extra := tile.CountFaces(s.Table.Faces()...), tile.CountFaces(after...)
	for f := range extra {
		extra[f] -= min(extra[f], before[f])
	}
	return judge.Strange(after, extra, tile.CountFaces(tile.FacesOf(s.Racks[s.Turn.Seat])))
}
