package engine

import (
	"slices"
	"strconv"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Proposal is a penalty that the rules require and that an official decides on. Seq is the seq of its event.
type Proposal struct {
	Seq   int    `json:"seq"`
	Seat  int    `json:"seat"`
	Tiles int    `json:"tiles" doc:"the number of penalty tiles that the rules require"`
	Cause string `json:"cause" enum:"timeout,idle,illegal"`
	At    Millis `json:"at"`
}

// Reason returns the canned reason of a proposed penalty, with its article of the regulations.
func (p Proposal) Reason() RulingReason { return causeReasons[p.Cause] }

// timeReasons and illegalReason are the reasons for which the rules themselves give a penalty.
var (
	timeReasons   = []RulingReason{{"timeout", "4.4"}, {"idle", "4.5"}}
	illegalReason = RulingReason{"not_legal", "4.6"}
	causeReasons  = map[string]RulingReason{CauseTimeout: timeReasons[0], CauseIdle: timeReasons[1],
		CauseIllegal: illegalReason}
)

// The causes of a proposed penalty: a time-out with the table disturbed, one with the table as it was, an illegal play.
const (
	CauseTimeout = "timeout"
	CauseIdle    = "idle"
	CauseIllegal = "illegal"
)

// automatic returns how many of n penalty tiles are drawn without an official.
func automatic(r *ruleset.Ruleset, n int) int {
	if r.Penalties == ruleset.Proposed {
		return 0
	}
	return n
}

// withProposal adds the proposal of a penalty to events, if the rules want one and the game continues.
func (s *State) withProposal(events []Event, n int, cause string) []Event {
	if n == 0 || automatic(&s.Rules, n) == n || ended(events) {
		return events
	}
	return append(events, PenaltyProposed{Stamp{events[0].When()}, s.Turn.Seat, n, cause})
}

func ended(events []Event) bool {
	switch events[len(events)-1].(type) {
	case GameEnded, PlayEnded:
		return true
	}
	return false
}

// PenaltyProposed follows a time-out or an illegal play under penalties: proposed. An official decides.
type PenaltyProposed struct {
	Stamp
	Seat  int    `json:"seat"`
	Tiles int    `json:"tiles"`
	Cause string `json:"cause"` // timeout | idle | illegal
}

// Kind returns the event's name in the log.
func (PenaltyProposed) Kind() string { return "penalty_proposed" }

// Penalise makes a seat draw penalty tiles; 0 tiles is a notice. Proposal is the seq of the proposed penalty that it
// decides, or 0.
type Penalise struct {
	Grounds
	Seat, Tiles int
	Proposal    int
}

// PenaltyGiven is a referee's penalty in tiles. Asked is the number that was ruled; the pool may have had fewer.
type PenaltyGiven struct {
	Stamp
	Seat  int       `json:"seat"`
	Tiles tile.List `json:"tiles"`
	Count int       `json:"count,omitempty"` // physical: tiles drawn by hand
	Said
	Turn     Turn `json:"turn"`
	Asked    int  `json:"asked,omitempty"`
	Proposal int  `json:"proposal,omitempty"`
}

// Kind returns the event's name in the log.
func (PenaltyGiven) Kind() string { return "penalty_given" }

// NoticeGiven is a penalty of no tiles.
type NoticeGiven struct {
	atSeat
	Said
	Proposal int `json:"proposal,omitempty"`
}

// Kind returns the event's name in the log.
func (NoticeGiven) Kind() string { return "notice_given" }

// decide makes a seat draw tiles, or gives it a notice. The current turn continues. If the penalty takes the pool's
// last tile, every seat has one more turn after it.
func (c Penalise) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if c.Proposal != 0 {
		switch p, err := s.Rulings.undecided(c.Proposal); {
		case err != nil:
			return nil, err
		case p.Seat != c.Seat:
			return nil, refuse(RefusedSeat, "the penalty is proposed for seat %d", p.Seat)
		}
	}
	if c.Tiles < 0 || c.Tiles > ruleset.MaxPenaltyTiles {
		return nil, refuse(RefusedAmount, "%d penalty tiles: must be 0 to %d", c.Tiles, ruleset.MaxPenaltyTiles)
	}
	if c.Tiles == 0 {
		return []Event{NoticeGiven{atSeat{Stamp{at}, c.Seat}, c.said(), c.Proposal}}, nil
	}
	if s.Phase == PhaseDealt {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	return []Event{PenaltyGiven{Stamp{at}, c.Seat, s.top(c.Tiles), s.byHand(c.Tiles), c.said(), s.Turn, c.Tiles,
		c.Proposal}}, nil
}

func (e PenaltyGiven) tell(r *ruled, _ State) bool {
	r.Seat, r.Tiles, r.Drawn, r.Asked, r.Proposal = e.Seat, len(e.Tiles)+e.Count, e.Tiles, max(e.Asked, len(e.Tiles)),
		e.Proposal
	return true
}

func (e PenaltyGiven) apply(s State) State {
	s.draw(e.Seat, e.Tiles)
	s.Turn = e.Turn
	s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat, Drawn: e.Tiles, Count: e.Count}, s.Seats)
	return s
}

