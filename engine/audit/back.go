package audit

import (
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
)

var errPlayEnded = errors.New("the turns ended because of the cancelled ruling")

// takeBack cancels a ruling. It undoes only effects that nothing else depends on.
func (b *book) takeBack(e engine.RulingCancelled) error {
	r := b.rulingOf(e.Of)
	if r == nil || r.taken != 0 || r.seat != e.Seat {
		return errRuling
	}
	mine := b.ruled(e, e.Seat)
	r.taken = b.seq
	switch r.kind {
	case engine.PenaltyGiven{}.Kind():
		return errors.Join(b.giveBack(r, e), b.same(e.Turn))
	case engine.TimeGiven{}.Kind():
		return b.timeBack(r, mine, e)
	case engine.TimeCalled{}.Kind():
		if b.called = false; b.ending == ruleset.EndedTimeCalled {
			return errPlayEnded
		}
	case engine.WarningGiven{}.Kind():
		b.warnings[r.seat]--
	case engine.SeatForfeited{}.Kind():
		return b.playsOn(r, e)
	case engine.NoticeGiven{}.Kind(), engine.PenaltyWaived{}.Kind(), engine.RedealRefused{}.Kind():
	default:
		return errRuling
	}
	return b.same(e.Turn)
}

// giveBack puts the penalty tiles that are still on the rack back into the pool.
func (b *book) giveBack(r *ruling, e engine.RulingCancelled) error {
	if r.deal != b.deal {
		return errors.New("the tiles belong to an earlier deal")
	}
	was := b.empty()
	if b.physical {
		if was && r.tiles > 0 {
			if b.ending == ruleset.EndedLastLap || b.ending == ruleset.EndedStuck {
				return errPlayEnded
			}
			b.now.dry = false
			b.pooled(was)
		}
		return nil
	}
	back := common(b.now.drawn[r.seq], b.now.racks[r.seat])
	if !slices.Equal(back, e.Tiles) || len(back) == len(b.now.racks[r.seat]) {
		return fmt.Errorf("%v taken back, but the rack has %v of the penalty", e.Tiles, back)
	}
	b.now.racks[r.seat] = less(b.now.racks[r.seat], back)
	if len(back) == 0 {
		return nil
	}
	b.laidBack(r, back)
	b.pooled(was)
	return nil
}

// playsOn lets a seat that has forfeited play again. The seat's own turn continues if the turn after it is still
// running. At a table with real tiles, play continues if the forfeit had ended it.
func (b *book) playsOn(r *ruling, e engine.RulingCancelled) error {
	b.out[r.seat] = false
	was := r.before
	over := b.ending != "" && was != nil && b.now.number == was.number &&
		(b.ending == ruleset.EndedForfeit || was.seat == r.seat)
	switch {
	case b.ending == ruleset.EndedForfeit && !over:
		return errRuling
	case was == nil || b.deal != r.deal:
	case over:
		b.ending = ""
		b.stopped = b.stopped || r.stood
		b.goesOn(r)
	case b.ending == "" && b.phase == engine.PhasePlaying && b.now.number == was.number+1:
		b.forget()
		if b.now.touched > r.seq && b.empty() {
			b.did(emptied, 0)
		}
		b.now.able = was.able
		b.now.number++
		b.goesOn(r)
	}
	return b.same(e.Turn)
}

// forget removes two entries from the history: the end of the last turn and the start of the current one.
func (b *book) forget() {
	for i := len(b.now.history) - 1; i > 0; i-- {
		if s := b.now.history[i]; s.did == began && s.seat == b.now.seat {
			b.now.history = slices.Concat(b.now.history[:i-1], b.now.history[i+1:])
			return
		}
	}
}

// goesOn continues the turn that a forfeit ended, with the time that it had left.
func (b *book) goesOn(r *ruling) {
	was := r.before
	b.now.seat, b.now.started, b.now.due = was.seat, was.started+b.at-r.at, was.due
	if b.stopped {
		b.left = r.left
	} else if was.due != 0 {
		b.now.due = b.at + r.left
	}
}

// ranOut records that a seat has drawn the last real tile, in the current turn or in its own last turn before that.
func (b *book) ranOut(e engine.PoolRanOut) error {
	if b.empty() || b.out[e.Seat] {
		return errors.New("the pool was already empty")
	}
	s := step{did: emptied}
	for seat := e.Seat; seat != b.now.seat; {
		seat = (seat + 1) % b.seats
		s.since = append(s.since, seat)
	}
	if !slices.Equal(s.since, e.Since) {
		return fmt.Errorf("seats %v have begun a turn since, but the rules say %v", e.Since, s.since)
	}
	b.now.dry = true
	b.now.history = append(b.now.history, s)
	return b.same(e.Turn)
}

// clock records an event that stops, moves or starts the clock.
func (b *book) clock(e engine.Event) error {
	switch e := e.(type) {
	case engine.GamePaused:
		if e.Pause.Why == engine.PausedByReferee {
			b.ruled(e, -1)
			want := b.left
			if !b.stopped {
				if want = 0; b.now.due != 0 {
					want = max(b.now.due-b.at, 0)
				}
			}
			if e.Pause.Left != want {
				return fmt.Errorf("stopped with %d left, want %d", e.Pause.Left, want)
			}
		}
		b.stopped, b.left = true, e.Pause.Left
	case engine.ResumeSet:
		b.ruled(e, -1)
		if !b.stopped || e.Pause.Left != b.left {
			return errRuling
		}
	case engine.GameResumed:
		if !b.stopped {
			return errRuling
		}
		if b.stopped = false; b.now.due != 0 {
			b.now.due = b.at + b.left
		}
		return b.same(e.Turn)
	case engine.TimeGiven:
		seat := -1
		if b.phase == engine.PhasePlaying {
			seat = b.now.seat
		}
		r := b.ruled(e, seat)
		r.asked = e.Seconds
		b.move(r, engine.Millis(e.Seconds)*1000, b.at)
		return b.same(e.Turn)
	}
	return nil
}

// move moves the deadline, but not to before least. If the clock is stopped, it moves the time left instead, but not
// below 0, and the deadline by the same amount. It records that amount in r.
func (b *book) move(r *ruling, by, least engine.Millis) {
	r.timed, r.moved = true, max(b.now.due+by, least)-b.now.due
	if b.stopped {
		r.moved = max(b.left+by, 0) - b.left
		b.left += r.moved
	}
	b.now.due += r.moved
	if r.room = b.now.due - least; b.stopped {
		r.room = b.left
	}
}

// timeBack cancels time that ruling r gave or took: the turn gets the time that it would have with only the rulings in
// force. mine is the record of the cancellation.
func (b *book) timeBack(r, mine *ruling, e engine.RulingCancelled) error {
	if r.turn != b.now.number {
		return errRuling
	}
	var would, had engine.Millis // time left: as it would be, and as it was
	first := true
	for _, one := range b.rulings {
		if !one.timed || one.turn != b.now.number {
			continue
		}
		if would += one.room - one.moved - had; first {
			would, first = one.room-one.moved, false
		}
		switch had = one.room; {
		case one.kind != r.kind:
			would = max(would, 0)
		case one.taken == 0:
			would = max(would+engine.Millis(one.asked)*1000, 0)
		}
	}
	b.move(mine, would-had, b.at-engine.Millis(b.rules.GraceMillis))
	return b.same(e.Turn)
}
