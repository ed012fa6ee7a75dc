package bot

import (
	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// searchMost bounds a master's search, in states looked at: what it has found by then is played.
const searchMost = 200_000

// master plays the most tiles. Where the search was stopped before it found any, a club player's eye does.
func (t Turn) master() (after [][]tile.Face, laid int) {
	best := t.best(solve.Question{Aim: solve.MostTiles})
	if best.Tiles == 0 && !best.Proven {
		return Choose(Club, t)
	}
	return best.Table, best.Tiles
}

// best asks the exact search for a play.
func (t Turn) best(q solve.Question) solve.Play {
	q.Limit = searchMost
	return engine.BestPlay(t.Rules, t.Move, q)
}