func (e PenaltyGiven) behind(State, []Event, map[int]State) Command {
	asked := e.Asked
	if asked == 0 { // older games do not store it
		asked = max(len(e.Tiles)+e.Count, 1)
	}
	return Penalise{Grounds: e.Said.grounds(), Seat: e.Seat, Tiles: asked, Proposal: e.Proposal}
}

func (PenaltyGiven) cancel(s State, of ruled, e *RulingCancelled) error {
	if of.Deal != s.Deal {
		return refuse(RefusedCancelLate, "the tiles were dealt again after seq %d", of.Seq)
	}
	e.Tiles = taken(s.Racks[of.Seat], of.Drawn)
	e.Top, e.Refills = len(e.Tiles) > 0 && s.PoolSince == of.Seq, s.PoolEmpty && of.Tiles > 0
	switch {
	case e.Refills && (s.Ending == ruleset.EndedLastLap || s.Ending == ruleset.EndedStuck):
		return refuse(RefusedCancelLate, "play has ended since: rewind instead")
	case !s.Physical && len(e.Tiles) == len(s.Racks[of.Seat]):
		return refuse(RefusedCancelLate, "that would empty the rack: rewind instead")
	}
	return nil
}

func (PenaltyGiven) cancelled(s State, e RulingCancelled) State {
	s.Racks[e.Seat] = without(s.Racks[e.Seat], e.Tiles)
	if s.Pool = slices.Concat(s.Pool, e.Tiles); e.Top {
		s.Pool = slices.Concat(e.Tiles, s.Pool[:len(s.Pool)-len(e.Tiles)])
	}
	s.PoolEmpty = s.PoolEmpty && !e.Refills
	s.Actions.add(Last{Kind: e.Kind(), Seat: e.Seat}, s.Seats)
	return s
}

func (e NoticeGiven) tell(r *ruled, before State) bool {
	r.Proposal = e.Proposal
	return e.atSeat.tell(r, before)
}

func (e NoticeGiven) apply(s State) State { return s }

func (e NoticeGiven) behind(State, []Event, map[int]State) Command {
	return Penalise{Grounds: e.Said.grounds(), Seat: e.Seat, Proposal: e.Proposal}
}

func (NoticeGiven) cancel(State, ruled, *RulingCancelled) error { return nil }

func (NoticeGiven) cancelled(s State, _ RulingCancelled) State { return s }

// WaivePenalty decides not to give a proposed penalty.
type WaivePenalty struct {
	Grounds
	Proposal int
}

// PenaltyWaived says that a proposed penalty is not given.
type PenaltyWaived struct {
	atSeat
	Proposal int `json:"proposal"`
	Said
}

// Kind returns the event's name in the log.
func (PenaltyWaived) Kind() string { return "penalty_waived" }

func (c WaivePenalty) decide(s *State, at Millis) ([]Event, error) {
	p, err := s.Rulings.undecided(c.Proposal)
	if err != nil {
		return nil, err
	}
	return []Event{PenaltyWaived{atSeat{Stamp{at}, p.Seat}, p.Seq, c.said()}}, nil
}

func (e PenaltyWaived) tell(r *ruled, before State) bool {
	r.Proposal = e.Proposal
	return e.atSeat.tell(r, before)
}

func (e PenaltyWaived) apply(s State) State { return s }

func (e PenaltyWaived) behind(State, []Event, map[int]State) Command {
	return WaivePenalty{Grounds: e.Said.grounds(), Proposal: e.Proposal}
}

func (PenaltyWaived) cancel(State, ruled, *RulingCancelled) error { return nil }

func (PenaltyWaived) cancelled(s State, _ RulingCancelled) State { return s }

// Warn gives a seat a warning, which stays on its record.
type Warn struct {
	Grounds
	Seat int
}

// WarningGiven is a warning that stays on the seat's record.
type WarningGiven struct {
	atSeat
	Said
}

// Kind returns the event's name in the log.
func (WarningGiven) Kind() string { return "warning_given" }

func (c Warn) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	return []Event{WarningGiven{atSeat{Stamp{at}, c.Seat}, c.said()}}, nil
}

func (WarningGiven) apply(s State) State { return s }

func (e WarningGiven) behind(State, []Event, map[int]State) Command {
	return Warn{Grounds: e.Said.grounds(), Seat: e.Seat}
}

func (WarningGiven) cancel(State, ruled, *RulingCancelled) error { return nil }

func (WarningGiven) cancelled(s State, _ RulingCancelled) State { return s }

// RulingUse returns the name under which the ruling of an event is counted for the officials' keys: the name of its
// kind or, for a penalty, the PenaltyUse of its tiles. It is empty for other events, and for a decision on a penalty
// that the server proposed, which has no key of its own.
func RulingUse(e Event) string {
	kind, ok := RulingKindOf(e.Kind())
	if !ok {
		return ""
	}
	switch e := e.(type) {
	case PenaltyGiven:
		if e.Proposal != 0 {
			return ""
		}
		return PenaltyUse(max(e.Asked, len(e.Tiles)+e.Count))
	case NoticeGiven:
		if e.Proposal != 0 {
			return ""
		}
		return PenaltyUse(0)
	}
	return kind.Name
}

// PenaltyUse returns the name that RulingUse gives a penalty of n tiles; 4 stands for four or more.
func PenaltyUse(n int) string { return "penalty." + strconv.Itoa(min(n, 4)) }
