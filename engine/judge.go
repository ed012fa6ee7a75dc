package engine

import (
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

// Strange returns the index of the first set with a tile that is neither on the table nor on the rack of the seat to
// move, or -1 if there is none. No player can have laid such a table, so it is more than an illegal play.
func (s *State) Strange(table []tile.LaidFaces) int {
	after := make([][]tile.Face, len(table))
	for i, set := range table {
		after[i] = set.Faces
	}
	before, extra := tile.CountFaces(s.Table.Faces()...), tile.CountFaces(after...)
	for f := range extra {
		extra[f] -= min(extra[f], before[f])
	}
	return judge.Strange(after, extra, tile.CountFaces(tile.FacesOf(s.Racks[s.Turn.Seat])))
}

// stuck reports whether an exact search proves that no seat can lay a tile under the rules of the game.
func (s *State) stuck() bool {
	if s.Physical {
		return false
	}
	for seat := range s.Seats {
		if (player{s, seat}).couldLay() {
			return false
		}
	}
	return true
}

// CouldOpen returns judge.BestOpening for a rack of the seat, under the rules for charges. able reports whether the
// rack can make an initial meld.
func (s State) CouldOpen(seat int, rack []tile.Face) (o solve.Opening, able bool) {
	rules, faces, relief := s.chargeRules(), tile.CountFaces(rack), player{&s, seat}.relief()
	o, _ = judge.BestOpening(rules, faces, relief)
	return o, judge.CanOpen(rules, faces, relief)
}

// Move returns the position of the seat to move.
func (s State) Move() judge.Move { return player{&s, s.Turn.Seat}.move() }

// player is a seat with its rack: what it could lay under the rules.
type player struct {
	state *State
	seat  int
}

func (p player) move() judge.Move {
	return judge.Move{Opened: p.state.Opened[p.seat], Relief: p.relief(), Before: p.state.Table.Faces(),
		Rack: tile.FacesOf(p.state.Racks[p.seat])}
}

// relief reports whether the rules make it easier for the player to open, because all the others have opened.
func (p player) relief() bool {
	s := p.state
	if !s.Rules.LastToOpenRelief || s.Opened[p.seat] {
		return false
	}
	for other := range s.Seats {
		if other != p.seat && !s.Opened[other] && !s.Out[other] {
			return false
		}
	}
	return true
}

// ableAtTurn reports, if the rules need it, whether a player who has not opened could open at the start of the turn.
func (p player) ableAtTurn() bool {
	s := p.state
	if s.Physical || s.Rules.AbleWhen != ruleset.AnyTurn || s.Opened[p.seat] || s.Able[p.seat] {
		return false
	}
	return p.canOpen()
}

// canOpen reports whether the rack can make an initial meld. It is not inlined, because it would enlarge the stack of
// ableAtTurn, which every turn needs.
//
//go:noinline
func (p player) canOpen() bool {
	return judge.CanOpen(p.state.chargeRules(), tile.CountFaces(tile.FacesOf(p.state.Racks[p.seat])), p.relief())
}

// couldLay reports whether a player who still plays could lay a tile. The search has no limit, so its answer is proven.
// An unproven answer would let the game continue until all seats have passed.
func (p player) couldLay() bool {
	if p.state.Out[p.seat] {
		return false
	}
	can, proven := judge.CanMove(p.state.Rules, p.move(), 0)
	return can || !proven
}
