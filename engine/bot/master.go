package bot

import (
	"meldhall/engine/judge"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

const (
	// searchMost limits a master's search, in states. The best play found by then is played.
	searchMost = 200_000
	// opensWithJoker is the largest number of tiles on a rival's rack at which a master uses a joker to open. While all
	// rivals have more tiles, the master waits for an opening without a joker.
	opensWithJoker = 11
	// spendsJoker is the largest number of tiles on a rival's rack at which a master uses a joker without going out.
	// The game may then end before the master's next turn, and a joker on the rack is expensive.
	spendsJoker = 2
)

// master lays the most tiles, then the most value, by exact search. It keeps its jokers for the turn in which they
// empty the rack, because nearly every last tile can be laid with a joker. If the search reached its limit before it
// found any play, master plays like Club.
func (t Turn) master() (after [][]tile.Face, laid int) {
	best := t.most()
	if best.Tiles == 0 && !best.Proven {
		return Choose(Club, t)
	}
	spends := best.Played[tile.Joker] > 0 && best.Tiles < len(t.Move.Rack)
	patience := spendsJoker
	if !t.Move.Opened {
		patience = opensWithJoker
	}
	if spends && t.least() > patience {
		best = t.withoutJokers().most()
	}
	return best.Table, best.Tiles
}

func (t Turn) most() solve.Play {
	return judge.BestPlay(t.Rules, t.Move, solve.Question{Aim: solve.MostTiles, Limit: searchMost})
}

// least returns the number of tiles on the rack of the rival who has the fewest.
func (t Turn) least() int {
	least := tile.Count
	for _, r := range t.Rivals {
		least = min(least, r.Tiles)
	}
	return least
}

func (t Turn) withoutJokers() Turn {
	rack := make([]tile.Face, 0, len(t.Move.Rack))
	for _, f := range t.Move.Rack {
		if f != tile.Joker {
			rack = append(rack, f)
		}
	}
	t.Move.Rack = rack
	return t
}
