package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"meldhall/engine/tile"
)

// The table has 14 lanes of 13 cells. A place is lane*13 + cell. The place of a set has no effect on the rules, but all
// viewers see the same arrangement.
const (
	Lanes     = 14
	LaneCells = 13
	Cells     = Lanes * LaneCells
	// SomewhereFree asks for any free place for a set.
	SomewhereFree = -1
)

// Laid is a set of physical tiles on the table, in order as laid, with the cell of its first tile.
type Laid struct {
	At    int
	Tiles tile.List
}

// Table holds all sets on the table. The log stores it as text: "0 R4 J R6;14 K5 O5 B5".
type Table []Laid

// LaidFaces is a set as a player names it: its faces, and the requested cell for its first tile.
type LaidFaces struct {
	At    int           `json:"at" minimum:"-1" maximum:"181" doc:"lane*13 + cell of the set's first tile; -1 for any free place"`
	Faces tile.FaceList `json:"tiles" doc:"the set in order, such as [\"R4\",\"J\",\"R6\"]"`
}

// MarshalText writes the table compactly.
func (t Table) MarshalText() ([]byte, error) {
	return t.appendText(make([]byte, 0, 16*len(t))), nil
}

func (t Table) appendText(text []byte) []byte {
	for i, laid := range t {
		if i > 0 {
			text = append(text, ';')
		}
		text = strconv.AppendInt(text, int64(laid.At), 10)
		for _, one := range laid.Tiles {
			text = append(text, ' ')
			text = append(text, one.String()...)
		}
	}
	return text
}

// UnmarshalText reads what MarshalText writes.
func (t *Table) UnmarshalText(text []byte) error {
	*t = nil
	if len(text) == 0 {
		return nil
	}
	for part := range bytes.SplitSeq(text, []byte{';'}) {
		at, tiles, _ := bytes.Cut(part, []byte{' '})
		n, err := strconv.Atoi(string(at))
		if err != nil {
			return fmt.Errorf("place of a set: %w", err)
		}
		laid := Laid{At: n}
		if err := laid.Tiles.UnmarshalText(tiles); err != nil {
			return err
		}
		*t = append(*t, laid)
	}
	return nil
}

// Faces returns the sets as faces, in order.
func (t Table) Faces() [][]tile.Face {
	sets := make([][]tile.Face, len(t))
	for i, laid := range t {
		sets[i] = tile.FacesOf(laid.Tiles)
	}
	return sets
}

// Laid returns the table by faces, as in a command that does not change it.
func (t Table) Laid() []LaidFaces {
	sets := make([]LaidFaces, len(t))
	for i, laid := range t {
		sets[i] = LaidFaces{At: laid.At, Faces: tile.FacesOf(laid.Tiles)}
	}
	return sets
}

func (t Table) check() error {
	var taken [Cells]bool
	for _, laid := range t {
		if !tile.Valid(tile.FacesOf(laid.Tiles)) {
			return fmt.Errorf("not a set: %v", laid.Tiles)
		}
		if laid.At < 0 || !fits(&taken, laid.At, len(laid.Tiles)) {
			return fmt.Errorf("set %v does not fit at %d", laid.Tiles, laid.At)
		}
		take(&taken, laid.At, len(laid.Tiles))
	}
	return nil
}

// lay turns a legal play into the new table, with a physical tile for each face and a place for each set. Unchanged
// sets keep their tiles. Otherwise table tiles are used before rack tiles of the same face. lay also returns the rack
// tiles that were laid.
func lay(before Table, rack tile.List, after []LaidFaces) (Table, tile.List) {
	table := make(Table, len(after))
	used := make([]bool, len(before))
	var loose tile.List
	laid := 0 // tiles of changed sets
	for i, set := range after {
		table[i] = Laid{At: set.At}
		laid += len(set.Faces)
		for b, was := range before {
			if !used[b] && sameFaces(was.Tiles, set.Faces) {
				used[b] = true
				table[i].Tiles = was.Tiles
				laid -= len(was.Tiles)
				break
			}
		}
	}
	for b, was := range before {
		if !used[b] {
			loose = append(loose, was.Tiles...)
		}
	}
	var played tile.List
	own, room := slices.Clone(rack), make(tile.List, laid)
	for i, set := range after {
		if table[i].Tiles != nil {
			continue
		}
		n := len(set.Faces)
		tiles := room[:n:n]
		room = room[n:]
		for j, f := range set.Faces {
			of := func(t tile.Tile) bool { return t.Face() == f }
			if at := slices.IndexFunc(loose, of); at >= 0 {
				tiles[j] = loose[at]
				loose = slices.Delete(loose, at, at+1)
				continue
			}
			at := slices.IndexFunc(own, of)
			tiles[j] = own[at]
			own = slices.Delete(own, at, at+1)
			played = append(played, tiles[j])
		}
		table[i].Tiles = tiles
	}
	arrange(before, table)
	slices.SortStableFunc(table, func(a, b Laid) int { return a.At - b.At })
	return table, played
}

