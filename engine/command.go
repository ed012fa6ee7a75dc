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

// Ready says that a seat needs no more time before the first turn.
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

// Grounds is what every official's ruling says of itself.
type Grounds struct {
	// Seen is the seq of the state that the official looked at; another ruling after it refuses this one
	// (faults.md 33). 0: whatever has happened.
	Seen   int
	Rule   string // the article of the regulations, empty for none
	Reason string
	By     string // the official's name
}

// grounded is a command that an official gives.
type grounded interface{ grounds() Grounds }

func (g Grounds) grounds() Grounds { return g }

// PauseClock stops the clock of a game; Resume lets it run on after a countdown.
type PauseClock struct{ Grounds }

// Resume ends a referee's pause.
type Resume struct{ Grounds }

// GiveTime moves the running deadline by a number of seconds.
type GiveTime struct {
	Grounds
	Seconds int
}

// Penalise lets a seat draw penalty tiles; none is a notice. Proposal is the seq of the proposed penalty that it
// decides, 0 for none.
type Penalise struct {
	Grounds
	Seat, Tiles int
	Proposal    int
}

// WaivePenalty decides that a proposed penalty is not given.
type WaivePenalty struct {
	Grounds
	Proposal int
}

// Warn is a warning that is kept with the seat.
type Warn struct {
	Grounds
	Seat int
}

// SkipTurn ends the running turn with nothing.
type SkipTurn struct {
	Grounds
	Turn int
}

// RuleIllegal rules that what lies in the running turn is an illegal play: the table is as it was, the seat draws
// so many tiles, and the turn is over.
type RuleIllegal struct {
	Grounds
	Turn, Tiles int
}

// CallTime ends a game after the running lap.
type CallTime struct{ Grounds }

// RuleLeftovers takes tiles whose place nobody knows off the table; Table is what stays.
type RuleLeftovers struct {
	Grounds
	Seat  int
	Tiles []tile.Face
	Table []LaidFaces
}

// GrantRedeal deals anew at a seat's wish, with three doubles or without, as long as no tile lies.
type GrantRedeal struct {
	Grounds
	Seat int
	Deal Deal
}

// RefuseRedeal takes a seat's right to a redeal.
type RefuseRedeal struct {
	Grounds
	Seat int
}

// ForfeitSeat lets a seat play no more: it has no turn and cannot win, and its rack is charged.
type ForfeitSeat struct {
	Grounds
	Seat         int
	Disqualified bool
}

// CancelRuling takes back what another ruling did, as far as that can be: penalty tiles, notices, warnings, time
// given in the running turn, time called, a forfeit, a refused redeal. Of is the seq of its event.
type CancelRuling struct {
	Grounds
	Of int
}

// Rewind goes back to the start of a turn. To is the state at that start, as the log gives it; what was ruled
// since about penalty tiles is kept.
type Rewind struct {
	Grounds
	Turn int
	To   State
}

// SetPosition puts the game as it lies on a real table, with Seat to move. Racks are by seat, nil for one that stays
// as it is; what is named nowhere is in the pool.
type SetPosition struct {
	Grounds
	Seat  int
	Table []LaidFaces
	Racks [][]tile.Face
}

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
func (PauseClock) command()      {}
func (Resume) command()          {}
func (GiveTime) command()        {}
func (Penalise) command()        {}
func (WaivePenalty) command()    {}
func (Warn) command()            {}
func (SkipTurn) command()        {}
func (RuleIllegal) command()     {}
func (GrantRedeal) command()     {}
func (RefuseRedeal) command()    {}
func (ForfeitSeat) command()     {}
func (CancelRuling) command()    {}
func (Rewind) command()          {}
func (SetPosition) command()     {}
func (CallTime) command()        {}
func (RuleLeftovers) command()   {}
