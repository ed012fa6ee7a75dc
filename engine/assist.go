package engine

import (
	"slices"

	"meldhall/engine/tile"
)

// Fit is what one tile of the rack can do with a table as it lies: go into a set, before its tile At, or behind the last one;
// or with Joker take the place of the joker that is its tile At.
type Fit struct {
	Face  tile.Face `json:"face"`
	Set   int       `json:"set"` // in the table as it was given
	At    int       `json:"at"`
	Joker bool      `json:"joker,omitempty"`
}

// Fits tells, under rules that let a player be helped, for each face that is left on a seat's rack the one set that takes it,
// where there is just one, and the jokers that it may take the place of. Table is the table as the seat has laid it so far.
// Sets that the seat may not touch yet take nothing. Under other rules it is nil.
func Fits(s State, seat int, table []LaidFaces) []Fit {
	if s.Rules.Assist != On {
		return nil
	}
	before := s.Table.Faces()
	rack := tile.CountFaces(tile.FacesOf(s.Racks[seat]))
	sets := make([][]tile.Face, len(table))
	for i, set := range table {
		sets[i] = set.Faces
	}
	own := func(set []tile.Face) bool {
		lay := func(old []tile.Face) bool { return unchanged(old, set) }
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

// taking is where a tile makes a set of a set, behind it if it can be, and -1 where it cannot.
func taking(set []tile.Face, f tile.Face) int {
	for at := len(set); at >= 0; at-- {
		if tile.Valid(slices.Insert(slices.Clone(set), at, f)) {
			return at
		}
	}
	return -1
}

// replacing are the jokers of a set whose place a tile can take.
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

// Standing are the sets that stand in a row of tiles, as from and to, none of them within a longer one.
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
