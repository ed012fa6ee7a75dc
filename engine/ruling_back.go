package engine

import (
	"slices"

	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// Position holds the place of every tile and, by seat, which seats have opened (Opened) or could have opened at the
// start of one of their turns (Able).
type Position struct {
	Table  tile.Table `json:"table"`
	Racks  tileLists  `json:"racks"`
	Pool   tile.List  `json:"pool"`
	Opened []bool     `json:"opened"`
	Able   []bool     `json:"able"`
	// PoolEmpty is set in physical games whose pool has run out.
	PoolEmpty bool `json:"pool_empty,omitempty"`
}

// Redrawn holds the tiles of a penalty that a rewind drew again. Of is the seq of the penalty's event.
type Redrawn struct {
	Of    int       `json:"of"`
	Tiles tile.List `json:"tiles"`
}

// CancelRuling cancels those effects of another ruling that can be undone. RulingKind.Cancellable reports which kinds
// can be cancelled. Of is the seq of the other ruling's event.
type CancelRuling struct {
	Grounds
	Of int
}

// RulingCancelled cancels the ruling with seq Of. Tiles went from the seat's rack to the bottom of the pool or, with
// Top, to its top, if the pool has not changed since. With real tiles, Refills says that the empty pool has tiles
// again. Resumes says that play continues after a forfeit had ended it.
type RulingCancelled struct {
	Stamp
	Of      int       `json:"of"`
	Seat    int       `json:"seat"`
	Tiles   tile.List `json:"tiles,omitempty"`
	Top     bool      `json:"top,omitempty"`
	Refills bool      `json:"refills,omitempty"`
	Resumes bool      `json:"resumes,omitempty"`
	Said
	Turn      Turn   `json:"turn"`
	Pause     *Pause `json:"pause,omitempty"`
	MayRedeal bool   `json:"may_redeal,omitempty"` // only in older logs
}

// Kind returns the event's name in the log.
func (RulingCancelled) Kind() string { return "ruling_cancelled" }

// decide cancels a ruling, unless the game has gone on too far since.
func (c CancelRuling) decide(s *State, at Millis) ([]Event, error) {
	of, ok := s.Rulings.find(c.Of)
	if !ok || of.Cancelled != 0 {
		return nil, refuse(RefusedNoRuling, "no ruling with seq %d is in force", c.Of)
	}
	one, ok := rulingEvents[of.Kind].(cancellable)
	if !ok {
		return nil, refuse(RefusedCancelLate, "%s is taken back by rewinding", of.Kind)
	}
	e := RulingCancelled{Stamp: Stamp{at}, Of: c.Of, Seat: of.Seat, Said: c.said(), Turn: s.Turn}
	if err := one.cancel(*s, of, &e); err != nil {
		return nil, err
	}
	return []Event{e}, nil
}

func (e RulingCancelled) tell(r *ruled, before State) bool {
	r.Seat, r.Of, r.Tiles = e.Seat, e.Of, len(e.Tiles)
	if of, _ := before.Rulings.find(e.Of); of.Kind == (TimeGiven{}).Kind() {
		r.timed(before.Turn, e.Turn, e.Pause, e.At-Millis(before.Rules.GraceMillis))
	}
	return true
}

func (e RulingCancelled) apply(s State) State {
	of, _ := s.Rulings.find(e.Of)
	s.Rulings.amend(e.Of, func(r *ruled) { r.Cancelled = s.Seq })
	if of.Before != nil && e.Turn.Number != s.Turn.Number { // the turn that the ruling ended continues
		s.Had, s.Able = of.Before.Had, of.Before.Able
		if s.PoolSince > of.Seq { // the pool ran out in that turn, if at all
			s.Had.Dry = [ruleset.MaxSeats]bool{}
		}
	}
	if s.Turn = e.Turn; e.Resumes {
		s.Ending = ""
	}
	s.pause(e.Pause)
	if one, ok := rulingEvents[of.Kind].(cancellable); ok {
		return one.cancelled(s, e)
	}
	return s
}

func (e RulingCancelled) behind(State, []Event, map[int]State) Command {
	return CancelRuling{Grounds: e.Said.grounds(), Of: e.Of}
}

// Rewind returns the game to the start of a turn. To is the state at that start, as returned by TurnStart. Rulings
// about penalty tiles given since then are kept.
type Rewind struct {
	Grounds
	Turn int
	To   State
}

// Rewound is the return to the start of turn To, with the penalties that were given since then drawn again. Undone
// lists the seqs of rulings that belong to the undone turns. Redone lists the seqs of rulings that are in force again,
// because the game returns to a turn that had itself been undone. Had, Proposed and Pooled, the seq of the last change
// of the pool, belong to the restored state. Older logs lack them.
type Rewound struct {
	Stamp
	To int `json:"to"`
	Position
	Redrawn []Redrawn `json:"redrawn,omitempty"`
	Undone  []int     `json:"undone,omitempty"`
	Redone  []int     `json:"redone,omitempty"`
	Said
	Had      *Had       `json:"had,omitempty"`
	Proposed []Proposal `json:"proposed,omitempty"`
	Pooled   int        `json:"pooled,omitempty"`
	Turn     Turn       `json:"turn"`
	Pause    *Pause     `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (Rewound) Kind() string { return "rewound" }

// decide returns the game to the start of a turn. Penalty tiles that officials ruled since then are drawn again, and
// penalties cancelled since then stay cancelled. Rulings on the undone turns are undone with them.
func (c Rewind) decide(s *State, at Millis) ([]Event, error) {
	to := c.To
	switch {
	case s.Phase != PhasePlaying:
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	case to.Phase != PhasePlaying || to.Turn.Number != c.Turn || to.Seq > s.Seq || to.Seats != s.Seats:
		return nil, refuse(RefusedRewind, "there is no turn %d in the log", c.Turn)
	case to.Deal != s.Deal:
		return nil, refuse(RefusedRewind, "the tiles were dealt again after turn %d", c.Turn)
	case s.Out[to.Turn.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d is no longer playing", to.Turn.Seat)
	case s.alone():
		return nil, refuse(RefusedCounting, "only one seat still plays, and has won: take a forfeit back first")
	}
	e := Rewound{Stamp: Stamp{at}, To: c.Turn, Said: c.said(), Had: &to.Had, Proposed: to.Rulings.Proposed}
	racks, pool, pooled := c.redraw(s, &e)
	moved := pooled != to.PoolSince
	putBack := c.putBack(s)
	e.Position = Position{Table: to.Table, Racks: slices.Clone(racks[:s.Seats]), Pool: pool,
		Opened: slices.Clone(to.Opened[:s.Seats]), Able: slices.Clone(to.Able[:s.Seats]), PoolEmpty: to.PoolEmpty &&
			!putBack}
	if e.Pooled = pooled; putBack || moved && s.Edition < redrawnOnTop {
		e.Pooled = s.Seq + 1
	}
	if moved && len(pool) == 0 { // the current turn began before the pool was empty
		had := to.Had
		had.Dry = [ruleset.MaxSeats]bool{}
		e.Had = &had
	}
	e.Turn = Turn{Number: s.Turn.Number + 1, Seat: to.Turn.Seat, Started: at, Due: s.turnDue(to.Turn.Seat, at),
		Passes: to.Turn.Passes, Able: to.Turn.Able}
	e.Pause = s.Paused.forTurn(e.Turn, at)
	return []Event{e}, nil
}

// redraw returns the racks and the pool of the turn that a rewind goes back to, with the penalties in force and without
// the cancelled ones. It lists in e the rulings that are redrawn, undone or redone. pooled is the seq of the event that
// last changed the pool: a redrawn penalty, so that its tiles can go back on top; the rewind, if it put tiles back; or
// else the event recorded in the restored state.
func (c Rewind) redraw(s *State, e *Rewound) (racks [ruleset.MaxSeats]tile.List, pool tile.List, pooled int) {
	to := &c.To
	racks, pool, pooled = to.Racks, to.Pool, to.PoolSince
	for _, r := range s.Rulings.All {
		penalty := r.Kind == PenaltyGiven{}.Kind()
		was, known := to.Rulings.find(r.Seq)
		switch {
		case r.Deal != s.Deal:
		case known && penalty && r.Cancelled > to.Seq:
			back := taken(racks[r.Seat], was.Drawn)
			racks[r.Seat] = without(racks[r.Seat], back)
			if pooled == r.Seq {
				pool = slices.Concat(back, pool)
			} else {
				pool = slices.Concat(pool, back)
			}
			if len(back) > 0 {
				pooled = s.Seq + 1
			}
		case known && penalty && !slices.Equal(r.Drawn, was.Drawn):
			e.Redrawn = append(e.Redrawn, Redrawn{r.Seq, was.Drawn})
		case known && kindsByEvent[r.Kind].Undone && was.Cancelled == 0 && r.Cancelled != 0:
			e.Redone = append(e.Redone, r.Seq)
		case known && kindsByEvent[r.Kind].Undone && was.Cancelled != 0 && r.Cancelled == 0:
			e.Undone = append(e.Undone, r.Seq)
		case known || r.Cancelled != 0:
		case penalty && s.Physical: // what was drawn by hand stays drawn
		case penalty:
			tiles := slices.Clone(pool[:min(r.Asked, len(pool))])
			racks[r.Seat], pool = slices.Concat(racks[r.Seat], tiles), pool[len(tiles):]
			e.Redrawn = append(e.Redrawn, Redrawn{r.Seq, tiles})
			if len(tiles) > 0 {
				pooled = r.Seq
			}
		case kindsByEvent[r.Kind].Undone:
			e.Undone = append(e.Undone, r.Seq)
		}
	}
	return racks, pool, pooled
}

// putBack reports whether penalty tiles have been put back by hand since the start of the turn.
func (c Rewind) putBack(s *State) bool {
	return s.Physical && slices.ContainsFunc(s.Rulings.All, func(r ruled) bool {
		return r.Kind == PenaltyGiven{}.Kind() && r.Seq <= c.To.Seq && r.Cancelled > c.To.Seq && r.Tiles > 0
	})
}

func taken(rack, tiles tile.List) (back tile.List) {
	for _, t := range tiles {
		if slices.Contains(rack, t) {
			back = append(back, t)
		}
	}
	return back
}

func without(rack, tiles tile.List) tile.List {
	return slices.DeleteFunc(slices.Clone(rack), func(t tile.Tile) bool { return slices.Contains(tiles, t) })
}

func (e Rewound) tell(r *ruled, _ State) bool {
	r.To = e.To
	return true
}

func (e Rewound) apply(s State) State {
	had := e.had(s)
	s.lies(e.Position)
	for _, seq := range e.Undone {
		s.Rulings.amend(seq, func(r *ruled) { r.Cancelled = s.Seq })
	}
	for _, again := range e.Redrawn {
		s.Rulings.amend(again.Of, func(r *ruled) { r.Drawn, r.Tiles = again.Tiles, len(again.Tiles) })
	}
	for _, seq := range e.Redone {
		s.Rulings.amend(seq, func(r *ruled) { r.Cancelled = 0 })
	}
	if e.Had != nil {
		s.Rulings.Proposed = e.Proposed
	}
	s.takeTurn(e.Turn)
	s.Had = had
	s.Actions.add(Last{Kind: e.Kind(), Seat: e.Turn.Seat}, s.Seats)
	s.pause(e.Pause)
	return s
}

func (e Rewound) behind(_ State, _ []Event, starts map[int]State) Command {
	return Rewind{Grounds: e.Said.grounds(), Turn: e.To, To: starts[e.To]}
}

// SetPosition sets up the game as it lies on a real table, with Seat to move. Racks are by seat; nil leaves a rack as
// it is. Tiles that are not named are in the pool.
type SetPosition struct {
	Grounds
	Seat  int
	Table []tile.LaidFaces
	Racks [][]tile.Face
}

// PositionSet is the game as an official found it on a real table.
type PositionSet struct {
	Stamp
	Position
	Said
	Turn  Turn   `json:"turn"`
	Pause *Pause `json:"pause,omitempty"`
}

// Kind returns the event's name in the log.
func (PositionSet) Kind() string { return "position_set" }

// decide puts the tiles where an official says they are. It takes them from the old table, from the racks that are
// named, and from the pool. Tiles that are not named go to the bottom of the pool.
func (c SetPosition) decide(s *State, at Millis) ([]Event, error) {
	if s.Phase != PhasePlaying {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if s.Out[c.Seat] {
		return nil, refuse(RefusedSeatOut, "seat %d is no longer playing", c.Seat)
	}
	if len(c.Racks) > s.Seats {
		return nil, refuse(RefusedPosition, "%d racks at a table of %d", len(c.Racks), s.Seats)
	}
	sets, err := validSets(c.Table)
	if err != nil {
		return nil, err
	}
	racks := s.Racks
	var loose tile.List
	for seat, faces := range c.Racks {
		if faces != nil {
			if len(faces) == 0 {
				return nil, refuse(RefusedPosition, "the rack of seat %d would be empty", seat)
			}
			loose, racks[seat] = slices.Concat(loose, s.Racks[seat]), nil
		}
	}
	loose = slices.Concat(loose, s.Pool)
	have := tile.CountFaces(append(s.Table.Faces(), tile.FacesOf(loose))...)
	want := tile.CountFaces(append(sets, slices.Concat(c.Racks...))...)
	for f := range want {
		if want[f] > have[f] {
			return nil, refuse(RefusedPosition, "%s: %d named, but there are %d", tile.Face(f), want[f], have[f])
		}
	}
	table, played := tile.Lay(s.Table, loose, c.Table)
	loose = slices.Concat(without(loose, played), missing(s.Table, table))
	for seat, faces := range c.Racks {
		if faces != nil {
			racks[seat] = pick(slices.Concat(taken(loose, s.Racks[seat]), loose), faces)
			loose = without(loose, racks[seat])
		}
	}
	pool := taken(s.Pool, loose)
	e := PositionSet{Stamp: Stamp{at}, Said: c.said()}
	e.Position = Position{Table: table, Racks: slices.Clone(racks[:s.Seats]),
		Pool:   slices.Concat(pool, without(loose, pool)),
		Opened: slices.Clone(s.Opened[:s.Seats]), Able: slices.Clone(s.Able[:s.Seats])}
	after := *s
	after.Racks = racks
	e.Turn = Turn{Number: s.Turn.Number + 1, Seat: c.Seat, Started: at, Due: s.turnDue(c.Seat, at),
		Able: s.Edition > 0 && player{&after, c.Seat}.ableAtTurn()}
	e.Pause = s.Paused.forTurn(e.Turn, at)
	return []Event{e}, nil
}

// pick returns a tile for each face, always the first such tile of the list from, which must contain them all.
func pick(from tile.List, faces []tile.Face) (picked tile.List) {
	for _, f := range faces {
		i := slices.IndexFunc(from, func(t tile.Tile) bool { return t.Face() == f && !slices.Contains(picked, t) })
		picked = append(picked, from[i])
	}
	return picked
}

func (PositionSet) tell(*ruled, State) bool { return true }

func (e PositionSet) apply(s State) State {
	was := s
	s.lies(e.Position)
	s.Had.Passed = [ruleset.MaxSeats]bool{}
	if !was.poolEmpty() {
		s.Had.Dry = [ruleset.MaxSeats]bool{}
	}
	s.takeTurn(e.Turn)
	if e.Turn.Seat == was.Turn.Seat { // the same turn starts again
		s.Had.Lap, s.Had.Turns = was.Had.Lap, was.Had.Turns
	}
	s.Actions.add(Last{Kind: e.Kind(), Seat: e.Turn.Seat}, s.Seats)
	s.pause(e.Pause)
	return s
}

func (e PositionSet) behind(s State, _ []Event, _ map[int]State) Command {
	c := SetPosition{Grounds: e.Said.grounds(), Seat: e.Turn.Seat, Table: e.Table.Laid(),
		Racks: make([][]tile.Face, len(e.Racks))}
	for seat, rack := range e.Racks {
		if !slices.Equal(rack, s.Racks[seat]) {
			c.Racks[seat] = tile.FacesOf(rack)
		}
	}
	return c
}

// lies moves all tiles to their places in p. If play had ended, it continues.
func (s *State) lies(p Position) {
	s.Table, s.Racks, s.Pool, s.PoolEmpty, s.Ending = p.Table, racksOf(p.Racks), p.Pool, p.PoolEmpty, ""
	s.Opened, s.Able = seatsOf(p.Opened), seatsOf(p.Able)
	s.Actions.restart(s.Table)
}
