package solve

import (
	"sync"

	"meldhall/engine/tile"
)

// Replace defines which tile must replace a joker that a play releases (engine/RULES.md section 3, rule 6).
type Replace int

// Free asks for nothing, TableOrRack for the joker's own tile anywhere on the table after the play, FromRack
// for that tile out of the rack in this turn.
const (
	Free Replace = iota
	TableOrRack
	FromRack
)

// Rules are the fields of a rule set that a search over a table asks for.
type Rules struct {
	WithRackTile bool    // a released joker must end in a set with a tile played in this turn
	Replace      Replace // what must take a released joker's place
	JokerPoints  int     // what a joker on the rack is charged
}

// Position is the table before a play, its sets valid as laid, and the rack of a player who has opened. Searched are those with
// two of a face on the table at most, four with the rack (a count of real tiles may say more than the game has), and two jokers,
// or four where what is released is free; about any other one nothing is found and nothing is proven.
type Position struct {
	Rules Rules
	Table [][]tile.Face
	Rack  tile.Counts
}

// Question is what is asked about a position.
type Question struct {
	Aim   Aim  // MostTiles (then value) or MostValue (then tiles)
	Keep  bool // among plays that are equal by aim, one that keeps the most of the table's sets as they lie
	Limit int  // bounds the work, in states looked at; 0: no bound
}

// Play is an answer: what to lay, and the whole table after it.
type Play struct {
	Tiles  int
	Value  int // charge taken off the rack: faces as printed, jokers as Rules.JokerPoints
	Played tile.Counts
	Table  [][]tile.Face // legal sets, those kept of the old table first, in their order; the table itself when nothing is laid
	Kept   int           // how many sets of the table lie as they did; with a limit perhaps not the most
	Proven bool          // no legal play is better by the aim; false only when the limit was reached
	Work   int           // states looked at
}

// Best finds the best legal play of a position. It always answers with a legal play, or with no tiles and the
// table as it is; Proven tells whether that is the optimum.
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

// CanPlay tells whether any tile of the rack can be laid. proven is false when the limit (states looked at; 0:
// none) was reached before either was certain; can is then false.
func CanPlay(p Position, limit int) (can, proven bool) {
	s := memory.Get().(*solver)
	defer memory.Put(s)
	s.ask(p, Question{Limit: limit})
	s.first = true
	s.optimum()
	return s.has, s.has || s.proven
}

var memory = sync.Pool{New: func() any { return newSolver(legs, fewTiles) }}

// newSolver makes one that lists the sets of at most this many tiles, and takes turns as the legs say where there are more.
func newSolver(legs [][]stage, few int) *solver {
	s := &solver{search: search{legs: legs}}
	s.few.most = few
	return s
}
