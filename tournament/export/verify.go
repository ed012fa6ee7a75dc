package export

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/engine/audit"
	"meldhall/engine/tile"
)

// verifyLog does all of Verify except for checking the log's hashes.
func verifyLog(g Game) (engine.State, error) {
	events, err := Log(g)
	if err != nil {
		return engine.State{}, err
	}
	s, err := engine.Recheck(events)
	if err != nil {
		return s, fmt.Errorf("turn %d, %w", s.Turn.Number, err)
	}
	if err := audit.Log(events); err != nil {
		return s, err
	}
	if s.Phase == engine.PhaseNew && len(g.Results) == 0 {
		return s, nil // not dealt yet; only the referee was called
	}
	if s.Seats != len(g.Players) {
		return s, fmt.Errorf("the log has %d seats, the table %d", s.Seats, len(g.Players))
	}
	if s.Rules != g.Rules {
		return s, errors.New("the log was played by other rules than its round's")
	}
	if s.End == nil {
		if len(g.Results) > 0 {
			return s, errors.New("there is a result, but the game has not ended")
		}
		return s, nil
	}
	return s, verifyResults(g, s)
}

// Log decodes the log of a game. The log must have no gaps, and each event must have the time of its row.
func Log(g Game) ([]engine.Event, error) {
	if g.fault != nil {
		return nil, g.fault
	}
	events := make([]engine.Event, len(g.Events))
	for i, row := range g.Events {
		if row.Seq != i+1 {
			return nil, fmt.Errorf("seq %d is missing: seq %d follows %d", i+1, row.Seq, i)
		}
		e, err := engine.Decode(row.Kind, row.Version, row.Data)
		if err != nil {
			return nil, fmt.Errorf("seq %d: %w", row.Seq, err)
		}
		if e.When() != row.At {
			return nil, fmt.Errorf("seq %d: the row has the time %d, the event %d", row.Seq, row.At, e.When())
		}
		events[i] = e
	}
	if len(events) == 0 {
		return nil, errors.New("the log is empty")
	}
	return events, nil
}

// verifyResults checks the revisions of the result: they have no gaps, the first matches the log, and a later one
// changes the score only with a reason.
func verifyResults(g Game, s engine.State) error {
	if len(g.Results) == 0 {
		return errors.New("the game has ended, but there is no result")
	}
	for i, r := range g.Results {
		if r.Rev != i+1 {
			return fmt.Errorf("revision %d of the result is missing", i+1)
		}
		if len(r.Lines) != s.Seats {
			return fmt.Errorf("revision %d of the result has %d lines for %d seats", r.Rev, len(r.Lines), s.Seats)
		}
		if i > 0 && r.Why == "" && !sameScore(g.Results[i-1].Lines, r.Lines) {
			return fmt.Errorf("revision %d of the result changes the score without a reason", r.Rev)
		}
	}
	if why := g.Results[0].Ending; why != s.End.Why {
		return fmt.Errorf("the result says that the game ended %q, the log %q", why, s.End.Why)
	}
	for seat, line := range g.Results[0].Lines {
		have := fmt.Sprintf("points %v, wins %v, charge %d %q", line.Points, line.Wins, line.Charge, line.Reason)
		o := s.End.Outcome
		want := fmt.Sprintf("points %v, wins %v, charge %d %q", o.Points[seat], o.Wins[seat], o.Charges[seat].Points,
			o.Charges[seat].Reason)
		if have != want || line.Seat != seat || line.Player != g.Players[seat] {
			return fmt.Errorf("seat %d: the result says player %d, %s; the log gives player %d, %s", seat, line.Player,
				have, g.Players[seat], want)
		}
		if tiles, err := s.Racks[seat].MarshalText(); err == nil && !sameTiles(line.Tiles, string(tiles)) {
			return fmt.Errorf("seat %d: the result says the rack %q, the log gives %q", seat, line.Tiles, tiles)
		}
	}
	return nil
}

func sameScore(a, b []ResultLine) bool {
	return slices.EqualFunc(a, b, func(x, y ResultLine) bool {
		return x.Seat == y.Seat && x.Player == y.Player && x.Points == y.Points && x.Wins == y.Wins
	})
}

// sameTiles reports whether two racks, given as text, have the same faces in any order. It ignores which copy of a face
// a tile is.
func sameTiles(a, b string) bool {
	counts := func(text string) (tile.Counts, error) {
		faces, err := tile.ParseFaces(strings.ReplaceAll(text, "'", ""))
		return tile.CountFaces(faces), err
	}
	x, errX := counts(a)
	y, errY := counts(b)
	return errX == nil && errY == nil && x == y
}
