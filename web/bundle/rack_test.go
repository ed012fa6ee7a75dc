package main

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// newRack begins a rack whose player has chosen an order.
func newRack(s *scripts, by string) { call[any](s, "newRack", by) }

// render shows the tiles of a deal on a rack of two ledges and returns its slots; "." is an empty one.
func render(s *scripts, game, deal, tiles string) string {
	return call[string](s, "render", game, deal, strings.Fields(tiles), 28, 14)
}

func TestNewRackIsSortedAsChosen(t *testing.T) {
	s := loadScripts(t)
	const tiles = "K7 R3 J B7 O1 K3"
	for by, want := range map[string]string{"hand": tiles, "number": "O1 K3 R3 K7 B7 J", "colour": "K3 K7 R3 B7 O1 J"} {
		newRack(s, by)
		if got := render(s, "1", "1", tiles); got != want {
			t.Errorf("%s: got %q, want %q", by, got, want)
		}
		call[string](s, "arranged", []int{0}, 20, false)
		if got := render(s, "1", "1", tiles); !strings.HasSuffix(got, ". K7") {
			t.Errorf("%s: the server's next message moved a tile: %q", by, got)
		}
		if got := render(s, "1", "2", tiles); got != want {
			t.Errorf("%s: after a redeal got %q, want %q", by, got, want)
		}
		if got := render(s, "2", "2", tiles); got != want {
			t.Errorf("%s: in the next game got %q, want %q", by, got, want)
		}
	}
}

func TestSortingChoosesTheOrder(t *testing.T) {
	s := loadScripts(t)
	newRack(s, "hand")
	render(s, "1", "1", "R7 K9 B2")
	if got := call[string](s, "sorted", "number"); got != "B2 R7 K9" {
		t.Fatalf("sorted: %q", got)
	}
	if got := render(s, "1", "2", "O5 K13 R1"); got != "R1 O5 K13" {
		t.Errorf("after a redeal: %q", got)
	}
}

func TestDrawnTilesAreSortedIn(t *testing.T) {
	s := loadScripts(t)
	const tiles = "K2 K9 R5 R5 B1 O13"
	for _, c := range []struct{ name, by, drawn, want string }{
		{"in the middle", "colour", "K4", "K2 K4 K9 R5 R5 B1 O13"},
		{"first", "colour", "K1", "K1 K2 K9 R5 R5 B1 O13"},
		{"last", "colour", "J", "K2 K9 R5 R5 B1 O13 J"},
		{"beside its equals", "colour", "R5", "K2 K9 R5 R5 R5 B1 O13"},
		{"by number", "number", "B5", "B1 K2 R5 R5 B5 K9 O13"},
		{"by hand", "hand", "K1", "K2 K9 R5 R5 B1 O13 K1"},
		{"three penalty tiles", "colour", "O1 R13 K13", "K2 K9 K13 R5 R5 R13 B1 O1 O13"},
		{"three by hand", "hand", "O1 R13 K13", "K2 K9 R5 R5 B1 O13 O1 R13 K13"},
	} {
		newRack(s, c.by)
		render(s, "1", "1", tiles)
		if got := render(s, "1", "1", tiles+" "+c.drawn); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDrawnTileFindsItsPlaceOnAnArrangedRack checks racks on which the player has moved tiles aside.
func TestDrawnTileFindsItsPlaceOnAnArrangedRack(t *testing.T) {
	s := loadScripts(t)
	for _, c := range []struct {
		name  string
		ids   []int
		slot  int
		drawn string
		want  string
	}{
		{"a tile moved to the end", []int{0}, 9, "K3", "K3 K4 R6 R7 R8 . . . . K2"},
		{"a set moved to the end, its gap", []int{2, 3, 4}, 9, "R2", "K2 K4 . R2 . . . . . R6 R7 R8"},
	} {
		newRack(s, "colour")
		render(s, "1", "1", "K2 K4 R6 R7 R8")
		call[string](s, "arranged", c.ids, c.slot, false)
		if got := render(s, "1", "1", "K2 K4 R6 R7 R8 "+c.drawn); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestRackStaysSorted draws tiles one by one: the rack is then as if sorted at once, on ledges of any length.
func TestRackStaysSorted(t *testing.T) {
	s := loadScripts(t)
	deck := strings.Fields("K1 K5 K5 K6 K13 R1 R6 R6 R12 B5 B5 B9 O2 O13 O13 J J K7 K8 R2 R3 B1 B2 O1 O4 O9")
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SampledFrom([]string{"number", "colour"}).Draw(t, "by")
		tiles := rapid.Permutation(deck).Draw(t, "tiles")
		newRack(s, by)
		got := ""
		for n := range len(tiles) - 3 {
			cols := []int{8, 11, 14}[min(n/9, 2)]
			got = call[string](s, "render", "1", "1", tiles[:n+3], cols*(1+(n+4)/cols), cols)
		}
		want := call[string](s, "sorted", by)
		if got != want || slices.Contains(strings.Fields(got), ".") {
			t.Fatalf("%s: got %q, want %q", by, got, want)
		}
	})
}
