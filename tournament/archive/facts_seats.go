package archive

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"meldhall/tournament"
)

// checkSeats compares a round's seats with the drawn ones after the manual changes. It skips tables changed by actions
// about players, because the records of those actions explain them.
func (f *facts) checkSeats(r *roundFact, d tournament.Drawing, changes []*record) {
	place := fmt.Sprintf("round %d", r.number)
	if len(d.Seats) != len(d.Numbers) {
		f.fault(roundsName, "%s: it was drawn with %d tables and %d numbers", place, len(d.Seats), len(d.Numbers))
		return
	}
	want := map[int][]int64{}
	for i, number := range d.Numbers {
		want[number] = slices.Clone(d.Seats[i])
	}
	explained := map[int]bool{}
	for _, c := range changes {
		switch action := c.kind; {
		case action == "round.swap" && !c.old():
			swap(want, c)
		case action == "round.move" && !c.old():
			move(want, c)
		case strings.HasPrefix(action, "people."), action == "player.withdraw":
			for _, number := range tablesIn(c, r.number) {
				explained[number] = true
			}
		}
	}
	seats, numbers := f.seats(r)
	for i, number := range numbers {
		if !explained[number] && !slices.Equal(want[number], seats[i]) {
			f.fault(roundsName, "%s, table %d: players %v sit there; by the draw and the records it is players %v",
				place, number, seats[i], want[number])
		}
		delete(want, number)
	}
	for number, players := range want {
		if !explained[number] && len(players) > 0 {
			f.fault(roundsName, "%s, table %d is missing: by the draw and the records players %v sit there", place,
				number, players)
		}
	}
}

// satAt is a seat in the data of a record of a manual change.
type satAt struct{ Table, Seat int }

// swap exchanges the players at the two seats that a record names.
func swap(tables map[int][]int64, c *record) {
	var said struct{ A, B satAt }
	if json.Unmarshal([]byte(c.s("data")), &said) != nil {
		return
	}
	a, b := tables[said.A.Table], tables[said.B.Table]
	if i, j := said.A.Seat-1, said.B.Seat-1; i >= 0 && j >= 0 && i < len(a) && j < len(b) {
		a[i], b[j] = b[j], a[i]
	}
}

// move moves the player that a record names to the end of another table.
func move(tables map[int][]int64, c *record) {
	var said struct{ Was, Is satAt }
	if json.Unmarshal([]byte(c.s("data")), &said) != nil {
		return
	}
	from, i := tables[said.Was.Table], said.Was.Seat-1
	if i < 0 || i >= len(from) {
		return
	}
	player := from[i]
	tables[said.Was.Table] = slices.Delete(from, i, i+1)
	tables[said.Is.Table] = append(tables[said.Is.Table], player)
}

// tablesIn returns the tables of a round that an action about players changed.
func tablesIn(c *record, round int) (numbers []int) {
	type change struct{ Tables []struct{ Round, Table int } }
	said := dataOf[struct{ Was, Is change }](c)
	for _, t := range append(said.Was.Tables, said.Is.Tables...) {
		if t.Round == round {
			numbers = append(numbers, t.Table)
		}
	}
	if c.about.Table != 0 {
		numbers = append(numbers, c.about.Table)
	}
	return append(numbers, c.about.Tables...)
}
