package engine

import (
	"cmp"
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
		{"a request is honoured", "", "R4 R5 R6", "@20 R4 R5 R6", "20 R4 R5 R6"},
		{"without a request a new set comes last", "@30 R4 R5 R6", "K1 K2 K3", "@30 R4 R5 R6; K1 K2 K3",
			"30 R4 R5 R6;34 K1 K2 K3"},
		{"an old set keeps its place though a new one is named first", "@0 R4 R5 R6", "K1 K2 K3",
			"K1 K2 K3; R4 R5 R6", "0 R4 R5 R6;4 K1 K2 K3"},
		{"of two sets with one place, the first named comes first", "@0 R4 R5 R6", "K1 K2 K3",
			"@0 K1 K2 K3; R4 R5 R6", "0 K1 K2 K3;4 R4 R5 R6"},
		{"a set between two others moves the later one up", "@0 R4 R5 R6;@4 B4 B5 B6;@13 O1 O2 O3", "K1 K2 K3",
			"@0 R4 R5 R6;@1 K1 K2 K3;@4 B4 B5 B6;@13 O1 O2 O3", "0 R4 R5 R6;4 K1 K2 K3;8 B4 B5 B6;13 O1 O2 O3"},
		{"a set moved by a request moves", "@0 R4 R5 R6", "K1 K2 K3", "@0 K1 K2 K3; @26 R4 R5 R6",
			"0 K1 K2 K3;26 R4 R5 R6"},
		{"two sets swap by their requests", "@0 R4 R5 R6;@13 B4 B5 B6", "R7", "@13 R4 R5 R6 R7;@0 B4 B5 B6",
			"0 B4 B5 B6;13 R4 R5 R6 R7"},
		{"an extended set grows where it lies", "@30 R4 R5 R6", "R7", "R4 R5 R6 R7", "30 R4 R5 R6 R7"},
		{"the halves of a split set stay in order", "@0 R4 R5 R6 R7 R8;@13 B4 B5 B6", "R6",
			"R6 R7 R8;R4 R5 R6;B4 B5 B6", "0 R4 R5 R6;4 R6 R7 R8;13 B4 B5 B6"},
		{"sets do not touch", "", "R4 R5 R6 K1 K2 K3", "@0 R4 R5 R6; @3 K1 K2 K3", "0 R4 R5 R6;4 K1 K2 K3"},
		{"one cell between is enough", "", "R4 R5 R6 K1 K2 K3", "@0 R4 R5 R6; @4 K1 K2 K3", "0 R4 R5 R6;4 K1 K2 K3"},
		{"a set does not run over the end of a lane", "", "R4 R5 R6", "@11 R4 R5 R6", "0 R4 R5 R6"},
		{"the last cell of the last lane", "", "R4 R5 R6", "@218 R4 R5 R6", "218 R4 R5 R6"},
		{"a place that leaves no room for the later sets is not taken", "", "R4 R5 R6 K1 K2 K3",
			"@218 R4 R5 R6; @219 K1 K2 K3", "0 R4 R5 R6;4 K1 K2 K3"},
		{"a place off the table is no request", "", "R4 R5 R6", "@500 R4 R5 R6", "0 R4 R5 R6"},
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

// firstTiles returns the first tiles of the sets in the order of their places.
func firstTiles(table tile.Table) []tile.Tile {
	tiles := make([]tile.Tile, len(table))
	for i, laid := range table {
		tiles[i] = laid.Tiles[0]
	}
	return tiles
}

// TestTheOrderOfRequestsIsKept places any valid sets at any requested places.
func TestTheOrderOfRequestsIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wish := func() int { return rapid.IntRange(-1, tile.Cells-1).Draw(t, "wish") }
		table := rapid.Permutation(lengthTable(drawLengths(t), wish)).Draw(t, "table")
		want := slices.Clone(table)
		slices.SortStableFunc(want, func(a, b tile.Laid) int {
			return cmp.Compare(uint8(a.At), uint8(b.At)) // -1 last
		})
		tile.Arrange(nil, table)
		checkPlaces(t, table)
		if got := firstTiles(table); !slices.Equal(got, firstTiles(want)) {
			t.Fatalf("got the order %v, want %v", got, firstTiles(want))
		}
	})
}

// TestUniformTablesFindRoom checks the tables that are hardest to place in their order: sets of one length or of two
// lengths in turn, as many as there are tiles.
func TestUniformTablesFindRoom(t *testing.T) {
	for n := 3; n <= 13; n++ {
		for other := 3; other <= 13; other++ {
			for _, turn := range [][]int{{n, other}, {n, n, other}, {n, other, other}, {n, n, n, other}} {
				var lengths []int
				for left, i := tile.Count, 0; left >= turn[i%len(turn)]; i++ {
					lengths = append(lengths, turn[i%len(turn)])
					left -= turn[i%len(turn)]
				}
				table := lengthTable(lengths, func() int { return tile.SomewhereFree })
				tile.Arrange(nil, table)
				for _, laid := range table {
					if laid.At < 0 {
						t.Fatalf("%v: no room", lengths)
					}
				}
			}
		}
	}
}

// TestUntouchedSetsStay lays new sets last, and takes sets away: the other sets keep their places.
func TestUntouchedSetsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := drawLengths(t)
		lengths = lengths[:min(len(lengths), rapid.IntRange(2, 8).Draw(t, "sets"))]
		before := lengthTable(lengths, func() int { return tile.SomewhereFree })
		tile.Arrange(nil, before)
		var after tile.Table
		for i, laid := range before {
			if rapid.Bool().Draw(t, "kept") {
				laid.At = rapid.SampledFrom([]int{laid.At, tile.SomewhereFree}).Draw(t, "request")
				after = append(after, laid)
				continue
			}
			after = append(after, tile.Laid{At: tile.SomewhereFree, Tiles: tile.List{tile.Tile(tile.Count + i), 0, 0}})
		}
		after = rapid.Permutation(after).Draw(t, "named in any order")
		tile.Arrange(before, after)
		checkPlaces(t, after)
		for _, laid := range after {
			i := slices.IndexFunc(before, func(b tile.Laid) bool { return b.Tiles[0] == laid.Tiles[0] })
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
