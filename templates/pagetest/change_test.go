package pagetest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/templates/locale"
	"meldhall/templates/play"
)

// rows parses the sets of a table, separated by slashes.
func rows(text string) (table [][]tile.Face) {
	for row := range strings.SplitSeq(text, "/") {
		if set := faces(strings.TrimSpace(row)); len(set) > 0 {
			table = append(table, set)
		}
	}
	return table
}

// tableOf lays the sets of a table, each in a lane of its own.
func tableOf(text string) (table tile.Table) {
	for i, row := range rows(text) {
		var laid tile.List
		for _, f := range row {
			laid = append(laid, tile.Of(f, 0))
		}
		table = append(table, tile.Laid{At: i * tile.LaneCells, Tiles: laid})
	}
	return table
}

func TestChangesAreSaidAsPeopleDo(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing", "R3 R4 R5", "R3 R4 R5", ""},
		{"a tile is lost", "R3 R4 R5 R6", "R3 R4 R5", ""},
		{"a new run", "", "R3 R4 R5 R6", "new run: red 3 to red 6"},
		{"a new group", "", "R7 B7 K7", "new group of 7: red, blue, black"},
		{"a new run with a joker", "", "R3 J R5", "new run: red 3 to red 5, joker as red 4"},
		{"a new run that a joker begins", "", "J O12 O13", "new run: orange 11 to orange 13, joker as orange 11"},
		{"a new group with a joker", "", "R7 J K7", "new group of 7: red, joker, black"},
		{"two new sets", "", "R7 B7 K7 / O1 O2 O3", "new group of 7: red, blue, black; new run: orange 1 to orange 3"},
		{"a second set like an old one", "R3 R4 R5", "R3 R4 R5 / R3 R4 R5", "new run: red 3 to red 5"},
		{"a tile at the end of a run", "R3 R4 R5", "R3 R4 R5 R6", "red 6 to red 3–5"},
		{"a tile at each end", "R3 R4 R5", "R2 R3 R4 R5 R6", "red 2, red 6 to red 3–5"},
		{"four tiles at one end", "R3 R4 R5", "R3 R4 R5 R6 R7 R8 R9", "red 6–9 to red 3–5"},
		{"the fourth colour", "R7 B7 K7", "R7 B7 K7 O7", "orange 7 to group of 7"},
		{"a joker at the end of a run", "R3 R4 R5", "R3 R4 R5 J", "joker as red 6 to red 3–5"},
		{"a joker in a group", "R7 B7 K7", "R7 B7 K7 J", "joker to group of 7"},
		{"tiles at two sets", "R3 R4 R5 / R7 B7 K7", "R3 R4 R5 R6 / R7 B7 K7 O7",
			"red 6 to red 3–5; orange 7 to group of 7"},
		{"a tile from a run to a group", "B4 B5 B6 B7 / R7 O7 K7", "B4 B5 B6 / R7 O7 K7 B7",
			"blue 7 from blue 4–7 to group of 7"},
		{"a tile from a group to a run", "R7 O7 K7 B7 / B4 B5 B6", "R7 O7 K7 / B4 B5 B6 B7",
			"blue 7 from group of 7 to blue 4–6"},
		{"a tile of a run for a new group", "B4 B5 B6 B7", "B4 B5 B6 / B7 R7 K7",
			"new group of 7: blue, red, black; took blue 7 from blue 4–7"},
		{"two tiles from two runs for a new group", "B4 B5 B6 B7 / R7 R8 R9 R10", "B4 B5 B6 / R8 R9 R10 / B7 R7 K7",
			"new group of 7: blue, red, black; took blue 7 from blue 4–7; took red 7 from red 7–10"},
		{"a run split by a second copy", "K3 K4 K5 K6 K7 K8 K9", "K3 K4 K5 K6 / K6 K7 K8 K9",
			"black 3–9 split into black 3–6, black 6–9; black 6 added"},
		{"a run split and longer", "R1 R2 R3 R4 R5", "R1 R2 R3 / R4 R5 R6",
			"red 1–5 split into red 1–3, red 4–6; red 6 added"},
		{"a run split, and its middle taken", "R1 R2 R3 R4 R5 R6 R7", "R1 R2 R3 / R5 R6 R7 / R4 B4 K4",
			"red 1–7 split into red 1–3, red 5–7; new group of 4: red, blue, black; took red 4 from red 1–7"},
		{"one tile for a new run is not a split", "R1 R2 R3 R4", "R1 R2 R3 / R4 R5 R6",
			"new run: red 4 to red 6; took red 4 from red 1–4"},
		{"two runs joined by a tile", "R3 R4 R5 / R7 R8 R9", "R3 R4 R5 R6 R7 R8 R9",
			"red 6 to red 3–5; red 7–9 joined to red 3–5"},
		{"a joker freed for a new group", "R9 R10 J R12", "R9 R10 R11 R12 / B7 K7 J",
			"red 11 for the joker in red 9–12; new group of 7: blue, black, joker"},
		{"a joker freed for another run", "R9 R10 J R12 / B3 B4 B5", "R9 R10 R11 R12 / B3 B4 B5 J",
			"red 11 for the joker in red 9–12; joker as blue 6 from red 9–12 to blue 3–5"},
		{"a joker freed by a tile of another run", "R9 J R11 / R10 B10 K10 O10", "R9 R10 R11 / B10 K10 O10 / B1 B2 J",
			"new run: blue 1 to blue 3, joker as blue 3; red 10 from group of 10 for the joker in red 9–11"},
		{"a joker moves along its run", "R5 J R7", "R5 R6 R7 J",
			"red 6 for the joker in red 5–7; joker in red 5–7 now as red 8"},
		{"a joker of a group freed", "R4 J K4 / B9 B10 B11", "R4 B4 K4 / B9 B10 B11 J",
			"blue 4 for the joker in group of 4; joker as blue 12 from group of 4 to blue 9–11"},
		{"a joker changes its end", "J R5 R6 / B1 B2 B3", "R5 R6 J / B1 B2 B3 B4",
			"blue 4 to blue 1–3; joker in red 4–6 now as red 7"},
		{"two groups of one number", "R7 B7 K7 / R7 O7 K7", "R7 B7 K7 / R7 O7 K7 B7",
			"blue 7 to red 7, orange 7, black 7"},
		{"two runs with the same ends", "R3 R4 R5 / R3 J R5", "R3 R4 R5 / R3 J R5 R6",
			"red 6 to red 3, joker, 5"},
		{"a run of one tile and jokers", "R7 J J", "R7 J J R10", "red 10 to red 7, joker, joker"},
		{"a group that is used up", "R6 B6 K6 / R3 R4 R5 / B3 B4 B5 / K3 K4 K5",
			"R3 R4 R5 R6 / B3 B4 B5 B6 B7 / K3 K4 K5 K6",
			"blue 6 from group of 6 to blue 3–5; blue 7 to blue 3–5; red 6 from group of 6 to red 3–5; " +
				"black 6 from group of 6 to black 3–5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := locale.WithLanguage(t.Context(), "en")
			if got := play.ChangeWords(ctx, rows(c.before), rows(c.after), 0); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestLongChangesAreCut(t *testing.T) {
	before := rows("B4 B5 B6 B7 / R7 R8 R9 R10 / K3 K4 K5 K6 K7 K8 K9 / O9 J O11 / R13 B13 K13")
	after := rows("B4 B5 B6 / R8 R9 R10 / K3 K4 K5 K6 / K6 K7 K8 K9 / O9 O10 O11 / R13 B13 K13 J / B7 R7 K7 / O1 O2 O3")
	ctx := locale.WithLanguage(t.Context(), "en")
	whole := play.ChangeWords(ctx, before, after, 0)
	want := "black 3–9 split into black 3–6, black 6–9; black 6 added; orange 10 for the joker in orange 9–11; " +
		"new group of 7: blue, red, black; took blue 7 from blue 4–7; took red 7 from red 7–10; " +
		"new run: orange 1 to orange 3; joker from orange 9–11 to group of 13"
	if whole != want {
		t.Errorf("got  %q\nwant %q", whole, want)
	}
	cut := play.ChangeWords(ctx, before, after, play.MostSaid)
	want = "black 3–9 split into black 3–6, black 6–9; black 6 added; orange 10 for the joker in orange 9–11; " +
		"and 5 more changes"
	if cut != want {
		t.Errorf("got  %q\nwant %q", cut, want)
	}
	for _, l := range locale.Carried.Languages {
		text := play.ChangeWords(locale.WithLanguage(t.Context(), l.Tag), before, after, play.MostSaid)
		if n := utf8.RuneCountInString(text); n > play.MostSaid || strings.Contains(text, "diff.") {
			t.Errorf("%s: %d characters: %q", l.Tag, n, text)
		}
		t.Logf("%s: %s", l.Tag, text)
	}
}

func TestLastTurnIsHeardAsItsDifference(t *testing.T) {
	last := engine.LastView{Kind: "tiles_played", Seat: 1, Played: faces("R6"), Before: tableOf("R3 R4 R5"),
		After: tableOf("R3 R4 R5 R6")}
	game := play.Game{Seats: []play.Person{{Name: "Ada"}, {Name: "Bo"}}, View: engine.View{Seat: 0, Last: &last}}
	for _, c := range []struct {
		name, lang, want string
		change           func(*engine.View)
	}{
		{"another player’s play", "en", "\u2068Bo\u2069: red 6 to red 3–5.", func(*engine.View) {}},
		{"in Italian", "it", "\u2068Bo\u2069: 6 rosso su scala rossa 3–5.", func(*engine.View) {}},
		{"the own play", "en", "You laid 1 tile.", func(v *engine.View) { v.Seat = 1 }},
		{"a play whose tables are hidden", "en", "\u2068Bo\u2069 laid 0 tiles.", func(v *engine.View) {
			*v = v.Sealed(false)
		}},
		{"a draw", "en", "\u2068Bo\u2069 drew a tile.", func(v *engine.View) {
			v.Last = &engine.LastView{Kind: "tile_drawn", Seat: 1}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := game
			c.change(&g.View)
			if got := g.LastTurn(locale.WithLanguage(t.Context(), c.lang)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
