package main

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
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

// looseBoard places sets at random; sets that do not fit are left out.
func looseBoard(t *rapid.T, sets [][]string) (b board, faces []string) {
	b = make(board, lanes*cells)
	for _, set := range sets {
		ids := make([]int, len(set))
		for k := range set {
			ids[k] = len(faces) + k
		}
		for range 4 {
			if b.lay(rapid.IntRange(0, lanes*cells-1).Draw(t, "at"), ids...) {
				faces = append(faces, set...)
				break
			}
		}
	}
	return b, faces
}

// inHand generates what a player may be moving: tiles from the rack, which are numbered after those on the table, or
// some tiles of one set.
func inHand(t *rapid.T, b board, faces []string) (ids []int, all []string) {
	sets := b.sets()
	if len(sets) > 0 && rapid.Bool().Draw(t, "from the table") {
		set := rapid.SampledFrom(sets).Draw(t, "set")
		from := rapid.IntRange(0, len(set)-1).Draw(t, "from")
		return set[from:rapid.IntRange(from+1, len(set)).Draw(t, "to")], faces
	}
	all = slices.Clone(faces)
	for _, f := range rapid.SliceOfN(rapid.SampledFrom([]string{"K1", "K5", "K6", "K13", "R5", "R6", "R7", "B5", "O13",
		"J"}), 1, 5).Draw(t, "hand") {
		ids = append(ids, len(all))
		all = append(all, f)
	}
	return ids, all
}

func TestPlace(t *testing.T) {
	s := loadScripts(t)
	laid, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		before, faces := looseBoard(t, legalSets(t))
		ids, faces := inHand(t, before, faces)
		at, after := rapid.IntRange(0, lanes*cells-1).Draw(t, "cell"), rapid.Bool().Draw(t, "after")
		if id := before[at]; id != nil && slices.Contains(ids, *id) {
			t.Skip("the cell is what the hand holds")
		}
		got := call[board](s, "lay", before, faces, ids, at, after)
		if got == nil {
			refused++
			return
		}
		laid++
		want := slices.Sorted(slices.Values(append(slices.DeleteFunc(before.tiles(),
			func(id int) bool { return slices.Contains(ids, id) }), ids...)))
		if !slices.Equal(got.tiles(), want) {
			t.Fatalf("tiles were lost or doubled: got %v, want %v", got.tiles(), want)
		}
		setsKeep(t, s, without(before, ids), got, ids, faces)
	})
	if laid <= refused {
		t.Errorf("laid %d times, refused %d times: nothing is shown", laid, refused)
	}
}

func without(b board, ids []int) board {
	left := slices.Clone(b)
	for at, id := range left {
		if id != nil && slices.Contains(ids, *id) {
			left[at] = nil
		}
	}
	return left
}

// setsKeep checks that sets that were apart stay apart unless the tiles laid between them complete a run, and that sets
// without new tiles are unchanged unless a tile splits a run in two.
func setsKeep(t *rapid.T, s *scripts, before, after board, ids []int, faces []string) {
	owner := map[int]int{}
	for n, set := range before.sets() {
		for _, id := range set {
			owner[id] = n
		}
	}
	parts := map[int]int{}
	for _, set := range after.sets() {
		var named []string
		from := map[int]bool{}
		for _, id := range set {
			named = append(named, faces[id])
			if n, old := owner[id]; old {
				from[n] = true
			}
		}
		if len(from) > 2 || len(from) == 2 && !call[bool](s, "isRun", named) {
			t.Fatalf("sets were laid together: %v", named)
		}
		for n := range from {
			parts[n]++
		}
		if !slices.ContainsFunc(set, func(id int) bool { return slices.Contains(ids, id) }) {
			inOrder(t, set, before.sets()[owner[set[0]]])
		}
	}
	for n, count := range parts {
		if count > 2 {
			t.Errorf("set %d is in %d parts", n, count)
		}
	}
}

// inOrder checks that the tiles of part are consecutive in whole.
func inOrder(t *rapid.T, part, whole []int) {
	from := slices.Index(whole, part[0])
	if from < 0 || from+len(part) > len(whole) || !slices.Equal(whole[from:from+len(part)], part) {
		t.Fatalf("got %v out of %v", part, whole)
	}
}

func TestTidy(t *testing.T) {
	s := loadScripts(t)
	most := 0
	rapid.Check(t, func(t *rapid.T) {
		before, faces := looseBoard(t, legalSets(t))
		got := call[board](s, "tidied", before, faces)
		if got == nil {
			t.Fatalf("%d tiles found no room", len(faces))
		}
		most = max(most, len(faces))
		if want := asText(before.sets()); !slices.Equal(asText(got.sets()), want) {
			t.Fatalf("got the sets %v, want %v", asText(got.sets()), want)
		}
		if twice := call[board](s, "tidied", got, faces); !slices.Equal(asText(twice.sets()), asText(got.sets())) ||
			!sameCells(twice, got) {
			t.Fatal("a tidy table was changed")
		}
	})
	if most < 40 {
		t.Errorf("got at most %d tiles: nothing is shown", most)
	}
}

