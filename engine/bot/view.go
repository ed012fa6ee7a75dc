package bot

import (
	"meldhall/engine"
	"meldhall/engine/tile"
)

// ForView chooses for the seat whose view it is, as a player's client does. It plays by the joker rules that the
// view tells. It gives the table to submit, with places, or nil when the seat should draw or, the pool being empty, pass.
func ForView(style Style, v engine.View) []engine.LaidFaces {
	t := turnOf(v)
	after, laid := Choose(style, t)
	if laid == 0 {
		return nil
	}
	table := make([]engine.LaidFaces, len(after))
	for i, set := range after {
		table[i] = engine.LaidFaces{At: engine.SomewhereFree, Faces: set}
		if style != Master && i < len(v.Table) {
			table[i].At = place(v.Table[i].At, v.Table[i].Tiles, set)
		}
	}
	return table
}

// Command is what a bot does in its turn: the play of ForView, or a draw, or, the pool being empty, a pass.
func Command(style Style, v engine.View) engine.Command {
	table := ForView(style, v)
	switch {
	case table != nil:
		return engine.Play{Seat: v.Seat, Turn: v.Turn.Number, Table: table}
	case v.Pool == 0:
		return engine.Pass{Seat: v.Seat, Turn: v.Turn.Number}
	}
	return engine.Draw{Seat: v.Seat, Turn: v.Turn.Number}
}

// turnOf reads a view. One that does not tell the joker rules is played by the strictest.
func turnOf(v engine.View) Turn {
	t := Turn{
		Rules: engine.Ruleset{MeldPoints: v.MeldPoints, JokerRelease: v.Jokers.Release, JokerReplace: v.Jokers.Replace, JokerPoints: v.Jokers.Points},
		Move:  engine.Move{Opened: v.Seats[v.Seat].Opened, Rack: v.Rack, Before: make([][]tile.Face, len(v.Table))},
		Pool:  v.Pool,
	}
	if v.Jokers.Replace == "" {
		t.Rules.JokerRelease, t.Rules.JokerReplace = engine.WithRackTile, engine.FromRack
	}
	for i, laid := range v.Table {
		t.Move.Before[i] = laid.Tiles
	}
	for i := 1; i < len(v.Seats); i++ {
		seat := v.Seats[(v.Seat+i)%len(v.Seats)]
		t.Rivals = append(t.Rivals, Rival{seat.Tiles, seat.Opened})
	}
	return t
}

// place keeps a set where it lay; one that grew at its front begins one cell earlier, if the lane has it.
func place(at int, before, after []tile.Face) int {
	grewInFront := len(after) == len(before)+1 && after[0] != before[0]
	if grewInFront && at%engine.LaneCells > 0 {
		return at - 1
	}
	return at
}
