package engine

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/tile"
)

// layText lays a table after on top of a table before, both given as texts with places, and returns the result in the
// same form.
func layText(t *testing.T, before, rack, after string) string {
	t.Helper()
	box := tileBox{t: t}
	var table tile.Table
	for _, set := range asLaid(t, before) {
		table = append(table, tile.Laid{At: set.At, Tiles: box.take(facesOnly(set.Faces))})
	}
	laid, _ := tile.Lay(table, box.take(rack), asLaid(t, after))
	if err := laid.Check(); err != nil {
		t.Fatal(err)
	}
	text, _ := laid.MarshalText()
	return strings.ReplaceAll(string(text), "'", "")
}

func facesOnly(faces []tile.Face) string {
	words := make([]string, len(faces))
	for i, f := range faces {
		words[i] = f.String()
	}
	return strings.Join(words, " ")
}

func TestArrangement(t *testing.T) {
	for _, c := range []struct{ name, before, rack, after, want string }{
		{"a wish is honoured", "", "R4 R5 R6", "@20 R4 R5 R6", "20 R4 R5 R6"},
		{"without a wish the first free place", "@0 R4 R5 R6", "K1 K2 K3", "@0 R4 R5 R6; K1 K2 K3",
			"0 R4 R5 R6;4 K1 K2 K3"},
		{"an untouched set stays though a new one is named first", "@0 R4 R5 R6", "K1 K2 K3", "K1 K2 K3; R4 R5 R6",
			"0 R4 R5 R6;4 K1 K2 K3"},
		{"an untouched set stays though a new one wishes its place", "@0 R4 R5 R6", "K1 K2 K3", "@0 K1 K2 K3; R4 R5 R6",
			"0 R4 R5 R6;4 K1 K2 K3"},
		{"a set moved by a wish moves", "@0 R4 R5 R6", "K1 K2 K3", "@0 K1 K2 K3; @26 R4 R5 R6",
			"0 K1 K2 K3;26 R4 R5 R6"},
		{"two sets swap by their wishes", "@0 R4 R5 R6;@13 B4 B5 B6", "R7", "@13 R4 R5 R6 R7;@0 B4 B5 B6",
			"0 B4 B5 B6;13 R4 R5 R6 R7"},
		{"an extended set grows where it lies", "@30 R4 R5 R6", "R7", "R4 R5 R6 R7", "30 R4 R5 R6 R7"},
		{"touching is not allowed: the second is put elsewhere", "", "R4 R5 R6 K1 K2 K3", "@0 R4 R5 R6; @3 K1 K2 K3",
			"0 R4 R5 R6;4 K1 K2 K3"},
		{"one cell between is enough", "", "R4 R5 R6 K1 K2 K3", "@0 R4 R5 R6; @4 K1 K2 K3", "0 R4 R5 R6;4 K1 K2 K3"},
		{"a set does not run over the end of a lane", "", "R4 R5 R6", "@11 R4 R5 R6", "0 R4 R5 R6"},
		{"the last cell of the last lane", "", "R4 R5 R6", "@179 R4 R5 R6", "179 R4 R5 R6"},
		{"a place off the table is no wish", "", "R4 R5 R6", "@500 R4 R5 R6", "0 R4 R5 R6"},
		{"lanes touch nothing across their ends", "", "R4 R5 R6 K1 K2 K3", "@10 R4 R5 R6; @13 K1 K2 K3",
			"10 R4 R5 R6;13 K1 K2 K3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := layText(t, c.before, c.rack, c.after); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLayTakesTableTilesBeforeRackTiles(t *testing.T) {
	before := tile.Table{{At: 0, Tiles: tile.List{tile.Of(17, 1), tile.Of(18, 0), tile.Of(19, 0)}}} // R5' R6 R7
	rack := tile.List{tile.Of(17, 0), tile.Of(20, 0), tile.Of(16, 0)}                               // R5 R8 R4
	table, played := tile.Lay(before, rack, asLaid(t, "R4 R5 R6 R7 R8"))
	text, _ := table.MarshalText()
	if string(text) != "0 R4 R5' R6 R7 R8" {
		t.Errorf("table %s", text)
	}
	if !slices.Equal(played, tile.List{tile.Of(16, 0), tile.Of(20, 0)}) {
		t.Errorf("played %v", played)
	}
}

// drawLengths draws any lengths of sets that the 106 tiles can make. At most ten sets hold the 7 of a colour or a joker
// for it, so at most ten are longer than six.
func drawLengths(t *rapid.T) []int {
	var lengths []int
	long, most := 0, rapid.IntRange(3, 13).Draw(t, "longest")
	for tiles := tile.Count; tiles >= 3; {
		n := rapid.IntRange(3, min(most, tiles)).Draw(t, "tiles")
		if n > 6 {
			if long++; long > 10 {
				n = rapid.IntRange(3, min(6, tiles)).Draw(t, "short")
			}
		}
		lengths = append(lengths, n)
		tiles -= n
	}
	return lengths
}

// lengthTable returns a table of sets with the given lengths. arrange uses only lengths and first tiles.
func lengthTable(lengths []int, at func() int) tile.Table {
	var table tile.Table
	next := 0
	for _, n := range lengths {
		laid := tile.Laid{At: at()}
		for range n {
			laid.Tiles = append(laid.Tiles, tile.Tile(next))
			next++
		}
		table = append(table, laid)
	}
	return table
}

func checkPlaces(t *rapid.T, table tile.Table) {
	var taken [tile.Cells]bool
	for _, laid := range table {
		if laid.At < 0 || !tile.Fits(&taken, laid.At, len(laid.Tiles)) {
			t.Fatalf("set of %d at %d overlaps, touches or leaves its lane", len(laid.Tiles), laid.At)
		}
		tile.Take(&taken, laid.At, len(laid.Tiles))
	}
}

func TestAllTilesAlwaysFindRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wish := func() int { return rapid.IntRange(-1, tile.Cells-1).Draw(t, "wish") }
		table := lengthTable(drawLengths(t), wish)
		first := table[0].At
		tile.Arrange(nil, table)
		checkPlaces(t, table)
		fresh := [tile.Cells]bool{}
		if n := len(table[0].Tiles); first >= 0 && tile.Fits(&fresh, first, n) && len(table) < 12 &&
			table[0].At != first {
			t.Fatalf("the first wish, %d, was not honoured: %d", first, table[0].At)
		}
	})
}

