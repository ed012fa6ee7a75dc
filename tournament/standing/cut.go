package standing

import (
	"slices"
)

// CutLine is the result of a cut: who advances, and who ties for the last places.
type CutLine struct {
	In     []int64 // advance for certain, best first
	Tied   []int64 // tie at the line; empty if there is no tie
	Places int     // how many of the tied players advance
}

// Cut takes the best n of a stage's rows, which are sorted best first. It leaves out players who withdrew or were
// disqualified. Players who tie across the line are returned as tied. With n or fewer players all advance.
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

// Rest returns the rows of the candidates for the places that the best of each table leave free: all players who are
// not in, or with next only those in the next place at their tables.
func Rest(rows []Row, tables [][]int64, in []int64, next bool) []Row {
	rest := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return slices.Contains(in, r.Player) })
	if !next {
		return rest
	}
	var places []int64
	for _, table := range tables {
		line := Cut(AtTable(rest, table), 1)
		places = append(append(places, line.In...), line.Tied...)
	}
	return AtTable(rest, places)
}

// AtTable returns the rows of these players.
func AtTable(rows []Row, players []int64) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !slices.Contains(players, r.Player) })
}

// Reasons why a player does not take a place among the qualifiers (waivers).
const (
	QualifiedAlready = "qualified_already"
	NotEligible      = "not_eligible"
	Declined         = "declined"
)

// Waivers lists all reasons for not taking a place.
var Waivers = []string{QualifiedAlready, NotEligible, Declined}

// States of a player in the list of qualifiers, besides a waiver.
const (
	Qualifies = "qualifies"
	Reserve   = "reserve" // next if a player declines
	Open      = "open"    // tied for fewer places than players; must be decided
)

// Entry is one player in the list of qualifiers. Standing is the place in the ranking. State is Qualifies, Reserve,
// Open, a waiver, or empty for later players. Nth is the number of the place or reserve, from 1.
type Entry struct {
	Player   int64
	Standing int
	State    string
	Nth      int
}

// Qualify assigns the places in the order of the rows. It does not change the ranking: players with a waiver are
// skipped and the next ones move up. Players who withdrew, were disqualified or have not played are left out. Players
// who share a rank across the last place are all open.
func Qualify(rows []Row, places, reserves int, waivers map[int64]string) []Entry {
	var list []Entry
	var takers []int // indices of players without a waiver
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

// stateAt returns the state of takers i to j-1, who share a rank.
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
