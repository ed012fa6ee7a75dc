package referee

import (
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/templates/referee"
)

// TestDroppedAtOnce checks that a pause is proposed when 30 % of the tablets at running clocks fall silent within 5 s.
// Single tablets, stopped tables, API clients and tablets lost one after the other do not count.
func TestDroppedAtOnce(t *testing.T) {
	ctx := locale.WithLanguage(t.Context(), "en")
	table := func(ticks bool, offline ...engine.Millis) referee.FloorRow {
		row := referee.FloorRow{Ticks: ticks}
		for _, since := range offline {
			row.Players = append(row.Players, play.TablePlayer{Page: since >= 0, Offline: max(since, 0)})
		}
		return row
	}
	for name, try := range map[string]struct {
		rows []referee.FloorRow
		want string
	}{
		"all of one table": {[]referee.FloorRow{table(true, 1000, 1000, 2000, 6000)}, "4 of 4"},
		"three of ten": {[]referee.FloorRow{table(true, 1000, 3000, 6000, 0, 0),
			table(true, 0, 0, 0, 0, 0)}, "3 of 10"},
		"three of eleven": {[]referee.FloorRow{table(true, 1000, 3000, 6000, 0, 0),
			table(true, 0, 0, 0, 0, 0, 0)}, ""},
		"one after the other":    {[]referee.FloorRow{table(true, 1000, 7000, 13000, 19000)}, ""},
		"two after a single one": {[]referee.FloorRow{table(true, 1000, 17000, 18000, 0)}, "2 of 4"},
		"one of two":             {[]referee.FloorRow{table(true, 1000, 0)}, ""},
		"a table that stands": {[]referee.FloorRow{table(false, 1000, 1000, 1000, 1000), table(true, 0, 0, 0, 0)},
			""},
		"a program at a seat": {[]referee.FloorRow{table(true, 1000, 1000, -1, -1)}, "2 of 2"},
		"nobody":              {nil, ""},
	} {
		got := ""
		if a := droppedAtOnce(ctx, try.rows); a != nil {
			got, _, _ = strings.Cut(a.Text, " tablets")
		}
		if got != try.want {
			t.Errorf("%s: got %q, want %q", name, got, try.want)
		}
	}
}
