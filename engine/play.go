package engine

import (
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// decide judges a submitted table (engine/RULES.md section 3). An illegal one is refused, or costs the turn if the
// rules say so (section 4).
func (c Play) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkTurn(c.Seat, c.Turn); err != nil {
		return nil, err
	}
	verdict := judgePlay(s, c)
	switch {
	case verdict.Legal:
		return c.laid(s, verdict.Points, at), nil
	case s.Rules.IllegalPlay == ruleset.Penalty:
		return decideIllegal(s, c, verdict.Code, at), nil
	}
	return nil, refusedPlay(s, verdict)
}

// laid returns the events that follow from a legal play. points is the value of the play if it opens.
func (c Play) laid(s *State, points int, at Millis) []Event {
	e := c.event(s, at)
	if !s.Opened[c.Seat] {
		e.Points = points
	}
	var end *End
	e.Turn, end = s.afterPlay(e)
	return withEnd(*e, end)
}

// event returns the event of a legal play without its points and the next turn.
func (c Play) event(s *State, at Millis) *TilesPlayed {
	rack := s.Racks[c.Seat]
	table, played := tile.Lay(s.Table, rack, c.Table)
	rest := slices.DeleteFunc(slices.Clone(rack), func(t tile.Tile) bool { return slices.Contains(played, t) })
	return &TilesPlayed{Stamp: Stamp{at}, Seat: c.Seat, Table: table, Played: played, Rack: rest, Late: late(s, at)}
}

func (s *State) afterPlay(e *TilesPlayed) (Turn, *End) {
	after := *s
	after.Table, after.Racks[e.Seat], after.Opened[e.Seat] = e.Table, e.Rack, true
	return s.nextTurn(&after, false, e.At)
}

// JudgePlay judges a table that a seat has laid, in its turn or not. It serves drafts and submissions.
func JudgePlay(s State, c Play) judge.Verdict { return judgePlay(&s, c) }

func judgePlay(s *State, c Play) judge.Verdict {
	after := make([][]tile.Face, len(c.Table))
	for i, set := range c.Table {
		after[i] = set.Faces
	}
	return judge.Of(&s.Rules, &judge.Move{
		Opened: s.Opened[c.Seat], Relief: player{s, c.Seat}.relief(),
		Before: s.Table.Faces(), Rack: tile.FacesOf(s.Racks[c.Seat]), After: after,
	})
}

func refusedPlay(s *State, v judge.Verdict) *Refusal {
	r := &Refusal{Code: v.Code, Set: v.Set}
	if v.Code == judge.CodeMeldShort {
		r.Points, r.Need = v.Points, s.Rules.MeldPoints
	}
	return r
}

func decideIllegal(s *State, c Play, code string, at Millis) []Event {
	tiles := s.top(automatic(&s.Rules, s.Rules.IllegalTiles))
	after := *s
	after.draw(c.Seat, tiles)
	turn, end := s.nextTurn(&after, len(tiles) == 0, at)
	return s.withProposal(withEnd(IllegalPlayed{Stamp{at}, c.Seat, code, c.Table, tiles, turn}, end),
		s.Rules.IllegalTiles, CauseIllegal)
}

func (c Draw) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkTurn(c.Seat, c.Turn); err != nil {
		return nil, err
	}
	if len(s.Pool) == 0 {
		return nil, refuse(RefusedPoolEmpty, "the pool is empty: play or pass")
	}
	tiles := s.top(1)
	after := *s
	after.draw(c.Seat, tiles)
	turn, end := s.nextTurn(&after, false, at)
	return withEnd(TileDrawn{Stamp{at}, c.Seat, tiles, late(s, at), turn}, end), nil
}

func (c Pass) decide(s *State, at Millis) ([]Event, error) {
	if err := s.checkTurn(c.Seat, c.Turn); err != nil {
		return nil, err
	}
	if len(s.Pool) > 0 {
		return nil, refuse(RefusedPoolNotEmpty, "the pool holds %d tiles: play or draw", len(s.Pool))
	}
	turn, end := s.nextTurn(s, true, at)
	return withEnd(TurnPassed{Stamp{at}, c.Seat, late(s, at), turn}, end), nil
}
