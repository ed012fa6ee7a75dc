package engine

import (
	"meldhall/engine/judge"
	"meldhall/engine/tile"
)

// Strange returns the index of the first set with a tile that neither lies on the table nor is on the rack of the seat
// to move, -1 if there is none. Such a table is not only illegal: no player can have laid it.
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
