package audit

import (
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/tile"
)

// agrees compares the engine's state with the book.
func (b *book) agrees(s engine.State) error {
	if b.phase == "" || b.awaits || b.ends != "" || b.proposes != nil {
		return nil // between two events of one decision
	}
	if err := b.agreesTiles(s); err != nil {
		return err
	}
	if s.Phase != b.phase || s.Turn.Number != b.now.number || b.phase == engine.PhasePlaying &&
		(s.Turn.Seat != b.now.seat || s.Turn.Due != b.now.due) {
		return fmt.Errorf("the engine is in turn %+v, phase %s; the audit in turn %d of seat %d, due %d, phase %s",
			s.Turn, s.Phase, b.now.number, b.now.seat, b.now.due, b.phase)
	}
	if (s.Paused != nil) != b.stopped || b.stopped && s.Paused.Left != b.left {
		return fmt.Errorf("the engine's clock is %+v, the audit's is stopped %t with %d left", s.Paused, b.stopped,
			b.left)
	}
	if owed, last := s.Owed(); b.phase == engine.PhasePlaying && b.ending == "" {
		if want, is := b.owed(); is != last || last && !slices.Equal(owed, want) {
			return fmt.Errorf("the engine's owed turns are %v, last lap %t; the rules say %v, %t", owed, last, want, is)
		}
	}
	return b.agreesRecords(s)
}

func (b *book) agreesTiles(s engine.State) error {
	if !slices.Equal(s.Pool, b.now.pool) && len(s.Pool)+len(b.now.pool) > 0 || s.PoolEmpty != b.now.dry {
		return fmt.Errorf("the engine's pool is %v, the audit's %v", s.Pool, b.now.pool)
	}
	var engines, books tile.List
	for _, set := range s.Table {
		engines = append(engines, set.Tiles...)
	}
	for _, set := range b.now.table {
		books = append(books, set...)
	}
	if !slices.Equal(sorted(engines), sorted(books)) {
		return fmt.Errorf("the engine's table is %v, the audit's %v", engines, books)
	}
	for seat := range b.seats {
		if !slices.Equal(sorted(s.Racks[seat]), sorted(b.now.racks[seat])) {
			return fmt.Errorf("seat %d: the engine's rack is %v, the audit's %v", seat, s.Racks[seat],
				b.now.racks[seat])
		}
	}
	return nil
}

// agreesRecords compares the records of the seats and of the rulings.
func (b *book) agreesRecords(s engine.State) error {
	var waiting []int
	for _, p := range s.Rulings.Undecided() {
		waiting = append(waiting, p.Seq)
	}
	if want := b.waiting(); !slices.Equal(waiting, want) {
		return fmt.Errorf("the engine has open proposals %v, the audit %v", waiting, want)
	}
	if len(s.Rulings.All) != len(b.rulings) {
		return fmt.Errorf("the engine has %d rulings, the audit %d", len(s.Rulings.All), len(b.rulings))
	}
	for i, r := range s.Rulings.All {
		if b.rulings[i].seq != r.Seq || b.rulings[i].taken != r.Cancelled {
			return fmt.Errorf("%s, seq %d, is cancelled by %d, in the audit by %d", r.Kind, r.Seq, r.Cancelled,
				b.rulings[i].taken)
		}
	}
	had, warned := s.Rulings.Penalties(s.Deal), s.Rulings.Warnings()
	for seat := range b.seats {
		penalties := 0
		for _, r := range b.rulings {
			if r.kind == (engine.PenaltyGiven{}).Kind() && r.seat == seat && r.deal == b.deal && r.taken == 0 {
				penalties += r.tiles
			}
		}
		have := fmt.Sprint(had[seat], warned[seat], s.Out[seat], s.Opened[seat], s.Able[seat],
			s.MayRedeal(seat))
		want := fmt.Sprint(penalties, b.warnings[seat], b.out[seat], b.now.opened[seat], b.now.able[seat],
			b.mayRedeal(seat))
		if have != want {
			return fmt.Errorf("seat %d: penalties, warnings, out, opened, able, redeal: the engine has %s, the "+
				"audit %s", seat, have, want)
		}
	}
	return nil
}
