package engine

import (
	"fmt"

	"meldhall/engine/ruleset"
	"meldhall/engine/shuffle"
	"meldhall/engine/tile"
)

// A Command is a request to a game. It comes from a player (Play, Draw, Pass, PressKey, Redeal, Ready, CallReferee,
// WithdrawCall), a table with real tiles (ChooseStarter, EndTurn, PoolEmptied, CountRacks), a referee (AcknowledgeCall,
// AnswerCall, and every command with Grounds), the clock (Expire, Outage) or the tournament (Start, StartHeld).
type Command interface {
	decide(s *State, at Millis) ([]Event, error) // does not change the state
}

// Start deals the first racks. First is the seat that starts, or DrawForStart.
type Start struct {
	Rules ruleset.Ruleset
	Seats int
	First int
	Deal  Deal
	Extra []int // extra seconds for each turn, by seat; nil: none
	// Physical begins a game with real tiles. Nothing is dealt, and DrawForStart in First means that the draw is held
	// at the table.
	Physical bool
}

// DrawForStart lets the seats draw for the start.
const DrawForStart = -1

// A Deal holds the shuffled tiles, which the caller provides. Pool is the order in which tiles are dealt and drawn.
// Draws is the order for the draw for the start. The commitment hides both behind Salt. If Joint is set, the rest
// follows from it: the players' devices took part in the shuffle.
type Deal struct {
	Pool  tile.List      `json:"pool"`
	Draws tile.List      `json:"draws,omitempty"`
	Salt  string         `json:"salt"`
	Joint *shuffle.Joint `json:"joint,omitempty"`
}

// Dealt returns the deal that follows from a joint shuffle. Only a game's first deal has Draws.
func Dealt(j shuffle.Joint) Deal {
	d := Deal{Pool: j.Pool(), Salt: j.Salt(), Joint: &j}
	if j.Deal == 1 {
		d.Draws = j.Draws()
	}
	return d
}

// Play ends a turn with the whole table as it is after the play.
type Play struct {
	Seat  int
	Turn  int
	Table []tile.LaidFaces
}

// Draw ends a turn with one tile from the pool.
type Draw struct{ Seat, Turn int }

// Pass ends a turn when the pool is empty.
type Pass struct{ Seat, Turn int }

// PressKey says that the player to move has begun to hold down a key that ends the turn. The tablet sends the turn's
// command only after PressTime, and PressKey keeps the turn open that long.
type PressKey struct{ Seat, Turn int }

// Ready says that a seat needs no more time before the first turn.
type Ready struct{ Seat, Turn int }

// Redeal asks for a new deal for the whole table because of three doubles. It carries the new shuffle.
type Redeal struct {
	Seat, Turn int
	Deal       Deal
}

// CallReferee calls the referee. It is allowed in any phase, including before the deal and after the end.
type CallReferee struct{ Seat int }

// WithdrawCall takes a seat's call back before an official is on the way.
type WithdrawCall struct{ Seat int }

// AcknowledgeCall says that the official named By is on the way to a seat that calls.
type AcknowledgeCall struct {
	Seat int
	By   string
}

// AnswerCall ends a seat's call: the official named By has arrived.
type AnswerCall struct {
	Seat int
	By   string
}

// Expire says that a deadline may have passed. Any client may send it.
type Expire struct{}

// Outage stops the clock after the server has been down since the given moment. After a countdown of 10 s, the turn
// continues with the time that it had left at that moment, but at least 15 s.
type Outage struct{ Since Millis }

// A Refusal says why a command is not allowed. It has a code, which the caller translates for the reader, and the
// code's arguments. The state has not changed.
type Refusal struct {
	Code   string `json:"code"`
	Points int    `json:"points,omitempty"` // meld_short: points reached; a count: the number that is wrong
	Need   int    `json:"need,omitempty"`   // meld_short: points needed; a count: the number that the rules require
	Set    int    `json:"set"`              // index of the offending set of a play or seat of a count; -1: none
	Detail string `json:"detail,omitempty"`
}

// Error returns the code with its detail, in English.
func (r *Refusal) Error() string {
	if r.Detail == "" {
		return r.Code
	}
	return r.Code + ": " + r.Detail
}

func refuse(code, detail string, args ...any) *Refusal {
	return &Refusal{Code: code, Set: -1, Detail: fmt.Sprintf(detail, args...)}
}

// The refusal codes other than those of a play (package judge).
const (
	RefusedAlreadyStarted = "already_started"
	RefusedNotStarted     = "not_started"
	RefusedNotBegun       = "not_begun"
	RefusedGameOver       = "game_over"
	RefusedBadDeal        = "deal_incomplete"
	RefusedSeats          = "seats_out_of_range"
	RefusedSeat           = "seat_unknown"
	RefusedNotYourTurn    = "not_your_turn"
	RefusedStaleTurn      = "stale_turn"
	RefusedPaused         = "paused"
	RefusedNotPaused      = "not_paused"
	RefusedPoolEmpty      = "pool_empty"
	RefusedPoolNotEmpty   = "pool_not_empty"
	RefusedRedealOff      = "redeal_off"
	RefusedRedealClosed   = "redeal_closed"
	RefusedRedealRefused  = "redeal_refused"
	RefusedRedealRight    = "redeal_no_right"
	RefusedNoDoubles      = "no_three_doubles"
	RefusedAlreadyReady   = "already_ready"
	RefusedAlreadyCalled  = "already_called"
	RefusedTimeCalled     = "time_already_called"
	RefusedNotCalled      = "not_called"
	RefusedCallTaken      = "call_taken"
	RefusedCallComing     = "call_coming"
	RefusedReason         = "reason_missing"
	RefusedAmount         = "amount_out_of_range"
	RefusedNotDue         = "not_due"
	RefusedNoLimit        = "no_deadline"
	RefusedLeftovers      = "leftovers_invalid"
	RefusedPhysical       = "physical_table"
	RefusedDigital        = "digital_table"
	RefusedNoStarter      = "starter_missing"
	RefusedCounting       = "racks_counting"
	RefusedPassed         = "passed_nothing_laid"
	RefusedCountSeats     = "count_seats"
	RefusedCountEnding    = "count_ending"
	RefusedCountFace      = "count_face"
	RefusedCountFew       = "count_few"
	RefusedCountMany      = "count_many"
	RefusedCountAble      = "count_able"
	RefusedCountEmpty     = "count_empty"
	RefusedCountLoser     = "count_loser"
	RefusedCountWinner    = "count_winner"
	RefusedCountUnopened  = "count_unopened"
	RefusedCountSum       = "count_sum"
	RefusedCountRack      = "count_rack"
	RefusedCountTiles     = "count_tiles"
	RefusedCountOut       = "count_out"
	RefusedCountLowest    = "count_lowest"
	RefusedRuledSince     = "ruled_since"
	RefusedSeatOut        = "seat_out"
	RefusedNoProposal     = "no_proposal"
	RefusedNoRuling       = "no_ruling"
	RefusedCancelLate     = "cancel_late"
	RefusedRewind         = "rewind_invalid"
	RefusedPosition       = "position_invalid"
	RefusedTilesLie       = "tiles_lie"
	RefusedHeld           = "held"
)
