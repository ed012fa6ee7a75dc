// Package bot plays a seat. It chooses the table that a player of a given strength would lay. It is a pure function of
// what the player knows, and cheap enough to play hundreds of tables at once.
package bot

import (
	"slices"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Style is the way in which a bot plays.
type Style int

// The styles, the weakest first. Novice lays sets from the rack and lengthens sets on the table. Club also splits runs,
// takes spare tiles off the table and frees jokers, step by step. Master searches the whole table exactly.
const (
	Novice Style = iota
	Club
	Master
)

// Styles lists all styles, the weakest first.
var Styles = []Style{Novice, Club, Master}

// String returns the name of the style: novice, club or master.
func (s Style) String() string { return [...]string{"novice", "club", "master"}[s] }

// Turn holds everything that a bot knows when it is to move. A player in its seat would know the same.
type Turn struct {
	Rules  ruleset.Ruleset // only the rules about the initial meld and jokers are used
	Move   judge.Move      // without After
	Pool   int             // tiles left to draw
	Rivals []Rival         // clockwise from the next player
}

// Rival holds what all players see of another seat.
type Rival struct {
	Tiles  int // number of tiles on the rack
	Opened bool
}

// jokersKept is the largest number of tiles on the rack at which a bot below Master lays its jokers.
const jokersKept = 7

// Choose returns the whole table after a play, which is legal under the rules, and how many rack tiles the play lays.
// If laid is 0, the bot draws or passes. Choose does not change t. With Novice and Club, old sets keep their index; new
// sets follow.
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

// hand is a play in preparation. After every step, it is a legal play or still empty.
type hand struct {
	rules ruleset.Ruleset
	move  judge.Move
	sets  [][]tile.Face
	rack  tile.Counts
	left  int // tiles on the rack
	seen  survey
}

// lay makes sets the new table and removes used from the rack, if that is a legal play. It reports whether the play is
// legal.
func (h *hand) lay(sets [][]tile.Face, used ...tile.Face) bool {
	h.move.After = sets
	if !judge.Judge(h.rules, h.move).Legal {
		return false
	}
	h.sets = sets
	for _, f := range used {
		h.rack[f]--
	}
	h.left -= len(used)
	return true
}

// with returns the table with set in place of set i, and with the sets in more at the end.
func with(sets [][]tile.Face, i int, set []tile.Face, more ...[]tile.Face) [][]tile.Face {
	after := make([][]tile.Face, len(sets), len(sets)+len(more))
	copy(after, sets)
	after[i] = set
	return append(after, more...)
}

// open lays the initial meld, without jokers if possible.
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

// play lays the sets that can be made from the rack alone, then everything else that fits, step by step.
func (h *hand) play(style Style) {
	natural := h.rack
	natural[tile.Joker] = 0
	if best, ok := (solve.Meld{}).Best(natural); ok {
		h.laySets(best.Sets)
	}
	for h.left > 0 && h.step(style) {
	}
}

// step makes the first improvement that it finds, and reports whether there was one.
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

// ForView chooses a play for the seat of a view, as a player's client does. It follows the joker rules in the view. It
// returns the table to submit, with the places of the sets, or nil if the seat should draw or, with an empty pool,
// pass.
func ForView(style Style, v engine.View) []tile.LaidFaces {
	t := turnOf(v)
	after, laid := Choose(style, t)
	if laid == 0 {
		return nil
	}
	table := make([]tile.LaidFaces, len(after))
	for i, set := range after {
		table[i] = tile.LaidFaces{At: tile.SomewhereFree, Faces: set}
		if style != Master && i < len(v.Table) {
			table[i].At = place(v.Table[i].At, v.Table[i].Tiles, set)
		}
	}
	return table
}

// Command returns what a bot does in its turn: the play of ForView or, without one, Idle.
func Command(style Style, v engine.View) engine.Command {
	if table := ForView(style, v); table != nil {
		return engine.Play{Seat: v.Seat, Turn: v.Turn.Number, Table: table}
	}
	return Idle(v)
}

// Idle returns the command of a turn in which the seat lays nothing: a draw or, if the pool is empty, a pass.
func Idle(v engine.View) engine.Command {
	if v.Pool == 0 {
		return engine.Pass{Seat: v.Seat, Turn: v.Turn.Number}
	}
	return engine.Draw{Seat: v.Seat, Turn: v.Turn.Number}
}

// turnOf converts a view to a Turn. For a view without joker rules, it assumes the strictest ones.
func turnOf(v engine.View) Turn {
	t := Turn{
		Rules: ruleset.Ruleset{MeldPoints: v.MeldPoints, JokerRelease: v.Jokers.Release, JokerReplace: v.Jokers.Replace,
			JokerPoints: v.Jokers.Points},
		Move:   judge.Move{Opened: v.Seats[v.Seat].Opened, Rack: v.Rack, Before: make([][]tile.Face, len(v.Table))},
		Pool:   v.Pool,
		Rivals: make([]Rival, 0, len(v.Seats)),
	}
	if v.Jokers.Replace == "" {
		t.Rules.JokerRelease, t.Rules.JokerReplace = ruleset.WithRackTile, ruleset.FromRack
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

// place keeps a set where it was. A set that grew at its front begins one cell earlier, if the lane has that cell.
func place(at int, before, after []tile.Face) int {
	grewInFront := len(after) == len(before)+1 && after[0] != before[0]
	if grewInFront && at%tile.LaneCells > 0 {
		return at - 1
	}
	return at
}
