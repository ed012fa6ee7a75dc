package main

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/tile"
)

// legalSets generates sets that can be on a table together: runs and groups of the 104 tiles and two jokers.
func legalSets(t *rapid.T) (sets [][]string) {
	left := map[string]int{"J": 2}
	for _, colour := range "KRBO" {
		for n := 1; n <= 13; n++ {
			left[string(colour)+strconv.Itoa(n)] = 2
		}
	}
	take := func(faces []string) {
		used := map[string]int{}
		for i, f := range faces {
			if left[f]-used[f] == 0 {
				faces[i] = "J"
			}
			used[faces[i]]++
		}
		for f, n := range used {
			if left[f] < n {
				return
			}
		}
		for f, n := range used {
			left[f] -= n
		}
		sets = append(sets, faces)
	}
	for range rapid.IntRange(0, 60).Draw(t, "tries") {
		if rapid.Bool().Draw(t, "run") {
			length := rapid.IntRange(3, 13).Draw(t, "length")
			colour, low := rapid.SampledFrom([]string{"K", "R", "B", "O"}).Draw(t, "colour"),
				rapid.IntRange(1, 14-length).Draw(t, "low")
			var run []string
			for n := range length {
				run = append(run, colour+strconv.Itoa(low+n))
			}
			take(run)
			continue
		}
		number := strconv.Itoa(rapid.IntRange(1, 13).Draw(t, "number"))
		colours := rapid.Permutation([]string{"K", "R", "B", "O"}).Draw(t, "colours")
		var group []string
		for _, colour := range colours[:rapid.IntRange(3, 4).Draw(t, "size")] {
			group = append(group, colour+number)
		}
		take(group)
	}
	return sets
}

// A felt is the size of a table area in px.
type felt struct {
	Wide int `json:"wide"`
	High int `json:"high"`
}

// felts are the table areas of tablets, phones and displays, upright and on their side.
var felts = []felt{{1000, 490}, {744, 640}, {1056, 530}, {1256, 520}, {378, 440}, {356, 267}, {356, 221}, {800, 200},
	{1600, 700}, {1200, 560}, {720, 900}}

// layout is where a screen shows sets: the cell of each set's first tile.
type layout struct {
	Cells []int `json:"cells"`
	Cols  int   `json:"cols"`
	Rows  int   `json:"rows"`
	W     int   `json:"w"`
}

// TestOneOrder lays out tables on all kinds of screens. Each shows the sets in the same order, in whole rows.
func TestOneOrder(t *testing.T) {
	s := loadScripts(t)
	most := 0
	rapid.Check(t, func(t *rapid.T) {
		lengths := []int{}
		tiles := 0
		for _, set := range legalSets(t) {
			lengths = append(lengths, len(set))
			tiles += len(set)
		}
		most = max(most, tiles)
		for _, f := range felts {
			got := call[layout](s, "laidOut", lengths, f)
			if len(got.Cells) != len(lengths) {
				t.Fatalf("%v shows %d of %d sets", f, len(got.Cells), len(lengths))
			}
			next := 0
			for i, at := range got.Cells {
				if at < next {
					t.Fatalf("%v: set %d lies at %d, before the end of the set before it, %d", f, i, at, next)
				}
				if at/got.Cols != (at+lengths[i]-1)/got.Cols || at+lengths[i] > got.Cols*got.Rows {
					t.Fatalf("%v: set %d at %d crosses the end of its row", f, i, at)
				}
				if next = at + lengths[i]; next%got.Cols > 0 {
					next++
				}
			}
		}
	})
	if most < 70 {
		t.Errorf("got at most %d tiles: nothing is shown", most)
	}
}

