package bot

import (
	"meldhall/engine"
	"meldhall/engine/tile"
)

// ForView chooses for the seat whose view it is, as a player's client does: it knows the points of an
// opening and plays by the strictest joker rules, so that the play is legal under any rule set. It gives the table to submit,
// with places, or nil when the seat should draw or, the pool being empty, pass.
func ForView(style Style, v engine.View) []engine.LaidFaces {
	strictest := engine.Ruleset{MeldPoints: v.MeldPoints, JokerRelease: engine.WithRackTile, JokerReplace: engine.FromRack}
	before := make([][]tile.Face, len(v.Table))
	for i, laid := range v.Table {
		before[i] = laid.Tiles
	}
	after, laid := Choose(style, strictest, v.Seats[v.Seat].Opened, before, v.Rack, false)
	if laid == 0 {
		return nil
	}
	table := make([]engine.LaidFaces, len(after))
	for i, set := range after {
		table[i] = engine.LaidFaces{At: engine.SomewhereFree, Faces: set}
		if i < len(before) {
			table[i].At = place(v.Table[i].At, before[i], set)
		}
	}
	return table
}

// place keeps a set where it lay; one that grew at its front begins one cell earlier, if the lane has it.
func place(at int, before, after []tile.Face) int {
	grewInFront := len(after) == len(before)+1 && after[0] != before[0]
	if grewInFront && at%engine.LaneCells > 0 {
		return at - 1
	}
	return at
}
