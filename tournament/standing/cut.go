package standing

import "slices"

// CutLine is where a cut falls: who advances, and who ties for the last places.
type CutLine struct {
	In     []int64 // go on for certain, best first
	Tied   []int64 // share the line; empty when there is no tie there
	Places int     // how many of the tied go on
}

// Cut takes the best n of the rows of one stage, best first, leaving out who withdrew or was disqualified. Players who tie
// across the line are not chosen among: they are given as tied. With n or fewer all go on.
func Cut(rows []Row, n int) CutLine {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Withdrawn || r.Disqualified })
	var cut CutLine
	if len(rows) <= n {
		for _, r := range rows {
			cut.In = append(cut.In, r.Player)
		}
		return cut
	}
	if rows[n-1].Place != rows[n].Place {
		for _, r := range rows[:n] {
			cut.In = append(cut.In, r.Player)
		}
		return cut
	}
	for _, r := range rows {
		switch {
		case r.Place < rows[n].Place:
			cut.In = append(cut.In, r.Player)
		case r.Place == rows[n].Place:
			cut.Tied = append(cut.Tied, r.Player)
		}
	}
	cut.Places = n - len(cut.In)
	return cut
}