// TestUniformTablesFindRoom checks the tables that are hardest to place: as many sets of one length as possible, then
// the rest.
func TestUniformTablesFindRoom(t *testing.T) {
	for n := 3; n <= 13; n++ {
		for other := 3; other <= 13; other++ {
			for count := 1; count*n <= tile.Count; count++ {
				if n > 6 && count > 10 {
					break
				}
				lengths := slices.Repeat([]int{n}, count)
				for left, long := tile.Count-count*n, count; left >= other; left -= other {
					if n <= 6 {
						long = 0
					}
					if other > 6 && len(lengths)-count+long >= 10 {
						break
					}
					lengths = append(lengths, other)
				}
				table := lengthTable(lengths, func() int { return tile.SomewhereFree })
				tile.Tidy(table)
				for _, laid := range table {
					if laid.At < 0 {
						t.Fatalf("%d sets of %d, the rest of %d: no room", count, n, other)
					}
				}
			}
		}
	}
}

func TestUntouchedSetsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := drawLengths(t)
		lengths = lengths[:min(len(lengths), rapid.IntRange(2, 14).Draw(t, "sets"))]
		before := lengthTable(lengths, func() int { return tile.SomewhereFree })
		tile.Arrange(nil, before)
		kept := rapid.IntRange(1, len(before)).Draw(t, "kept")
		after := slices.Clone(before)
		for i := range after {
			after[i].At = tile.SomewhereFree
			if was := after[i].Tiles; i >= kept { // another set that begins with a tile of the removed one
				after[i].Tiles = tile.List{was[len(was)-1], 0, 0}
				after[i].At = rapid.IntRange(-1, tile.Cells-1).Draw(t, "wish")
			}
		}
		shuffled := rapid.Permutation(after).Draw(t, "named in any order")
		tile.Arrange(before, shuffled)
		checkPlaces(t, shuffled)
		for _, laid := range shuffled {
			i := slices.IndexFunc(before[:kept], func(b tile.Laid) bool { return b.Tiles[0] == laid.Tiles[0] })
			if i >= 0 && before[i].At != laid.At {
				t.Fatalf("untouched set at %d moved to %d", before[i].At, laid.At)
			}
		}
	})
}

func TestTableText(t *testing.T) {
	for _, text := range []string{"", "0 R4 J R6", "0 R4 J' R6;14 K5' O5 B5"} {
		var table tile.Table
		if err := table.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := table.MarshalText(); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	for _, text := range []string{"R4 R5 R6", "0 R4 X9 R6", "x R4", ";"} {
		var table tile.Table
		if table.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q was read as %v", text, table)
		}
	}
}
