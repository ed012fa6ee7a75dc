package engine

import "fmt"

// Refusal is why a command may not be done: a code for the machine, which the edge turns into a
// sentence of the reader's language, and its arguments. Nothing has changed.
type Refusal struct {
	Code   string `json:"code"`
	Points int    `json:"points,omitempty"` // meld_short: reached
	Need   int    `json:"need,omitempty"`   // meld_short: needed
	Set    int    `json:"set"`              // index of the offending set in the play, -1: none
	Detail string `json:"detail,omitempty"`
}

// Error is the code with its detail, in English.
func (r *Refusal) Error() string {
	if r.Detail == "" {
		return r.Code
	}
	return r.Code + ": " + r.Detail
}

func refuse(code, detail string, args ...any) *Refusal {
	return &Refusal{Code: code, Set: -1, Detail: fmt.Sprintf(detail, args...)}
}

// The refusal codes besides those of a play (judge.go).
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
	RefusedRedealClosed   = "redeal_closed"
	RefusedNoDoubles      = "no_three_doubles"
	RefusedAlreadyReady   = "already_ready"
	RefusedAlreadyCalled  = "already_called"
	RefusedNotCalled      = "not_called"
	RefusedCallTaken      = "call_taken"
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
	RefusedRuledSince     = "ruled_since"
	RefusedSeatOut        = "seat_out"
	RefusedNoProposal     = "no_proposal"
	RefusedNoRuling       = "no_ruling"
	RefusedCancelLate     = "cancel_late"
	RefusedRewind         = "rewind_invalid"
	RefusedPosition       = "position_invalid"
	RefusedTilesLie       = "tiles_lie"
)
