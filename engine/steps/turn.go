package steps

import (
	"slices"

	"meldhall/engine/tile"
)

// Turn is the difference between two tables, without an order of steps: for each row that differs, where its tiles come
// from.
type Turn struct {
	Old []tile.FaceList // the rows of the table before that changed
	Now []Row           // the rows of the table after that are not in the one before
}

// Row is a row of the table after a turn. Was is the index in Old of the row that it continues, or NoRow for a new row.
// A row continues another one if both are runs of one colour, or groups of one number, with at least two tiles in
// common. Tiles that are not in Got were in that row before.
type Row struct {
	Tiles tile.FaceList
	Was   int
	Got   []Got
}

// Got is the tiles that a row got from one place. At lists them as ascending indexes in the row. From is the index in
// Old of the row that they left, or NoRow for the rack.
type Got struct {
	At   []int
	From int
}

// From returns the index in Old of the row in which the tile at an index lay before, or NoRow for the rack.
func (r Row) From(at int) int {
	for _, g := range r.Got {
		if slices.Contains(g.At, at) {
			return g.From
		}
	}
	return r.Was
}

// Racked reports whether the row got tiles from the rack.
func (r Row) Racked() bool {
	return slices.ContainsFunc(r.Got, func(g Got) bool { return g.From == NoRow })
}

// NoRow stands for the rack, and for the past of a new row.
const NoRow = none

// Between returns the difference between two tables. It is like Steps, but only for the two tables themselves, and much
// faster. ok is false if a tile of before is missing in after, or if more than 64 rows of either table differ.
func Between(before, after [][]tile.Face) (t Turn, ok bool) {
	old, now := unmatched(before, after, slices.Equal)
	var turned []Row
	sameTiles := func(a, b []tile.Face) bool {
		same := len(a) == len(b) && tile.CountFaces(a) == tile.CountFaces(b)
		if same {
			turned = append(turned, Row{Tiles: b, Was: len(t.Old)})
			t.Old = append(t.Old, a)
		}
		return same
	}
	old, now = unmatched(old, now, sameTiles)
	d, ok := newDiff(old, now)
	if !ok {
		return Turn{}, false
	}
	first := len(t.Old)
	for _, row := range old {
		t.Old = append(t.Old, row)
	}
	was := d.continued()
	for j, row := range now {
		r := Row{Tiles: row, Was: NoRow}
		if was[j] != none {
			r.Was = first + was[j]
		}
		for k := d.first[j]; k < d.first[j+1]; k++ {
			from := d.pieces[k].from
			if from == was[j] && from != none {
				continue
			}
			if from != none {
				from += first
			}
			r.got(from, k-d.first[j])
		}
		t.Now = append(t.Now, r)
	}
	t.Now = append(t.Now, turned...)
	return t, true
}

// got records that the tile at an index comes from a row or from the rack.
func (r *Row) got(from, at int) {
	n := slices.IndexFunc(r.Got, func(g Got) bool { return g.From == from })
	if n < 0 {
		n = len(r.Got)
		r.Got = append(r.Got, Got{From: from})
	}
	r.Got[n].At = append(r.Got[n].At, at)
}

// continued returns for each new row the old row that it continues, or none. Of the rows that are alike, those with the
// most tiles in common are paired first.
func (d *diff) continued() []int {
	d.count()
	was := make([]int, len(d.now))
	for j := range was {
		was[j] = none
	}
	taken := make([]bool, len(d.old))
	for {
		most, from, to := 1, none, none
		for i, old := range d.old {
			for j, now := range d.now {
				if n := d.shared[i*len(d.now)+j]; n > most && !taken[i] && was[j] == none && Alike(old, now) {
					most, from, to = n, i, j
				}
			}
		}
		if to == none {
			return was
		}
		was[to], taken[from] = from, true
	}
}

// Swaps returns the indexes of the tiles of a row that replaced jokers.
func (t Turn) Swaps(row Row) (at []int) {
	if row.Was == NoRow {
		return nil
	}
	was := t.Old[row.Was]
	reading, _ := tile.AsRun(was)
	stay := 0 // jokers of a group that need no replacement
	if _, run := tile.AsRun(row.Tiles); !run {
		reading, _ = tile.AsGroup(was)
		stay = int(tile.CountFaces(row.Tiles)[tile.Joker])
	}
	for p, f := range was {
		if !f.IsJoker() {
			continue
		}
		if stay > 0 {
			stay--
			continue
		}
		for i, own := range row.Tiles {
			if reading.Stands(p).Has(own) && row.From(i) != row.Was && !slices.Contains(at, i) {
				at = append(at, i)
				break
			}
		}
	}
	return at
}

// PartOf returns the index in Old of the run from which a new run was split: the only row that gave it tiles, at least
// two, if the rest of that row is still a run. It returns NoRow for every other row, and for runs with jokers.
func (t Turn) PartOf(row Row) int {
	from := NoRow
	for _, g := range row.Got {
		switch {
		case g.From == NoRow:
		case from != NoRow || len(g.At) < 2:
			return NoRow
		default:
			from = g.From
		}
	}
	_, run := tile.AsRun(row.Tiles)
	if row.Was != NoRow || from == NoRow || !run || !Alike(row.Tiles, t.Old[from]) {
		return NoRow
	}
	rest := slices.IndexFunc(t.Now, func(r Row) bool { return r.Was == from })
	if rest < 0 || tile.CountFaces(row.Tiles, t.Old[from], t.Now[rest].Tiles)[tile.Joker] > 0 {
		return NoRow
	}
	return from
}

// Alike reports whether two rows are runs of the same colour or groups of the same number.
func Alike(a, b []tile.Face) bool {
	run, ok := tile.AsRun(a)
	other, too := tile.AsRun(b)
	if ok && too && run.First().Colour() == other.First().Colour() {
		return true
	}
	group, ok := tile.AsGroup(a)
	same, too := tile.AsGroup(b)
	return ok && too && group.Value*len(b) == same.Value*len(a)
}
