package standing

import (
	"slices"
)

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

// Why a player takes no place for what the event qualifies for.
const (
	QualifiedAlready = "qualified_already"
	NotEligible      = "not_eligible"
	Declined         = "declined"
)

// Waivers are all of them.
var Waivers = []string{QualifiedAlready, NotEligible, Declined}

// What becomes of a player in the list of who qualifies, besides a waiver.
const (
	Qualifies = "qualifies"
	Reserve   = "reserve" // next when somebody declines
	Open      = "open"    // shares the place with others for whom there is no room together: it must be decided
)

// Entry is one player of the list of who qualifies: Standing is the place in the ranking, State Qualifies, Reserve, Open, a
// waiver, or empty for those who come after; Nth is which of the places, or which reserve, from 1.
type Entry struct {
	Player   int64
	Standing int
	State    string
	Nth      int
}

// Qualify gives the places away in the order of the rows, apart from the ranking, which it does not change: who has a
// waiver is passed over and the next one moves up. Who withdrew or was disqualified is left out. Players who share a place
// across the last one are all open.
func Qualify(rows []Row, places, reserves int, waivers map[int64]string) []Entry {
	var list []Entry
	var takers []int // indices of those without a waiver
	for _, r := range rows {
		if r.Withdrawn || r.Disqualified || r.Games == 0 {
			continue
		}
		list = append(list, Entry{Player: r.Player, Standing: r.Place, State: waivers[r.Player]})
		if list[len(list)-1].State == "" {
			takers = append(takers, len(list)-1)
		}
	}
	nth := map[string]int{}
	for i := 0; i < len(takers); {
		j := i
		for j < len(takers) && list[takers[j]].Standing == list[takers[i]].Standing {
			j++
		}
		state := stateAt(i, j, places, reserves)
		for _, at := range takers[i:j] {
			list[at].State = state
			if state != "" && state != Open {
				nth[state]++
				list[at].Nth = nth[state]
			}
		}
		i = j
	}
	return slices.Clip(list)
}

// stateAt is what becomes of the takers from i to before j, who share a place.
func stateAt(i, j, places, reserves int) string {
	switch {
	case j <= places:
		return Qualifies
	case i < places:
		return Open
	case i < places+reserves:
		return Reserve
	}
	return ""
}
