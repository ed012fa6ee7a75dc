package engine

import "meldhall/engine/tile"

// Command is what somebody asks of a game: a player (Play, Draw, Pass, Redeal, Ready, CallReferee), a
// referee (AcknowledgeCall, AnswerCall, and everything with Grounds), the clock (Expire, Outage) or the event (Start).
type Command interface{ command() }

// Start deals the first racks. First is the seat that starts, or DrawForStart.
type Start struct {
	Rules Ruleset
	Seats int
	First int
	Deal  Deal
	Extra []int // by seat, seconds that each own turn is longer; nil: none
	// Physical begins a game with real tiles: there is no deal, and First DrawForStart says that the start is drawn there.
	Physical bool
}

// DrawForStart lets the seats draw for who begins.
const DrawForStart = -1

// Deal is the shuffled tiles, made outside the engine. Pool is the order in which tiles are dealt and
// drawn; Draws is the order for the draw for the start. The commitment hides both behind Salt.
type Deal struct {
	Pool  tile.List `json:"pool"`
	Draws tile.List `json:"draws,omitempty"`
	Salt  string    `json:"salt"`
}

// Play ends a turn with the whole table as it lies after it.
type Play struct {
	Seat  int
	Turn  int
	Table []LaidFaces
}

// Draw ends a turn with one tile from the pool.
type Draw struct{ Seat, Turn int }

// Pass ends a turn when the pool is empty.
type Pass struct{ Seat, Turn int }

// Ready says that a seat needs no further time before the first turn.
type Ready struct{ Seat, Turn int }

// Redeal asks for a new start for the whole table on three doubles; it carries the new shuffle.
type Redeal struct {
	Seat, Turn int
	Deal       Deal
}

// CallReferee asks for the referee, in any phase: before the deal and after the end too.
type CallReferee struct{ Seat int }

// AcknowledgeCall says that an official, By name, is on the way to a seat that calls.
type AcknowledgeCall struct {
	Seat int
	By   string
}

// AnswerCall ends a seat's call: an official, By name, is there.
type AnswerCall struct {
	Seat int
	By   string
}

// Expire says that a deadline may have passed; anybody may send it.
type Expire struct{}

// Outage stops the clock after the server was down since the given moment: the turn gets back what it
// had left then, at least 15 s, after a countdown of 10 s.
type Outage struct{ Since Millis }

func (Start) command()           {}
func (Play) command()            {}
func (Draw) command()            {}
func (Pass) command()            {}
func (Ready) command()           {}
func (Redeal) command()          {}
func (CallReferee) command()     {}
func (AcknowledgeCall) command() {}
func (AnswerCall) command()      {}
func (Expire) command()          {}
func (Outage) command()          {}
