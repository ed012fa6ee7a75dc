package audit

import (
	"errors"
	"fmt"
	"slices"

	"meldhall/engine"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// enter records an event. after holds the events that follow it.
func (b *book) enter(e engine.Event, after []engine.Event) error {
	switch e := e.(type) {
	case engine.RefereeCalled, engine.CallWithdrawn, engine.CallAcknowledged, engine.CallAnswered:
		return nil
	case engine.KeyPressed:
		return checkPress(b, e)
	case engine.PenaltyProposed:
		return b.proposed(e)
	case engine.GameEnded:
		return b.over(e)
	case engine.PlayEnded:
		if b.ends != e.Why {
			return fmt.Errorf("play ended %q, but the rules say %q", e.Why, b.ends)
		}
		b.ending, b.ends, b.stopped, b.now.due = e.Why, "", false, 0
		return nil
	}
	switch _, deal := e.(engine.TilesDealt); {
	case b.ends != "":
		return fmt.Errorf("the game continues, but it has ended: %s", b.ends)
	case b.proposes != nil:
		return errors.New("a due penalty is not proposed")
	case b.awaits && !deal:
		return errors.New("the tiles were not dealt again")
	}
	was, pool, dry := b.now.number, b.now.pool, b.now.dry
	err := b.act(e)
	if _, back := e.(engine.Rewound); !back && (dry != b.now.dry || !slices.Equal(pool, b.now.pool)) {
		b.now.touched = b.seq
	}
	if err == nil && b.ends == "" && b.phase == engine.PhasePlaying && (b.now.number != was || len(b.starts) == 0) {
		if _, met := b.starts[b.now.number]; !met {
			b.now.seq = b.seq
			b.starts[b.now.number] = b.now.copied()
		}
	}
	return err
}

// checkPress checks that a key was pressed by the player to move, close to a running deadline.
func checkPress(b *book, e engine.KeyPressed) error {
	if b.phase != engine.PhasePlaying || b.stopped || b.ends != "" || e.Seat != b.now.seat || b.now.due == 0 ||
		b.at+engine.Millis(engine.PressTime.Milliseconds()) <= b.now.due {
		return fmt.Errorf("seat %d's press needs no extra time", e.Seat)
	}
	return nil
}

func (b *book) act(e engine.Event) error {
	switch e := e.(type) {
	case engine.GameStarted:
		b.rules, b.seats, b.starter, b.physical, b.phase = e.Rules, e.Seats, e.Starter, e.Physical, engine.PhaseDealt
		b.edition = e.Edition
		copy(b.extra[:], e.Extra)
		b.awaits, b.now.seat = !e.Physical, max(e.Starter, 0)
		b.now.drawn, b.now.stands = map[int]tile.List{}, map[int]bool{}
	case engine.TilesDealt:
		return b.dealt(e)
	case engine.RedealAsked:
		if !b.mayRedeal(e.Seat) {
			return errRights
		}
		b.awaits = true
	case engine.SeatReady:
	case engine.StarterChosen:
		b.starter, b.now.seat = e.Seat, e.Seat
	case engine.PlayBegan:
		b.phase, b.stopped = engine.PhasePlaying, false // a start that was held is held no more
		first := b.starter
		for b.out[first] {
			first = (first + 1) % b.seats
		}
		return b.begins(first, e.Turn)
	case engine.PoolRanOut:
		return b.ranOut(e)
	case engine.RacksCounted:
		return b.counted(e)
	default:
		if ended, err := b.turnEnded(e); ended || err != nil {
			return err
		}
		return b.rule(e)
	}
	return nil
}

func (b *book) dealt(e engine.TilesDealt) error {
	if !slices.Equal(slices.Sorted(slices.Values(e.Order)), tile.All()) {
		return errors.New("a deal must contain each of the 106 tiles once")
	}
	next := moment{number: e.Turn.Number, seat: b.starter, started: e.Turn.Started, due: e.Turn.Due, pool: e.Order,
		drawn: map[int]tile.List{}, stands: map[int]bool{}}
	for seat := range b.seats {
		next.racks[seat], next.pool = next.pool[:14], next.pool[14:]
		pairs := 0
		for k, t := range next.racks[seat] {
			for _, u := range next.racks[seat][:k] {
				if t.Face() == u.Face() && !t.Face().IsJoker() {
					pairs++
				}
			}
		}
		b.doubles[seat] = b.rules.Redeal != ruleset.Off && pairs >= 3
	}
	if b.deal > 0 && e.Turn.Number <= b.now.number {
		return errors.New("the new deal reuses a turn number")
	}
	b.now, b.phase, b.awaits = next, engine.PhaseDealt, false
	b.deal++
	return nil
}

// begins begins a turn of a seat, and checks the log's turn against it.
func (b *book) begins(seat int, turn engine.Turn) error {
	number := b.now.number + 1
	if turn.Number != number || turn.Seat != seat || turn.Started != b.at || turn.Due != b.fullTurn(seat) {
		return fmt.Errorf("turn %+v, but the rules say turn %d of seat %d, due %d", turn, number, seat,
			b.fullTurn(seat))
	}
	b.now.number, b.now.seat, b.now.started, b.now.due = number, seat, b.at, turn.Due
	b.did(began, seat)
	b.fresh()
	b.noteAble()
	return nil
}

// fresh sets the time left, which counts only while the clock is stopped, to the whole time of the turn.
func (b *book) fresh() {
	if b.left = 0; b.now.due != 0 {
		b.left = b.now.due - b.at
	}
}

// noteAble records whether the seat that begins a turn could open, if the rules need that.
func (b *book) noteAble() {
	seat := b.now.seat
	if b.rules.AbleWhen == ruleset.AnyTurn && !b.physical && !b.now.opened[seat] && b.couldOpen(seat) {
		b.now.able[seat] = true
	}
}

func (b *book) fullTurn(seat int) engine.Millis {
	if b.rules.TurnSeconds == 0 {
		return 0
	}
	return b.at + engine.Millis(b.rules.TurnSeconds+b.extra[seat])*1000
}

// turnEnded records an event that ends a turn. ended is false for other events.
func (b *book) turnEnded(e engine.Event) (ended bool, err error) {
	switch e := e.(type) {
	case engine.TilesPlayed:
		if err := b.played(e); err != nil {
			return true, err
		}
		return true, b.pass(e.Seat, false, e.Turn)
	case engine.TileDrawn:
		if len(e.Tile) == 0 {
			return true, errors.New("no tile was drawn")
		}
		return true, errors.Join(b.drew(e.Seat, e.Tile, 1), b.pass(e.Seat, false, e.Turn))
	case engine.TurnPassed:
		if !b.empty() {
			return true, errors.New("passed although the pool has tiles")
		}
		return true, b.pass(e.Seat, true, e.Turn)
	case engine.TurnExpired:
		return true, b.expired(e)
	case engine.IllegalPlayed:
		return true, b.costs(e.Seat, e.Tiles, 0, b.rules.IllegalTiles, engine.CauseIllegal, e.Turn)
	case engine.TurnSkipped:
		b.ruled(e, e.Seat)
		b.now.stands[b.seq] = true
		return true, b.pass(e.Seat, true, e.Turn)
	case engine.IllegalRuled:
		b.ruled(e, e.Seat)
		b.now.stands[b.seq] = true
		idle := len(e.Tiles)+e.Count == 0
		return true, errors.Join(b.byHand(e.Count, e.Asked), b.drew(e.Seat, e.Tiles, e.Asked),
			b.pass(e.Seat, idle, e.Turn))
	case engine.TurnEnded:
		if b.now.opened[e.Seat] = b.now.opened[e.Seat] || e.Opened; e.Out {
			b.ends = ruleset.EndedEmptied
			return true, nil
		}
		return true, b.pass(e.Seat, e.Passed, e.Turn)
	}
	return false, nil
}

// byHand checks a count of tiles drawn by hand against the number that was to be drawn.
func (b *book) byHand(count, n int) error {
	if want := n; b.physical && (count != 0) != (want != 0 && !b.empty()) || !b.physical && count != 0 || count != 0 &&
		count != want {
		return fmt.Errorf("%d tiles to draw by hand, want %d", count, n)
	}
	return nil
}

func (b *book) expired(e engine.TurnExpired) error {
	if b.stopped || b.now.due == 0 || b.at <= b.now.due+engine.Millis(b.rules.GraceMillis) {
		return errors.New("the turn has time left")
	}
	n, cause := b.rules.IdleTiles, engine.CauseIdle
	if e.Disturbed || b.physical {
		n, cause = b.rules.TimeoutTiles, engine.CauseTimeout
	}
	return b.costs(e.Seat, e.Tiles, e.Count, n, cause, e.Turn)
}

// costs ends a turn that costs the seat n tiles, which are drawn or, if penalties are only proposed, must be proposed
// next. tiles and count are what the event says was drawn.
func (b *book) costs(seat int, tiles tile.List, count, n int, cause string, turn engine.Turn) error {
	drawn := n
	if b.rules.Penalties == ruleset.Proposed {
		drawn = 0
	}
	err := errors.Join(b.byHand(count, drawn), b.drew(seat, tiles, drawn), b.pass(seat, len(tiles)+count == 0, turn))
	if n > drawn && b.ends == "" {
		b.proposes = &engine.PenaltyProposed{Seat: seat, Tiles: n, Cause: cause}
	}
	return err
}

func (b *book) proposed(e engine.PenaltyProposed) error {
	if b.proposes == nil || e.Seat != b.proposes.Seat || e.Tiles != b.proposes.Tiles || e.Cause != b.proposes.Cause {
		return fmt.Errorf("proposed %+v, but the rules say %+v", e, b.proposes)
	}
	b.proposes = nil
	b.now.proposed = append(b.now.proposed, engine.Proposal{Seq: b.seq, Seat: e.Seat, Tiles: e.Tiles, Cause: e.Cause,
		At: e.At})
	if start, known := b.starts[b.now.number]; known && start.seq == b.seq-1 {
		start.seq = b.seq // the proposal belongs to the turn before
		start.proposed = slices.Clone(b.now.proposed)
		b.starts[b.now.number] = start
	}
	return nil
}

// pass ends a seat's turn: the next turn begins, or the game ends. idle reports that no tile was laid or drawn.
func (b *book) pass(seat int, idle bool, turn engine.Turn) error {
	if b.phase != engine.PhasePlaying || b.ending != "" || seat != b.now.seat {
		return fmt.Errorf("it is not the turn of seat %d", seat)
	}
	kind := laid
	if idle && b.empty() {
		kind = passed
	}
	b.did(kind, seat)
	next, why := b.next()
	if b.ends = why; why != "" {
		return nil
	}
	return b.begins(next, turn)
}

// played checks and records a play: no tile is lost, the tiles laid come from the rack, and an initial meld is worth
// enough.
func (b *book) played(e engine.TilesPlayed) error {
	var table []tile.List
	for _, set := range e.Table {
		if !tile.Valid(tile.FacesOf(set.Tiles)) {
			return fmt.Errorf("%v is not a set", set.Tiles)
		}
		table = append(table, set.Tiles)
	}
	before, after := slices.Concat(b.now.table...), slices.Concat(table...)
	if len(e.Played) == 0 || !slices.Equal(sorted(slices.Concat(before, e.Played)), sorted(after)) ||
		!slices.Equal(sorted(slices.Concat(e.Rack, e.Played)), sorted(b.now.racks[e.Seat])) {
		return errors.New("tiles are missing or added")
	}
	if !b.now.opened[e.Seat] {
		value := 0
		for _, set := range table {
			if !slices.ContainsFunc(b.now.table, func(was tile.List) bool {
				return slices.Equal(sorted(was),
					sorted(set))
			}) {
				value += tile.Value(tile.FacesOf(set))
			}
		}
		if value < b.rules.MeldPoints && !b.relief(e.Seat) {
			return fmt.Errorf("opened with %d", value)
		}
	}
	b.now.table, b.now.racks[e.Seat], b.now.opened[e.Seat] = table, e.Rack, true
	return nil
}

func sorted(tiles tile.List) tile.List { return slices.Sorted(slices.Values(tiles)) }
