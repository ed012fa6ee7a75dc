package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// decideRewind puts the game back to the start of a turn, in the state that the log gives for it. The penalty tiles
// that officials ruled since are drawn again, and those that were taken back since stay taken back; what was ruled on
// the turns that are undone is undone with them.
func decideRewind(s State, c Rewind, said Said, at Millis) ([]Event, error) {
	to := c.To
	switch {
	case s.Phase != PhasePlaying:
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	case to.Phase != PhasePlaying || to.Turn.Number != c.Turn || to.Seq > s.Seq || to.Seats != s.Seats:
		return nil, refuse(RefusedRewind, "the log knows no turn %d", c.Turn)
	case to.Deal != s.Deal:
		return nil, refuse(RefusedRewind, "the tiles were dealt again after turn %d", c.Turn)
	case s.Out[to.Turn.Seat]:
		return nil, refuse(RefusedSeatOut, "seat %d plays no more", to.Turn.Seat)
	}
	e := Rewound{Stamp: Stamp{at}, To: c.Turn, Said: said}
	racks, pool := to.Racks, to.Pool
	for _, r := range s.Rulings {
		switch {
		case r.Kind == PenaltyGiven{}.Kind() && r.Cancelled > to.Seq && r.Seq <= to.Seq:
			back := taken(racks[r.Seat], r.Drawn)
			racks[r.Seat] = without(racks[r.Seat], back)
			pool = slices.Concat(pool, back)
		case r.Seq <= to.Seq || r.Cancelled != 0:
		case r.Kind == PenaltyGiven{}.Kind() && s.Physical: // what was drawn by hand stays drawn
		case r.Kind == PenaltyGiven{}.Kind():
			tiles := slices.Clone(pool[:min(r.Asked, len(pool))])
			racks[r.Seat], pool = slices.Concat(racks[r.Seat], tiles), pool[len(tiles):]
			e.Redrawn = append(e.Redrawn, Redrawn{r.Seq, tiles})
		case slices.Contains([]string{TurnSkipped{}.Kind(), IllegalRuled{}.Kind(), LeftoversRuled{}.Kind(), PositionSet{}.Kind(), Rewound{}.Kind()}, r.Kind):
			e.Undone = append(e.Undone, r.Seq)
		}
	}
	e.Position = Position{Table: to.Table, Racks: slices.Clone(racks[:s.Seats]), Pool: pool,
		Opened: slices.Clone(to.Opened[:s.Seats]), Able: slices.Clone(to.Able[:s.Seats]), PoolEmpty: to.PoolEmpty}
	e.Turn = Turn{Number: s.Turn.Number + 1, Seat: to.Turn.Seat, Started: at, Due: s.turnDue(to.Turn.Seat, at), Left: to.Turn.Left, Passes: to.Turn.Passes, Able: to.Turn.Able}
	after := s
	after.Turn, after.Pool = e.Turn, to.Pool
	if len(pool) < len(to.Pool) && len(pool) == 0 {
		e.Turn.Left = after.leftWithout(len(to.Pool))
	}
	if s.TimeOver {
		e.Turn.Left = fewer(e.Turn.Left, after.lapLeft())
	}
	e.Pause = s.stopped(e.Turn, at)
	return []Event{e}, nil
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

// decidePosition puts the tiles where an official says that they are. Tiles are found on the old table, on the racks
// that are named anew, and in the pool; those that are named nowhere go to the bottom of the pool.
func decidePosition(s State, c SetPosition, said Said, at Millis) ([]Event, error) {
	if s.Phase != PhasePlaying {
		return nil, refuse(RefusedNotBegun, "the first turn has not begun")
	}
	if err := s.checkSeat(c.Seat); err != nil {
		return nil, err
	}
	if s.Out[c.Seat] {
		return nil, refuse(RefusedSeatOut, "seat %d plays no more", c.Seat)
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
			return nil, refuse(RefusedPosition, "%s: %d named, %d are there", tile.Face(f), want[f], have[f])
		}
	}
	table, played := lay(s.Table, loose, c.Table)
	loose = slices.Concat(without(loose, played), missing(s.Table, table))
	for seat, faces := range c.Racks {
		if faces != nil {
			racks[seat] = pick(slices.Concat(taken(loose, s.Racks[seat]), loose), faces)
			loose = without(loose, racks[seat])
		}
	}
	pool := taken(s.Pool, loose)
	e := PositionSet{Stamp: Stamp{at}, Said: said}
	e.Position = Position{Table: table, Racks: slices.Clone(racks[:s.Seats]), Pool: slices.Concat(pool, without(loose, pool)),
		Opened: slices.Clone(s.Opened[:s.Seats]), Able: slices.Clone(s.Able[:s.Seats])}
	e.Turn = Turn{Number: s.Turn.Number + 1, Seat: c.Seat, Started: at, Due: s.turnDue(c.Seat, at), Left: s.Turn.Left}
	e.Pause = s.stopped(e.Turn, at)
	return []Event{e}, nil
}

// pick finds a tile for each face, the first ones first; all are there.
func pick(from tile.List, faces []tile.Face) (picked tile.List) {
	for _, f := range faces {
		i := slices.IndexFunc(from, func(t tile.Tile) bool { return t.Face() == f && !slices.Contains(picked, t) })
		picked = append(picked, from[i])
	}
	return picked
}
