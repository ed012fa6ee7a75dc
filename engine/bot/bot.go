// Package bot plays a seat: it chooses the table that a player of some strength would lay. It is a pure
// function of what the player knows, and cheap enough to play hundreds of tables at once.
package bot

import (
	"slices"

	"meldhall/engine"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Style is how a bot plays.
type Style int

// The styles, the weakest first. Novice lays sets out of the rack and lengthens what lies on the table; Club also
// splits runs, takes spare tiles off the table and frees jokers, step by step; Master searches the whole table exactly.
const (
	Novice Style = iota
	Club
	Master
)

// Styles are all styles, the weakest first.
var Styles = []Style{Novice, Club, Master}

// String is the style's name: novice, club, master.
func (s Style) String() string { return [...]string{"novice", "club", "master"}[s] }

// Turn is what a bot knows when it is to move, all of it known to its player.
type Turn struct {
	Rules  engine.Ruleset // of which it asks for those of the initial meld and of jokers
	Move   engine.Move    // but for After
	Pool   int            // tiles left to draw
	Rivals []Rival        // clockwise from the next player
}

// Rival is what everybody sees of another seat.
type Rival struct {
	Tiles  int // on the rack
	Opened bool
}

// jokersKept is how many tiles a bot still has when it begins to spend the jokers of its rack.
const jokersKept = 7

// Choose gives the whole table after a play, legal under the rules, and how many rack tiles it lays; 0 tiles mean
// that the bot draws or passes. t is not changed. The sets of a novice and a club player keep their index,
// new ones follow.
func Choose(style Style, t Turn) (after [][]tile.Face, laid int) {
	if style == Master {
		return t.master()
	}
	h := hand{
		rules: t.Rules,
		move:  t.Move,
		sets:  t.Move.Before,
		rack:  tile.CountFaces(t.Move.Rack),
		left:  len(t.Move.Rack),
	}
	if t.Move.Opened {
		h.play(style)
	} else {
		h.open()
	}
	return h.sets, len(t.Move.Rack) - h.left
}

// hand is a play in the making. After every step it is a legal play, or none yet.
type hand struct {
	rules engine.Ruleset
	move  engine.Move
	sets  [][]tile.Face
	rack  tile.Counts
	left  int // tiles on the rack
	seen  survey
}

// lay makes sets the table if that is a legal play, with used gone from the rack.
func (h *hand) lay(sets [][]tile.Face, used ...tile.Face) bool {
	h.move.After = sets
	if !engine.Judge(h.rules, h.move).Legal {
		return false
	}
	h.sets = sets
	for _, f := range used {
		h.rack[f]--
	}
	h.left -= len(used)
	return true
}

// with gives the table with set number i replaced and more sets at the end.
func with(sets [][]tile.Face, i int, set []tile.Face, more ...[]tile.Face) [][]tile.Face {
	after := make([][]tile.Face, len(sets), len(sets)+len(more))
	copy(after, sets)
	after[i] = set
	return append(after, more...)
}

// open lays the initial meld: without jokers if it can be done, else with them.
func (h *hand) open() {
	natural := h.rack
	natural[tile.Joker] = 0
	if h.openWith(natural) || h.rack[tile.Joker] == 0 {
		return
	}
	h.openWith(h.rack)
}

func (h *hand) openWith(rack tile.Counts) bool {
	meld := solve.Meld{Points: h.rules.MeldPoints, Relief: h.rules.LastToOpenRelief && h.move.Relief}
	best, ok := meld.Best(rack)
	return ok && h.laySets(best.Sets)
}

func (h *hand) laySets(sets [][]tile.Face) bool {
	return h.lay(append(slices.Clip(h.sets), sets...), slices.Concat(sets...)...)
}

// play lays what the rack holds, then whatever else fits, step by step.
func (h *hand) play(style Style) {
	natural := h.rack
	natural[tile.Joker] = 0
	if best, ok := (solve.Meld{}).Best(natural); ok {
		h.laySets(best.Sets)
	}
	for h.left > 0 && h.step(style) {
	}
}

// step makes the first improvement that it finds.
func (h *hand) step(style Style) bool {
	h.seen = surveyOf(h.sets, h.rack)
	if style == Club && h.free((*hand).useWithPair) || h.lengthen() {
		return true
	}
	if style == Club && (h.split() || h.free((*hand).useAlong) || h.combine()) {
		return true
	}
	return h.rack[tile.Joker] > 0 && h.left <= jokersKept && (h.spendOnPair() || h.spendAnywhere())
}

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

		Rivals: make([]Rival, 0, len(v.Seats)),
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