// TestTheLogKeepsTheOrderOfADraft moves tiles on one tablet. After the turn, the log and every other screen have the
// sets in the order that the player saw.
func TestTheLogKeepsTheOrderOfADraft(t *testing.T) {
	s := loadScripts(t)
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		now, table, _ := someDraft(t, s)
		for range rapid.IntRange(1, 8).Draw(t, "moves") {
			now = someMove(t, s, now)
		}
		if now.Moved {
			moved++
		}
		laid := call[[]laidSet](s, "laid")
		faces := make([]tile.LaidFaces, len(laid))
		for i, set := range laid {
			faces[i] = tile.LaidFaces{At: set.At, Faces: facesOf(t, set.Tiles)}
			if i > 0 && set.At < laid[i-1].At {
				t.Fatalf("the places do not ascend: %v", laid)
			}
		}
		placed := tile.Placed(faces)
		for i, set := range placed {
			if !slices.Equal(set.Faces, faces[i].Faces) {
				t.Fatalf("the log has %v in place %d, the tablet %v", set.Faces, i, faces[i].Faces)
			}
		}
		if !now.Moved {
			for i, set := range table {
				if placed[i].At != set.At {
					t.Fatalf("nobody moved the set at %d, but it is now at %d", set.At, placed[i].At)
				}
			}
		}
	})
	if moved == 0 {
		t.Error("nothing was moved")
	}
}

func facesOf(t rapid.TB, texts []string) []tile.Face {
	faces := make([]tile.Face, len(texts))
	for i, text := range texts {
		if err := faces[i].UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	return faces
}

// TestPut lays tiles anywhere: no tile is lost or doubled, sets keep their order, and a set changes only if it gets or
// loses tiles, if they complete a run of two sets, or if a tile splits a run.
func TestPut(t *testing.T) {
	s := loadScripts(t)
	laid, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		before, _, faces := someDraft(t, s)
		ids := inHand(t, before)
		if len(ids) == 0 {
			return // nothing to put down
		}
		at := rapid.IntRange(0, before.Cols*before.Rows-1).Draw(t, "cell")
		got := call[draftState](s, "put", ids, at, rapid.Bool().Draw(t, "after"),
			rapid.SampledFrom([]int{1, len(ids)}).Draw(t, "reach"))
		if !got.Done {
			refused++
			return
		}
		laid++
		want := append(slices.DeleteFunc(slices.Concat(before.Sets...), func(id int) bool {
			return slices.Contains(ids, id)
		}), ids...)
		if have := slices.Concat(got.Sets...); !slices.Equal(sorted(have), sorted(want)) {
			t.Fatalf("tiles were lost or doubled: got %v, want %v", sorted(have), sorted(want))
		}
		setsKeep(t, s, before.Sets, got.Sets, ids, faces)
	})
	if laid <= refused {
		t.Errorf("laid %d times, refused %d times: nothing is shown", laid, refused)
	}
}

func sorted(ids []int) []int { return slices.Sorted(slices.Values(ids)) }

// setsKeep checks that sets stay apart and in their order, except where the moved tiles change them.
func setsKeep(t *rapid.T, s *scripts, before, after [][]int, ids []int, faces []string) {
	owner := map[int]int{}
	for n, set := range before {
		for _, id := range set {
			owner[id] = n
		}
	}
	last := -1
	for _, set := range after {
		var named []string
		var from []int
		for _, id := range set {
			named = append(named, faces[id])
			if n, old := owner[id]; old && !slices.Contains(ids, id) && !slices.Contains(from, n) {
				from = append(from, n)
			}
		}
		if len(from) > 2 || len(from) == 2 && !call[bool](s, "isRun", named) {
			t.Fatalf("sets were laid together: %v", named)
		}
		if len(from) == 0 {
			continue
		}
		if from[0] < last {
			t.Fatalf("set %d comes after set %d: %v", from[0], last, after)
		}
		last = from[0]
		if len(set) == len(before[from[0]]) && !slices.ContainsFunc(set, func(id int) bool { return slices.Contains(ids, id) }) &&
			!slices.Equal(set, before[from[0]]) {
			t.Fatalf("the untouched set %v became %v", before[from[0]], set)
		}
	}
}

// inHand generates what a player may be moving: tiles of the rack or some tiles of one set.
func inHand(t *rapid.T, now draftState) []int {
	if len(now.Sets) > 0 && rapid.Bool().Draw(t, "from the table") {
		set := rapid.SampledFrom(now.Sets).Draw(t, "set")
		from := rapid.IntRange(0, len(set)-1).Draw(t, "from")
		return set[from:rapid.IntRange(from+1, len(set)).Draw(t, "to")]
	}
	rack := now.rack()
	return rack[:rapid.IntRange(0, min(5, len(rack))).Draw(t, "n")]
}

