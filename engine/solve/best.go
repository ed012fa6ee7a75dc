package solve

import (
	"sync"

	"meldhall/engine/tile"
)

// This file keeps one invariant: whatever the position and the limit, an answer is a legal play or no play. A proven
// answer is the optimum.

// Replace is the rule for what must take the place of a joker that a play releases (engine/RULES.md section 3, 6).
type Replace int

// Free requires nothing. TableOrRack requires the joker's own tile anywhere on the table after the play, FromRack that
// tile from the rack in this turn.
const (
	Free Replace = iota
	TableOrRack
	FromRack
)

// Rules holds the fields of a rule set that a search over a table needs.
type Rules struct {
	WithRackTile bool    // a released joker must end in a set with a tile played in this turn
	Replace      Replace // what must take a released joker's place
	JokerPoints  int     // charge for a joker on the rack
}

// Position is the table before a play, with valid sets as laid, and the rack of a player who has opened. Best and
// CanPlay search positions with at most two tiles of a face on the table, at most four with the rack (a count of real
// tiles may say more than the game has), and at most two jokers, or four if released jokers are free. For any other
// position, they find no play and prove nothing.
type Position struct {
	Rules Rules
	Table [][]tile.Face
	Rack  tile.Counts
}

// Question says what to search for in a position.
type Question struct {
	Aim   Aim  // MostTiles (then value) or MostValue (then tiles)
	Keep  bool // among plays equal by the aim, choose one that keeps the most sets as they lie
	Limit int  // limits the work, in states searched; 0: no limit
}

// Play is the result of a search: the tiles to lay, and the whole table after the play.
type Play struct {
	Tiles  int
	Value  int // charge taken off the rack; jokers count Rules.JokerPoints
	Played tile.Counts
	Table  [][]tile.Face // legal sets, kept ones first in order; the old table if no tile is laid
	Kept   int           // sets of the table that lie as before; with a limit, possibly not the maximum
	Proven bool          // no legal play is better by the aim; false only at the limit
	Work   int           // states searched
}

// Best returns the best legal play of a position. It always returns a legal play, or no tiles and the unchanged table.
// Proven reports whether that is the optimum.
func Best(p Position, q Question) Play {
	s := memory.Get().(*solver)
	defer memory.Put(s)
	s.ask(p, q)
	s.optimum()
	if q.Keep {
		s.tidy()
	}
	return s.play()
}

// CanPlay reports whether any tile of the rack can be laid. limit is the number of states to search; 0 means no limit.
// proven is false if the limit was reached before the answer was certain; can is then false.
func CanPlay(p Position, limit int) (can, proven bool) {
	s := memory.Get().(*solver)
	defer memory.Put(s)
	s.ask(p, Question{Limit: limit})
	s.search.first = true
	s.optimum()
	return s.has, s.has || s.proven
}

var memory = sync.Pool{New: func() any { return newSolver(legs, fewTiles) }}

// newSolver returns a solver that searches by listing sets (few.go) up to the number of tiles few. For more tiles, it
// alternates directions as legs specifies.
func newSolver(legs [][]stage, few int) *solver {
	s := &solver{}
	s.search.join()
	s.tiles = s.search.tiles
	s.search.legs, s.few.most = legs, few
	return s
}