func asText(sets [][]int) (text []string) {
	for _, set := range sets {
		text = append(text, fmt.Sprint(set))
	}
	slices.Sort(text)
	return text
}

func sameCells(a, b board) bool {
	return slices.EqualFunc(a, b, func(x, y *int) bool { return (x == nil) == (y == nil) && (x == nil || *x == *y) })
}

// TestRoom checks that all sets that can be on a table together fit, wherever each is put, if necessary after the table
// has been compacted.
func TestRoom(t *testing.T) {
	s := loadScripts(t)
	most := 0
	rapid.Check(t, func(t *rapid.T) {
		b, faces := make(board, lanes*cells), []string(nil)
		for _, set := range legalSets(t) {
			var ids []int
			for range set {
				ids = append(ids, len(faces)+len(ids))
			}
			faces = append(faces, set...)
			var free []int
			for at, id := range b {
				if id == nil && b.apart(at) {
					free = append(free, at)
				}
			}
			if len(free) == 0 {
				free = []int{0}
			}
			at := rapid.SampledFrom(free).Draw(t, "at")
			next := call[board](s, "lay", b, faces, ids, at, false)
			if next == nil {
				tidy := call[board](s, "tidied", b, faces)
				next = call[board](s, "lay", tidy, faces, ids, lanes*cells-1, false)
			}
			if next == nil {
				t.Fatalf("%v finds no room on a table of %d tiles, %d sets", set, len(faces)-len(set), len(b.sets()))
			}
			b = next
		}
		most = max(most, len(faces))
	})
	if most < 40 {
		t.Errorf("got at most %d tiles: nothing is shown", most)
	}
}

// apart reports whether a cell is free and no neighbouring cell has a tile.
func (b board) apart(at int) bool {
	return b[at] == nil && (at%cells == 0 || b[at-1] == nil) && (at%cells == cells-1 || b[at+1] == nil)
}

// TestFullTables checks arrangements of nearly all tiles, which random generation does not reach.
func TestFullTables(t *testing.T) {
	s := loadScripts(t)
	groups := func(size int) (sets [][]string) {
		for n := 1; n <= 13; n++ {
			for range 2 {
				set := []string{"K" + strconv.Itoa(n), "R" + strconv.Itoa(n), "B" + strconv.Itoa(n), "O" +
					strconv.Itoa(n)}
				sets = append(sets, set[:size])
			}
		}
		return sets
	}
	runs := func(cuts ...int) (sets [][]string) {
		for _, colour := range []string{"K", "R", "B", "O", "K", "R", "B", "O"} {
			n := 1
			for _, length := range cuts {
				var run []string
				for range length {
					run = append(run, colour+strconv.Itoa(n))
					n++
				}
				sets = append(sets, run)
			}
		}
		return sets
	}
	for name, sets := range map[string][][]string{
		"26 groups of four": groups(4), "26 groups of three": groups(3), "8 runs of 13": runs(13),
		"runs of 7 and 6":    runs(7, 6),
		"runs of 4, 4 and 5": runs(4, 4, 5), "runs of 3, 3, 3 and 4": runs(3, 3, 3, 4), "runs of 10 and 3": runs(10, 3),
		"runs of 8 and 5":         runs(8, 5),
		"runs of 6 and 7, jokers": append(runs(6, 7)[1:], []string{"K1", "K2", "K3", "K4", "K5", "K6", "J"}),
	} {
		t.Run(name, func(t *testing.T) {
			b, faces := make(board, lanes*cells), []string(nil)
			for _, set := range sets {
				var ids []int
				for range set {
					ids = append(ids, len(faces)+len(ids))
				}
				faces = append(faces, set...)
				next := call[board](s, "lay", b, faces, ids, 91, false)
				for at := 0; next == nil && at < lanes*cells; at++ {
					if b.apart(at) {
						next = call[board](s, "lay", b, faces, ids, at, false)
					}
				}
				if next == nil {
					next = call[board](s, "lay", call[board](s, "tidied", b, faces), faces, ids, lanes*cells-1, false)
				}
				if next == nil {
					t.Fatalf("%v finds no room beside %d tiles", set, len(faces)-len(set))
				}
				b = next
			}
			if got := call[board](s, "tidied", b, faces); got == nil || len(got.tiles()) != len(faces) {
				t.Errorf("%d tiles cannot be laid out", len(faces))
			}
		})
	}
}