// TestWhereTilesGo lays tiles beside sets on a table of 13 columns: a dot is an empty cell, and the place is that of
// the mark; < and > are the halves of an empty cell.
func TestWhereTilesGo(t *testing.T) {
	s := loadScripts(t)
	for _, c := range []struct {
		name   string
		table  [][]string
		closed bool // the player has not opened
		hand   []string
		cell   int
		after  bool
		want   [][]string
	}{
		{"into a set", [][]string{{"R4", "R5", "R7"}}, false, []string{"R6"}, 2, false, [][]string{{"R4", "R5", "R6", "R7"}}},
		{"behind a set that it fits", [][]string{{"R4", "R5", "R6"}, {"B1", "B2", "B3"}}, false, []string{"R7"}, 3, false,
			[][]string{{"R4", "R5", "R6", "R7"}, {"B1", "B2", "B3"}}},
		{"behind a set, on the other half", [][]string{{"R4", "R5", "R6"}, {"B1", "B2", "B3"}}, false, []string{"R7"}, 3, true,
			[][]string{{"R4", "R5", "R6", "R7"}, {"B1", "B2", "B3"}}},
		{"before a set that it fits", [][]string{{"R4", "R5", "R6"}, {"B2", "B3", "B4"}}, false, []string{"B1"}, 3, false,
			[][]string{{"R4", "R5", "R6"}, {"B1", "B2", "B3", "B4"}}},
		{"fits both: the nearer half", [][]string{{"R4", "R5", "R6"}, {"O7", "B7", "K7"}}, false, []string{"R7"}, 3, true,
			[][]string{{"R4", "R5", "R6"}, {"R7", "O7", "B7", "K7"}}},
		{"fits neither: a set between them", [][]string{{"R4", "R5", "R6"}, {"B2", "B3", "B4"}}, false, []string{"K9"}, 3, false,
			[][]string{{"R4", "R5", "R6"}, {"K9"}, {"B2", "B3", "B4"}}},
		{"a set between two sets", [][]string{{"R4", "R5", "R6"}, {"B2", "B3", "B4"}}, false, []string{"K9", "O9", "R9"}, 3, false,
			[][]string{{"R4", "R5", "R6"}, {"K9", "O9", "R9"}, {"B2", "B3", "B4"}}},
		{"mends a run", [][]string{{"R4", "R5"}, {"R7", "R8"}}, false, []string{"R6"}, 2, false, [][]string{{"R4", "R5", "R6", "R7", "R8"}}},
		{"splits a run", [][]string{{"R4", "R5", "R6", "R7", "R8"}}, false, []string{"R6"}, 2, false,
			[][]string{{"R4", "R5", "R6"}, {"R6", "R7", "R8"}}},
		{"far behind the last set", [][]string{{"R4", "R5", "R6"}}, false, []string{"R7"}, 6, false, [][]string{{"R4", "R5", "R6"}, {"R7"}}},
		{"before opening, not into a set of others", [][]string{{"R4", "R5", "R6"}, {"B2", "B3", "B4"}}, true, []string{"R7", "R8", "R9"}, 3, false,
			[][]string{{"R4", "R5", "R6"}, {"R7", "R8", "R9"}, {"B2", "B3", "B4"}}},
		{"before opening, onto a set of others", [][]string{{"R4", "R5", "R6"}, {"B2", "B3", "B4"}}, true, []string{"R7", "R8", "R9"}, 1, false,
			[][]string{{"R4", "R5", "R6"}, {"R7", "R8", "R9"}, {"B2", "B3", "B4"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table []laidSet
			var faces []string
			for k, set := range c.table {
				table = append(table, laidSet{At: 13 * k, Tiles: set})
				faces = append(faces, set...)
			}
			now := call[draftState](s, "begin", table, c.hand, felt{13 * 96, 800}, !c.closed)
			if got := call[draftState](s, "put", now.rack(), c.cell, c.after, 1); !got.Done || !slices.EqualFunc(got.Sets,
				c.want, func(ids []int, want []string) bool {
					return slices.EqualFunc(ids, want, func(id int, face string) bool {
						return append(faces, c.hand...)[id] == face
					})
				}) {
				t.Errorf("got %v of %v, want %v", got.Sets, append(faces, c.hand...), c.want)
			}
		})
	}
}
