package audit

import (
	"slices"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// The functions in this file derive from the history what engine/RULES.md section 6 needs.

// turnsOf returns how many turns a seat has begun.
func (b *book) turnsOf(seat int) (n int) {
	for _, s := range b.now.history {
		if s.did == began && s.seat == seat {
			n++
		}
	}
	return n
}

// lap returns the seats that have begun a turn in the current lap. A lap ends when a seat would begin a second turn in
// it.
func (b *book) lap() (seats []int) {
	for _, s := range b.now.history {
		if s.did != began {
			continue
		}
		if slices.Contains(seats, s.seat) {
			seats = nil
		}
		seats = append(seats, s.seat)
	}
	return seats
}

// sinceEmpty returns the seats that have begun a turn since the pool became empty.
func (b *book) sinceEmpty() (seats []int) {
	for _, s := range b.now.history {
		switch s.did {
		case emptied:
			seats = slices.Clone(s.since)
		case filled:
			seats = nil
		case began, restarts:
			seats = append(seats, s.seat)
		}
	}
	return seats
}

// allPassed reports whether every seat that still plays has passed since the last turn that ended otherwise, and since
// an official last set the tiles.
func (b *book) allPassed() bool {
	var seats []int
	for _, s := range b.now.history {
		switch s.did {
		case laid, placed:
			seats = nil
		case passed:
			seats = append(seats, s.seat)
		}
	}
	for seat := range b.seats {
		if !b.out[seat] && !slices.Contains(seats, seat) {
			return false
		}
	}
	return true
}

func (b *book) poolLap() bool { return b.rules.Exhausted == ruleset.LastLap && b.empty() }

// owed returns the seats that still have a turn, in order from the seat after the one to move. last reports whether the
// lap is the last one.
func (b *book) owed() (seats []int, last bool) {
	had, since := b.lap(), b.sinceEmpty()
	for i := 1; i <= b.seats; i++ {
		seat := (b.now.seat + i) % b.seats
		switch {
		case b.out[seat]:
		case b.called && slices.Contains(had, seat):
		case b.poolLap() && slices.Contains(since, seat):
		default:
			seats = append(seats, seat)
		}
	}
	return seats, b.called || b.poolLap()
}

func (b *book) playing() (seats []int) {
	for seat := range b.seats {
		if !b.out[seat] {
			seats = append(seats, seat)
		}
	}
	return seats
}

// next returns the seat that moves after the current turn or, if the game ends with that turn, the reason why it ends.
func (b *book) next() (seat int, why string) {
	if !b.physical && len(b.now.racks[b.now.seat]) == 0 {
		return 0, ruleset.EndedEmptied
	}
	if len(b.playing()) == 1 {
		return 0, ruleset.EndedForfeit
	}
	owed, last := b.owed()
	switch {
	case last && len(owed) == 0 && b.called:
		return 0, ruleset.EndedTimeCalled
	case last && len(owed) == 0:
		return 0, ruleset.EndedLastLap
	case !last:
		for seat = (b.now.seat + 1) % b.seats; b.out[seat]; {
			seat = (seat + 1) % b.seats
		}
		owed = []int{seat}
	}
	if b.rules.Exhausted == ruleset.UntilStuck && b.empty() && (b.allPassed() || b.stuck()) {
		return 0, ruleset.EndedStuck
	}
	return owed[0], ""
}

// stuck reports whether no seat can lay a tile.
func (b *book) stuck() bool {
	if b.physical {
		return false
	}
	for _, seat := range b.playing() {
		can, proven := judge.CanMove(b.rules, judge.Move{Opened: b.now.opened[seat], Relief: b.relief(seat),
			Before: faces(b.now.table),
			Rack:   tile.FacesOf(b.now.racks[seat])}, 0)
		if can || !proven {
			return false
		}
	}
	return true
}

func (b *book) relief(seat int) bool {
	for _, other := range b.playing() {
		if other != seat && !b.now.opened[other] {
			return false
		}
	}
	return b.rules.LastToOpenRelief && !b.now.opened[seat]
}

// couldOpen reports whether the seat's rack can make an initial meld, for the charge (section 6). Edition 1 ignored the
// relief there.
func (b *book) couldOpen(seat int) bool {
	return judge.CanOpen(b.rules, tile.CountFaces(tile.FacesOf(b.now.racks[seat])), b.edition > 1 && b.relief(seat))
}

// mayRedeal reports whether a seat has the right to a redeal with three doubles (section 5).
func (b *book) mayRedeal(seat int) bool {
	for _, r := range b.rulings {
		if r.kind == (engine.RedealRefused{}).Kind() && r.seat == seat && r.deal == b.deal && r.taken == 0 {
			return false
		}
	}
	open := b.phase == engine.PhaseDealt
	if b.phase == engine.PhasePlaying && b.ending == "" && b.rules.Redeal == ruleset.OwnFirstTurn {
		turns := b.turnsOf(seat)
		open = turns == 0 || turns == 1 && b.now.seat == seat
	}
	return open && b.doubles[seat] && !b.out[seat]
}

// waiting returns the seqs of the proposals that are not decided.
func (b *book) waiting() (seqs []int) {
	for _, p := range b.now.proposed {
		if !slices.ContainsFunc(b.rulings, func(r *ruling) bool { return r.proposal == p.Seq && r.taken == 0 }) {
			seqs = append(seqs, p.Seq)
		}
	}
	return seqs
}

func faces(table []tile.List) (sets [][]tile.Face) {
	for _, set := range table {
		sets = append(sets, tile.FacesOf(set))
	}
	return sets
}