func sameFaces(tiles tile.List, faces []tile.Face) bool {
	return slices.EqualFunc(tiles, faces, func(t tile.Tile, f tile.Face) bool { return t.Face() == f })
}

// SameSets reports whether the named sets are those of the table, in any places.
func SameSets(table Table, named []LaidFaces) bool {
	if len(table) != len(named) {
		return false
	}
	left := slices.Clone(table)
	for _, set := range named {
		i := slices.IndexFunc(left, func(laid Laid) bool { return sameFaces(laid.Tiles, set.Faces) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// arrange gives every set a place. First, an unchanged set without another request keeps its place. Then come the
// requests, as far as their places are free, then the old places of changed sets, then the first free places, lane by
// lane. If the table is too scattered, all sets are laid out again.
func arrange(before, table Table) {
	var taken [Cells]bool
	put := func(laid *Laid, at int) bool {
		if !fits(&taken, at, len(laid.Tiles)) {
			return false
		}
		take(&taken, at, len(laid.Tiles))
		laid.At = at
		return true
	}
	waiting := make([]*Laid, 0, len(table))
	for i := range table {
		was, untouched := oldPlace(before, table[i].Tiles)
		stays := untouched && (table[i].At == SomewhereFree || table[i].At == was)
		if !stays || !put(&table[i], was) {
			waiting = append(waiting, &table[i])
		}
	}
	waiting = slices.DeleteFunc(waiting, func(laid *Laid) bool { return put(laid, laid.At) })
	waiting = slices.DeleteFunc(waiting, func(laid *Laid) bool {
		was, _ := oldPlace(before, laid.Tiles)
		return put(laid, was)
	})
	for _, laid := range waiting {
		if !put(laid, firstFree(&taken, len(laid.Tiles))) {
			tidy(table)
			return
		}
	}
}

// tidy lays out all sets again, longest first. This always finds room, because 106 tiles and the gaps between at most
// 35 sets fill less than 14 lanes.
func tidy(table Table) {
	var taken [Cells]bool
	slices.SortStableFunc(table, func(a, b Laid) int { return len(b.Tiles) - len(a.Tiles) })
	for i := range table {
		table[i].At = firstFree(&taken, len(table[i].Tiles))
		if table[i].At >= 0 {
			take(&taken, table[i].At, len(table[i].Tiles))
		}
	}
}

// oldPlace returns where the set with the first tile was, and whether that set is unchanged.
func oldPlace(before Table, tiles tile.List) (at int, untouched bool) {
	for _, laid := range before {
		if slices.Contains(laid.Tiles, tiles[0]) {
			return laid.At, slices.Equal(laid.Tiles, tiles)
		}
	}
	return SomewhereFree, false
}

func firstFree(taken *[Cells]bool, n int) int {
	for at := range Cells {
		if fits(taken, at, n) {
			return at
		}
	}
	return SomewhereFree
}

// fits reports whether n tiles fit in one lane at a place, with an empty cell on either side.
func fits(taken *[Cells]bool, at, n int) bool {
	cell := at % LaneCells
	if at < 0 || at >= Cells || n > LaneCells-cell {
		return false
	}
	from, to := at, at+n
	if cell > 0 {
		from--
	}
	if cell+n < LaneCells {
		to++
	}
	return !slices.Contains(taken[from:to], true)
}

func take(taken *[Cells]bool, at, n int) {
	for i := at; i < at+n; i++ {
		taken[i] = true
	}
}
