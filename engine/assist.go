package engine

import (
	"slices"

	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/tile"
)

// A Fit is one way to lay a tile of the rack on a table: insert it into a set before the tile at index At or, if At is
// the length of the set, behind the last one. With Joker, it replaces the joker at index At.
type Fit struct {
	Face  tile.Face `json:"face"`
	Set   int       `json:"set"` // index in the given table
	At    int       `json:"at"`
	Joker bool      `json:"joker,omitempty"`
}

// Fits returns hints for a seat. It returns nil if the rules do not allow assistance, or if table lacks tiles or has
// tiles from elsewhere. For each face left on the seat's rack, it returns the set that takes the face, if exactly one
// does, and the jokers that the face can replace. table is the table as the seat has laid it so far. Sets that the seat
// may not touch yet take nothing.
func Fits(s State, seat int, table []tile.LaidFaces) []Fit {
	if s.Rules.Assist != ruleset.On {
		return nil
	}
	before := s.Table.Faces()
	rack := tile.CountFaces(tile.FacesOf(s.Racks[seat]))
	sets := make([][]tile.Face, len(table))
	for i, set := range table {
		sets[i] = set.Faces
	}
	own := func(set []tile.Face) bool {
		lay := func(old []tile.Face) bool { return judge.Unchanged(old, set) }
		return s.Opened[seat] || tile.CountFaces(set).Within(rack) && !slices.ContainsFunc(before, lay)
	}
	was, now := tile.CountFaces(before...), tile.CountFaces(sets...)
	if !was.Within(now) || !now.Minus(was).Within(rack) {
		return nil
	}
	var fits []Fit
	left := rack.Minus(now.Minus(was))
	for f := range tile.Face(tile.Faces) {
		if left[f] == 0 {
			continue
		}
		var takes []Fit
		for i, set := range sets {
			if !own(set) {
				continue
			}
			if at := taking(set, f); at >= 0 {
				takes = append(takes, Fit{Face: f, Set: i, At: at})
			}
			for _, at := range replacing(set, f) {
				fits = append(fits, Fit{f, i, at, true})
			}
		}
		if len(takes) == 1 {
			fits = append(fits, takes[0])
		}
	}
	return fits
}

// taking returns the last index at which f can be inserted so that the set stays valid, or -1 if there is none.
func taking(set []tile.Face, f tile.Face) int {
	for at := len(set); at >= 0; at-- {
		if tile.Valid(slices.Insert(slices.Clone(set), at, f)) {
			return at
		}
	}
	return -1
}

// replacing returns the indices of the jokers in a set that f can replace.
func replacing(set []tile.Face, f tile.Face) (places []int) {
	for at, old := range set {
		with := slices.Clone(set)
		with[at] = f
		if old == tile.Joker && f != tile.Joker && tile.Valid(with) {
			places = append(places, at)
		}
	}
	return places
}

// Standing returns the valid sets in a row of tiles as pairs of from and to, where to is exclusive. None of them lies
// within a longer one.
func Standing(row []tile.Face) (sets [][2]int) {
	for from := range row {
		for to := min(len(row), from+13); to >= from+3; to-- {
			within := slices.ContainsFunc(sets, func(s [2]int) bool { return s[0] <= from && to <= s[1] })
			if !within && tile.Valid(row[from:to]) {
				sets = append(sets, [2]int{from, to})
				break
			}
		}
	}
	return sets
}
