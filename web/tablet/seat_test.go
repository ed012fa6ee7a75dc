package tablet

import (
	"fmt"
	"testing"

	"meldhall/templates/play"
)

// TestTheWaitingRoomShowsWhatIsNear checks that of a large field the room shows the first rows, those around the reader
// and both sides of a cut, in order.
func TestTheWaitingRoomShowsWhatIsNear(t *testing.T) {
	for _, c := range []struct {
		field, me, cut int
		want           string
	}{
		{60, 50, 16, "all"},
		{61, 0, -1, "0 1 2 3 4 5 6 7 8 9"},
		{61, 11, -1, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14"},
		{400, 200, 160, "0 1 2 3 4 5 6 7 8 9 |159 160 |197 198 199 200 201 202 203"},
		{400, 399, 10, "0 1 2 3 4 5 6 7 8 9 10 |396 397 398 399"},
		{400, -1, 0, "0 1 2 3 4 5 6 7 8 9"},
	} {
		rows := make([]play.RankRow, c.field)
		for i := range rows {
			rows[i] = play.RankRow{Player: int64(i), Me: i == c.me, Cut: i == c.cut}
		}
		got, near := "", nearRows(rows)
		for _, r := range near {
			if got += " "; r.Gap {
				got += "|"
			}
			got += fmt.Sprint(r.Player)
		}
		if c.want == "all" {
			if len(near) != c.field {
				t.Errorf("%+v: %d rows", c, len(near))
			}
			continue
		}
		if got != " "+c.want {
			t.Errorf("%+v: got%s", c, got)
		}
	}
}
