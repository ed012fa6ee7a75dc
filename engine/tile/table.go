package tile

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// The log records the order of the sets as places in 17 lanes of 13 cells: a place is lane*13 + cell. All screens lay
// out the sets in this order, in lines of their own. It has no effect on the rules. Valid sets fit in any order,
// because two lanes in a row hold at least 13 tiles of sets.
const (
	Lanes     = 17
	LaneCells = 13
	Cells     = Lanes * LaneCells
	// SomewhereFree leaves the place of a set open: an old set keeps its own, a new one comes last.
	SomewhereFree = -1
)

// Laid is a set of physical tiles on the table, in order as laid, with the cell of its first tile.
type Laid struct {
	At    int
	Tiles List
}

// Table holds all sets on the table. The log stores it as text: "0 R4 J R6;14 K5 O5 B5".
type Table []Laid

// LaidFaces is a set as a player names it: its faces, and the requested cell for its first tile.
type LaidFaces struct {
	At    int      `json:"at" minimum:"-1" maximum:"220" doc:"the order of the sets; -1: an old set stays, a new one is last"`
	Faces FaceList `json:"tiles" doc:"the set in order, such as [\"R4\",\"J\",\"R6\"]"`
}

// MarshalText writes the table compactly.
func (t Table) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, 16*len(t))), nil
}

