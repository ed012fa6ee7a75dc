package engine

import (
	"slices"

	"meldhall/engine/ruleset"
)

// Rulings holds what officials have ruled in a game, and the penalties that the rules propose to them.
type Rulings struct {
	All        []ruled    // the oldest first, including cancelled ones
	TurnsSince int        // turns that have ended since the last ruling
	Proposed   []Proposal // penalties proposed in this deal, in the turns that stand
}

// add records a ruling.
func (r *Rulings) add(one ruled) { r.All, r.TurnsSince = append(slices.Clip(r.All), one), 0 }

// amend changes the ruling with a seq in a copy of the list, because other states share the old list.
func (r *Rulings) amend(seq int, change func(*ruled)) {
	r.All = slices.Clone(r.All)
	for i := range r.All {
		if r.All[i].Seq == seq {
			change(&r.All[i])
		}
	}
}

// find returns the ruling with a seq. ok is false if there is none.
func (r *Rulings) find(seq int) (one ruled, ok bool) {
	for _, one := range r.All {
		if one.Seq == seq {
			return one, true
		}
	}
	return ruled{}, false
}

// shown returns the ruling that is shown to the table: the last one, until the turn after the one in which it was given
// has ended.
func (r *Rulings) shown() *Ruling {
	if len(r.All) == 0 || r.TurnsSince >= rulingTurns {
		return nil
	}
	return &r.All[len(r.All)-1].Ruling
}

// rulingTurns is the number of turns during which a ruling is shown: the one in which it was given, and the next.
const rulingTurns = 2

// check refuses a ruling without a reason, and a ruling by an official who had not yet seen the latest ruling.
// Otherwise two officials could overwrite each other's rulings without noticing.
func (r *Rulings) check(c ruling) error {
	g := c.grounds()
	if n := len(r.All); g.Seen != 0 && n > 0 && r.All[n-1].Seq > g.Seen {
		return refuse(RefusedRuledSince, "%s, seq %d, came after seq %d", r.All[n-1].Kind, r.All[n-1].Seq, g.Seen)
	}
	if g.said().Reason == "" && !kindOf(c).Unreasoned {
		return refuse(RefusedReason, "a ruling needs a reason")
	}
	return nil
}

// Warnings returns the number of warnings in force, by seat.
func (r *Rulings) Warnings() (warnings [ruleset.MaxSeats]int) {
	for i := range r.All {
		if one := &r.All[i]; one.Kind == (WarningGiven{}).Kind() && one.Cancelled == 0 {
			warnings[one.Seat]++
		}
	}
	return warnings
}

// Penalties returns the number of penalty tiles in force in a deal, by seat.
func (r *Rulings) Penalties(deal int) (tiles [ruleset.MaxSeats]int) {
	for i := range r.All {
		if one := &r.All[i]; one.Kind == (PenaltyGiven{}).Kind() && one.Cancelled == 0 && one.Deal == deal {
			tiles[one.Seat] += one.Tiles
		}
	}
	return tiles
}

// refusesRedeal reports whether an official has refused the seat a redeal of a deal.
func (r *Rulings) refusesRedeal(seat, deal int) bool {
	return slices.ContainsFunc(r.All, func(one ruled) bool {
		return one.Kind == (RedealRefused{}).Kind() && one.Seat == seat && one.Deal == deal && one.Cancelled == 0
	})
}

// Undecided returns the proposals that no ruling in force has decided, the oldest first.
func (r *Rulings) Undecided() (waiting []Proposal) {
	for _, p := range r.Proposed {
		if r.decision(p.Seq) == nil {
			waiting = append(waiting, p)
		}
	}
	return waiting
}

// undecided returns the proposal with a seq, or a *Refusal if it does not wait for a decision.
func (r *Rulings) undecided(seq int) (Proposal, error) {
	i := slices.IndexFunc(r.Proposed, func(p Proposal) bool { return p.Seq == seq })
	if i < 0 || r.decision(seq) != nil {
		return Proposal{}, refuse(RefusedNoProposal, "no penalty with seq %d is waiting for a decision", seq)
	}
	return r.Proposed[i], nil
}

// decision returns the first ruling in force that decides the proposal with a seq, or nil.
func (r *Rulings) decision(seq int) *ruled {
	for i := range r.All {
		if one := &r.All[i]; one.Proposal == seq && one.Cancelled == 0 {
			return one
		}
	}
	return nil
}

// untimed returns how much later a turn would end without the ruling whose seq is without, and without the cancelled
// rulings. Each ruling in force moves the end again, by no more than it could when it was given.
func (r *Rulings) untimed(turn, without int) (off Millis) {
	given := (TimeGiven{}).Kind()
	for _, one := range r.All {
		of, _ := r.find(one.Of)
		if one.Turn != turn || one.Kind != given && of.Kind != given {
			continue
		}
		off -= one.Moved
		switch {
		case one.Kind != given:
			off = max(off, -one.Room)
		case one.Cancelled == 0 && one.Seq != without:
			off = max(off+Millis(one.Seconds)*1000, -one.Room)
		}
	}
	return off
}
