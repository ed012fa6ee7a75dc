package audit

import (
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

var errRuling = errors.New("the ruling is not allowed in this state")

// rule records a ruling by an official or an event of the clock.
func (b *book) rule(e engine.Event) error {
	switch e := e.(type) {
	case engine.GamePaused, engine.ResumeSet, engine.GameResumed, engine.TimeGiven:
		return b.clock(e)
	case engine.TimeCalled:
		if b.called || b.phase != engine.PhasePlaying {
			return errRuling
		}
		b.ruled(e, -1)
		b.called = true
	case engine.PenaltyGiven:
		return b.penalty(e)
	case engine.NoticeGiven:
		b.ruled(e, e.Seat).proposal = e.Proposal
	case engine.PenaltyWaived:
		if !slices.Contains(b.waiting(), e.Proposal) {
			return errRuling
		}
		b.ruled(e, e.Seat).proposal = e.Proposal
	case engine.WarningGiven:
		b.ruled(e, e.Seat)
		b.warnings[e.Seat]++
	case engine.RedealGranted:
		b.ruled(e, e.Seat)
		if b.awaits = true; len(b.now.table) > 0 {
			return errRuling
		}
		if b.stopped && e.Pause != nil {
			b.left = e.Pause.Left
		}
	case engine.RedealRefused:
		if !b.mayRedeal(e.Seat) {
			return errRights
		}
		b.ruled(e, e.Seat)
	case engine.SeatForfeited:
		return b.forfeit(e)
	case engine.LeftoversRuled:
		return b.leftovers(e)
	case engine.PositionSet:
		return b.position(e)
	case engine.Rewound:
		return b.rewind(e)
	case engine.RulingCancelled:
		return b.takeBack(e)
	default:
		return errors.New("unknown event")
	}
	return nil
}

func (b *book) penalty(e engine.PenaltyGiven) error {
	if e.Proposal != 0 && !slices.Contains(b.waiting(), e.Proposal) {
		return errRuling
	}
	r := b.ruled(e, e.Seat)
	r.proposal, r.asked, r.tiles = e.Proposal, e.Asked, len(e.Tiles)+e.Count
	b.now.drawn[b.seq] = e.Tiles
	return errors.Join(b.byHand(e.Count, e.Asked), b.drew(e.Seat, e.Tiles, e.Asked), b.same(e.Turn))
}

// same returns an error unless the turn in an event is the current one, with its current deadline.
func (b *book) same(turn engine.Turn) error {
	if turn.Number != b.now.number || turn.Seat != b.now.seat || turn.Due != b.now.due {
		return fmt.Errorf("turn %+v, but it is turn %d of seat %d, due %d", turn, b.now.number, b.now.seat, b.now.due)
	}
	return nil
}

func (b *book) forfeit(e engine.SeatForfeited) error {
	if b.out[e.Seat] || b.ending != "" {
		return errRuling
	}
	r := b.ruled(e, e.Seat)
	b.out[e.Seat] = true
	own := b.phase == engine.PhasePlaying && b.now.seat == e.Seat
	if own || b.physical && len(b.playing()) == 1 {
		was := b.now.copied()
		if r.before, r.left, r.stood = &was, b.now.due-b.at, b.stopped; b.stopped {
			r.left = b.left
		}
	}
	switch {
	case len(b.playing()) == 1:
		b.ends = ruleset.EndedForfeit
		return nil
	case own:
		return b.pass(e.Seat, true, e.Turn)
	}
	return b.same(e.Turn)
}

func (b *book) leftovers(e engine.LeftoversRuled) error {
	b.ruled(e, e.Seat)
	b.now.stands[b.seq] = true
	var stay []tile.List
	for _, set := range e.Table {
		if !tile.Valid(tile.FacesOf(set.Tiles)) {
			return fmt.Errorf("%v is not a set", set.Tiles)
		}
		stay = append(stay, set.Tiles)
	}
	if !slices.Equal(sorted(slices.Concat(slices.Concat(stay...), e.Tiles)), sorted(slices.Concat(b.now.table...))) {
		return errRuling
	}
	b.now.table = stay
	b.now.number++
	if b.rules.Leftovers == ruleset.ToRack {
		b.now.racks[e.Seat] = slices.Concat(b.now.racks[e.Seat], e.Tiles)
		return b.same(e.Turn)
	}
	was := b.empty()
	b.now.pool = slices.Concat(b.now.pool, e.Tiles)
	b.pooled(was)
	return errors.Join(b.drew(e.Seat, b.now.pool[:len(e.Tiles)], len(e.Tiles)), b.same(e.Turn))
}

// position puts the tiles where an official saw them. If another seat is to move, it begins a turn. If the same seat is
// to move, its turn begins again.
func (b *book) position(e engine.PositionSet) error {
	b.ruled(e, -1)
	b.now.stands[b.seq] = true
	was := b.empty()
	all := slices.Clone(e.Pool)
	b.now.table, b.now.racks, b.now.pool = nil, [ruleset.MaxSeats]tile.List{}, e.Pool
	for _, set := range e.Table {
		all, b.now.table = append(all, set.Tiles...), append(b.now.table, set.Tiles)
		if !tile.Valid(tile.FacesOf(set.Tiles)) {
			return fmt.Errorf("%v is not a set", set.Tiles)
		}
	}
	for seat, rack := range e.Racks {
		all, b.now.racks[seat] = append(all, rack...), rack
	}
	if !slices.Equal(sorted(all), tile.All()) || b.out[e.Turn.Seat] {
		return errRuling
	}
	b.did(placed, 0)
	b.pooled(was)
	if e.Turn.Number != b.now.number+1 || e.Turn.Due != b.fullTurn(e.Turn.Seat) {
		return fmt.Errorf("turn %+v after turn %d", e.Turn, b.now.number)
	}
	kind := began
	if e.Turn.Seat == b.now.seat {
		kind = restarts
	}
	b.now.number, b.now.seat, b.now.started, b.now.due = e.Turn.Number, e.Turn.Seat, b.at, e.Turn.Due
	b.did(kind, e.Turn.Seat)
	b.fresh()
	b.noteAble()
	return nil
}

// rewind restores the state at the start of a turn, with the rulings in force.
func (b *book) rewind(e engine.Rewound) error {
	to, known := b.starts[e.To]
	if !known || b.out[to.seat] || len(b.playing()) == 1 {
		return errRuling
	}
	to = to.copied()
	number := b.now.number + 1
	b.undo(to)
	b.ruled(e, -1)
	b.now = to
	for _, r := range b.rulings {
		if r.kind == (engine.PenaltyGiven{}).Kind() && r.deal == b.deal {
			b.again(r, to.seq)
		}
	}
	b.now.stands[b.seq] = true
	if e.Turn.Number != number || e.Turn.Seat != to.seat || e.Turn.Due != b.fullTurn(to.seat) {
		return fmt.Errorf("turn %+v after turn %d", e.Turn, number-1)
	}
	b.now.number, b.now.started, b.now.due = number, b.at, e.Turn.Due
	b.ending = ""
	b.fresh()
	return nil
}

// undo sets, for each ruling that belongs to a turn, whether it is in force at the moment to which the game returns.
func (b *book) undo(to moment) {
	for _, r := range b.rulings {
		kind, _ := engine.RulingKindOf(r.kind)
		if !kind.Undone || r.deal != b.deal {
			continue
		}
		if to.stands[r.seq] {
			r.taken = 0
		} else if r.taken == 0 {
			r.taken = b.seq
		}
	}
}

// again repeats the effects of penalty r after a rewind to the event with seq since: it draws a penalty given after
// that event again, and puts back the tiles of one that was cancelled after it.
func (b *book) again(r *ruling, since int) {
	was := b.empty()
	switch {
	case r.seq <= since && r.taken > since && b.physical:
		if r.tiles > 0 {
			b.now.dry, b.now.touched = false, b.seq
			b.pooled(was)
		}
	case r.seq <= since && r.taken > since:
		back := common(b.now.drawn[r.seq], b.now.racks[r.seat])
		b.now.racks[r.seat] = less(b.now.racks[r.seat], back)
		b.laidBack(r, back)
		b.pooled(was)
	case r.seq > since && r.taken == 0 && !b.physical:
		tiles := slices.Clone(b.now.pool[:min(r.asked, len(b.now.pool))])
		b.now.racks[r.seat], b.now.pool = slices.Concat(b.now.racks[r.seat], tiles), b.now.pool[len(tiles):]
		if b.now.drawn[r.seq], r.tiles = tiles, len(tiles); len(tiles) > 0 {
			if b.now.touched = b.seq; b.edition > 1 {
				b.now.touched = r.seq // its tiles lay on top
			}
		}
		b.pooled(was)
	case r.seq <= since && r.taken == 0 && !b.physical:
		r.tiles = len(b.now.drawn[r.seq])
	}
}

// laidBack puts penalty tiles back into the pool: on top if the pool has not changed since they were drawn, otherwise
// at the bottom.
func (b *book) laidBack(r *ruling, back tile.List) {
	if len(back) == 0 {
		return
	}
	if b.now.touched == r.seq {
		b.now.pool = slices.Concat(back, b.now.pool)
	} else {
		b.now.pool = slices.Concat(b.now.pool, back)
	}
	b.now.touched = b.seq
}

// common returns the tiles of a that are also in b.
func common(a, b tile.List) tile.List {
	return slices.DeleteFunc(slices.Clone(a), func(t tile.Tile) bool { return !slices.Contains(b, t) })
}

func less(a, b tile.List) tile.List {
	return slices.DeleteFunc(slices.Clone(a), func(t tile.Tile) bool { return slices.Contains(b, t) })
}