// AppendText appends the table as MarshalText writes it.
func (t Table) AppendText(text []byte) []byte {
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
func (t Table) Faces() [][]Face {
	sets := make([][]Face, len(t))
	for i, laid := range t {
		sets[i] = FacesOf(laid.Tiles)
	}
	return sets
}

// Laid returns the table by faces, as in a command that does not change it.
func (t Table) Laid() []LaidFaces {
	sets := make([]LaidFaces, len(t))
	for i, laid := range t {
		sets[i] = LaidFaces{At: laid.At, Faces: FacesOf(laid.Tiles)}
	}
	return sets
}

// Check returns an error if a set is not valid, overlaps or touches another set, or does not lie on the table.
func (t Table) Check() error {
	var taken [Cells]bool
	for _, laid := range t {
		if !Valid(FacesOf(laid.Tiles)) {
			return fmt.Errorf("not a set: %v", laid.Tiles)
		}
		if laid.At < 0 || !Fits(&taken, laid.At, len(laid.Tiles)) {
			return fmt.Errorf("set %v does not fit at %d", laid.Tiles, laid.At)
		}
		Take(&taken, laid.At, len(laid.Tiles))
	}
	return nil
}

// Lay turns a legal play into the new table, with a physical tile for each face and a place for each set. Unchanged
// sets keep their tiles. Otherwise table tiles are used before rack tiles of the same face. Lay also returns the rack
// tiles that were laid.
func Lay(before Table, rack List, after []LaidFaces) (Table, List) {
	table := make(Table, len(after))
	used := make([]bool, len(before))
	var loose List
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
	var played List
	own, room := slices.Clone(rack), make(List, laid)
	for i, set := range after {
		if table[i].Tiles != nil {
			continue
		}
		n := len(set.Faces)
		tiles := room[:n:n]
		room = room[n:]
		for j, f := range set.Faces {
			of := func(t Tile) bool { return t.Face() == f }
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
	Arrange(before, table)
	return table, played
}

func sameFaces(tiles List, faces []Face) bool {
	return slices.EqualFunc(tiles, faces, func(t Tile, f Face) bool { return t.Face() == f })
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

// Arrange orders the sets and gives each a place. The order is that of the requested places. A set without a request
// stays where its first tile lay before, or comes last if that tile is new. Each set keeps its place if it can; the
// others move up only as far as the order needs.
func Arrange(before, table Table) {
	for i := range table {
		if at := table[i].At; at < 0 || at >= Cells {
			table[i].At = oldPlace(before, table[i].Tiles[0])
		}
	}
	slices.SortStableFunc(table, func(a, b Laid) int { return a.At - b.At })
	lengths := make([]int, len(table))
	for i, laid := range table {
		lengths[i] = len(laid.Tiles)
	}
	at := 0
	for i, n := range lengths {
		table[i].At, at = spread(at, table[i].At, n, lengths[i+1:])
	}
}

// Placed returns sets in the order of their places, those without one last, with a place for each: SomewhereFree if the
// sets are too many.
func Placed(sets []LaidFaces) []LaidFaces {
	placed := slices.Clone(sets)
	for i := range placed {
		if at := placed[i].At; at < 0 || at >= Cells {
			placed[i].At = Cells
		}
	}
	slices.SortStableFunc(placed, func(a, b LaidFaces) int { return a.At - b.At })
	lengths := make([]int, len(placed))
	for i, set := range placed {
		lengths[i] = len(set.Faces)
	}
	at := 0
	for i, n := range lengths {
		placed[i].At, at = spread(at, placed[i].At, n, lengths[i+1:])
	}
	return placed
}

// spread returns the place of a set of n tiles, and the first place for the next one. The place is the wanted one if it
// is free from cell from on and leaves room for the later sets; otherwise it is the first one that is free.
func spread(from, want, n int, later []int) (at, next int) {
	if at, next = firstFree(max(from, want), n); at == want && packs(next, later) {
		return at, next
	}
	return firstFree(from, n)
}

// firstFree returns the first place from a cell on where n tiles fit in one lane, and the first place after them. It
// returns SomewhereFree beyond the last lane.
func firstFree(from, n int) (at, next int) {
	at = from
	if at%LaneCells+n > LaneCells {
		at += LaneCells - at%LaneCells
	}
	if at+n > Cells || n > LaneCells {
		return SomewhereFree, from
	}
	if next = at + n; next%LaneCells > 0 {
		next++
	}
	return at, next
}

// packs reports whether sets of these lengths fit one after the other from a cell on.
func packs(from int, lengths []int) bool {
	for _, n := range lengths {
		at, next := firstFree(from, n)
		if at < 0 {
			return false
		}
		from = next
	}
	return true
}

// oldPlace returns the cell where a tile lay, or Cells if it was not on the table.
func oldPlace(before Table, first Tile) int {
	for _, laid := range before {
		if i := slices.Index(laid.Tiles, first); i >= 0 {
			return laid.At + i
		}
	}
	return Cells
}

// Fits reports whether n tiles fit in one lane at a place, with an empty cell on either side.
func Fits(taken *[Cells]bool, at, n int) bool {
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

// Take marks the cells of a set of n tiles as taken.
func Take(taken *[Cells]bool, at, n int) {
	for i := at; i < at+n; i++ {
		taken[i] = true
	}
}

// MostOf returns the index of the set with the most of these tiles, the first one in a tie, or -1 if the table has none
// of them.
func (t Table) MostOf(tiles List) int {
	most, set := 0, -1
	for k, laid := range t {
		n := 0
		for _, one := range tiles {
			if slices.Contains(laid.Tiles, one) {
				n++
			}
		}
		if n > most {
			most, set = n, k
		}
	}
	return set
}

// SetOf returns the index of the set with a tile, or -1 if it is not on the table.
func (t Table) SetOf(one Tile) int {
	return slices.IndexFunc(t, func(laid Laid) bool { return slices.Contains(laid.Tiles, one) })
}

// LaidView is a set on the table. New lists the positions of the tiles that the last play laid.
type LaidView struct {
	At    int      `json:"at"`
	Tiles FaceList `json:"tiles"`
	New   []int    `json:"new,omitempty"`
}

// TableView holds the sets on the table, in the order of their places.
type TableView []LaidView

// View returns the table for display, with the fresh tiles marked as new.
func (t Table) View(fresh List) TableView {
	tiles := 0
	for _, laid := range t {
		tiles += len(laid.Tiles)
	}
	return t.ViewIn(make(TableView, 0, len(t)), make(FaceList, 0, tiles), fresh)
}

// ViewIn appends the table to an empty view. The sets use the memory of faces while it has room.
func (t Table) ViewIn(view TableView, faces FaceList, fresh List) TableView {
	for _, laid := range t {
		first := len(faces)
		for _, one := range laid.Tiles {
			faces = append(faces, one.Face())
		}
		shown := LaidView{At: laid.At, Tiles: faces[first:len(faces):len(faces)]}
		for j, one := range laid.Tiles {
			if slices.Contains(fresh, one) {
				shown.New = append(shown.New, j)
			}
		}
		view = append(view, shown)
	}
	return view
}

// MarshalJSON writes the whole table at once. The table is the bulk of every update, and a call for each set would be
// most of the cost.
func (t TableView) MarshalJSON() ([]byte, error) {
	return t.AppendJSON(make([]byte, 0, 64*len(t)+2))
}

// AppendJSON appends the table as MarshalJSON writes it.
func (t TableView) AppendJSON(text []byte) ([]byte, error) {
	text = append(text, '[')
	for i, laid := range t {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, `{"at":`...)
		text = strconv.AppendInt(text, int64(laid.At), 10)
		text = append(text, `,"tiles":`...)
		var err error
		if text, err = laid.Tiles.AppendJSON(text); err != nil {
			return nil, err
		}
		if len(laid.New) > 0 {
			text = append(text, `,"new":[`...)
			for j, position := range laid.New {
				if j > 0 {
					text = append(text, ',')
				}
				text = strconv.AppendInt(text, int64(position), 10)
			}
			text = append(text, ']')
		}
		text = append(text, '}')
	}
	return append(text, ']'), nil
}
