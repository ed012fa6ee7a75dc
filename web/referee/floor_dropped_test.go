package referee

import (
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/templates"
)

// TestDroppedAtOnce checks that a pause is proposed when 30 % of the tablets at running clocks fall silent within 5 s.
// Single tablets, stopped tables, API clients and tablets lost one after the other do not count.
func TestDroppedAtOnce(t *testing.T) {
	ctx := templates.WithLanguage(t.Context(), "en")
	table := func(ticks bool, offline ...engine.Millis) templates.FloorRow {
		row := templates.FloorRow{Ticks: ticks}
		for _, since := range offline {
			row.Players = append(row.Players, templates.TablePlayer{Page: since >= 0, Offline: max(since, 0)})
		}
		return row
	}
	for name, try := range map[string]struct {
		rows []templates.FloorRow
		want string
	}{
		"all of one table": {[]templates.FloorRow{table(true, 1000, 1000, 2000, 6000)}, "4 of 4"},
		"three of ten": {[]templates.FloorRow{table(true, 1000, 3000, 6000, 0, 0),
			table(true, 0, 0, 0, 0, 0)}, "3 of 10"},
		"three of eleven": {[]templates.FloorRow{table(true, 1000, 3000, 6000, 0, 0),
			table(true, 0, 0, 0, 0, 0, 0)}, ""},
		"one after the other":    {[]templates.FloorRow{table(true, 1000, 7000, 13000, 19000)}, ""},
		"two after a single one": {[]templates.FloorRow{table(true, 1000, 17000, 18000, 0)}, "2 of 4"},
		"one of two":             {[]templates.FloorRow{table(true, 1000, 0)}, ""},
		"a table that stands": {[]templates.FloorRow{table(false, 1000, 1000, 1000, 1000), table(true, 0, 0, 0, 0)},
			""},
		"a program at a seat": {[]templates.FloorRow{table(true, 1000, 1000, -1, -1)}, "2 of 2"},
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
