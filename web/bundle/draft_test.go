package main

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type pieceAt struct {
	Face string `json:"face"`
	At   int    `json:"at"`
}

// draftState is the result of a move: whether it was possible, and where each tile is afterwards, -1 if on the rack.
type draftState struct {
	Done   bool  `json:"done"`
	At     []int `json:"at"`
	Past   int   `json:"past"`
	Moved  bool  `json:"moved"`
	Played int   `json:"played"`
}

// someDraft generates the start of a turn, with a random table and some tiles on the rack.
func someDraft(t *rapid.T, s *scripts) (draftState, []pieceAt) {
	b, faces := looseBoard(t, legalSets(t))
	tiles := make([]pieceAt, len(faces))
	for at, id := range b {
		if id != nil {
			tiles[*id] = pieceAt{faces[*id], at}
		}
	}
	for _, f := range rapid.SliceOfN(rapid.SampledFrom([]string{"K1", "K5", "K6", "K13", "R5", "R6", "R7", "B5", "O13",
		"J"}), 1, 14).Draw(t, "rack") {
		tiles = append(tiles, pieceAt{f, -1})
	}
	return call[draftState](s, "begin", tiles), tiles
}

func someMove(t *rapid.T, s *scripts, now draftState) draftState {
	var rack, table, played []int
	for i, at := range now.At {
		if at < 0 {
			rack = append(rack, i)
		} else {
			table = append(table, i)
		}
	}
	start := len(now.At) - len(rack) - now.Played
	for _, i := range table {
		if i >= start {
			played = append(played, i)
		}
	}
	at, after := rapid.IntRange(0, lanes*cells-1).Draw(t, "at"), rapid.Bool().Draw(t, "after")
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case kind < 4 && len(rack) > 0:
		return call[draftState](s, "put", rack[:rapid.IntRange(1, len(rack)).Draw(t, "n")], at, after)
	case kind < 7 && len(table) > 0:
		ids := []int{rapid.SampledFrom(table).Draw(t, "tile")}
		if kind == 6 {
			ids = call[[]int](s, "setOf", ids[0])
		}
		if slices.Contains(now.At, at) {
			for _, i := range ids {
				if now.At[i] == at {
					return draftState{Done: false, At: now.At, Past: now.Past, Moved: now.Moved, Played: now.Played}
				}
			}
		}
		return call[draftState](s, "put", ids, at, after)
	case kind == 7 && len(played) > 0:
		return call[draftState](s, "back", played[:1])
	case kind == 8:
		return call[draftState](s, "tidyUp")
	default:
		return call[draftState](s, "reset")
	}
}

func TestDraft(t *testing.T) {
	s := loadScripts(t)
	tried, moves, undone := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tried++
		start, tiles := someDraft(t, s)
		history := []draftState{start}
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			before := history[len(history)-1]
			now := someMove(t, s, before)
			if !now.Done && !slices.Equal(now.At, before.At) {
				t.Fatal("a move that cannot be done has moved tiles")
			}
			if changed := !slices.Equal(now.At, before.At); changed {
				history = append(history, now)
				moves++
			} else if now.Past != before.Past {
				t.Fatalf("nothing moved, but there are %d moves to undo, before %d", now.Past, before.Past)
			}
			drafted(t, now, tiles)
		}
		for len(history) > 1 {
			if now := call[draftState](s, "undo"); !slices.Equal(now.At, history[len(history)-2].At) {
				t.Fatalf("undone, the tiles lie at %v, want %v", now.At, history[len(history)-2].At)
			}
			history = history[:len(history)-1]
			undone++
		}
		if now := call[draftState](s, "undo"); now.Past != 0 || now.Moved || !slices.Equal(now.At, start.At) {
			t.Fatal("there is more to undo than was done")
		}
	})
	if moves < tried || undone != moves {
		t.Errorf("got %d moves in %d drafts, %d undone", moves, tried, undone)
	}
}

// drafted checks that each tile has its own cell or is on the rack, and that the table's tiles are on the table.
func drafted(t *rapid.T, now draftState, tiles []pieceAt) {
	seen := map[int]bool{}
	played := 0
	for i, at := range now.At {
		if at >= 0 && (seen[at] || at >= lanes*cells) {
			t.Fatalf("two tiles lie at %d", at)
		}
		seen[at] = true
		if at < 0 && tiles[i].At >= 0 {
			t.Fatal("a tile of the table is on the rack")
		}
		if at >= 0 && tiles[i].At < 0 {
			played++
		}
	}
	if played != now.Played {
		t.Fatalf("got %d tiles played, want %d", now.Played, played)
	}
}

type laidSet struct {
	At    int      `json:"at"`
	Tiles []string `json:"tiles"`
}

// TestDraftComesBack checks that a draft's saved state restores it on another tablet.
func TestDraftComesBack(t *testing.T) {
	s := loadScripts(t)
	tried, moved := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tried++
		now, _ := someDraft(t, s)
		for range rapid.IntRange(0, 6).Draw(t, "moves") {
			now = someMove(t, s, now)
		}
		if now.Moved {
			moved++
		}
		both := call[[2][]laidSet](s, "again")
		if !slices.EqualFunc(both[0], both[1], func(a, b laidSet) bool {
			return a.At == b.At &&
				slices.Equal(a.Tiles, b.Tiles)
		}) {
			t.Fatalf("got %v, want %v", both[1], both[0])
		}
	})
	if moved < tried/10 {
		t.Errorf("only %d of %d drafts were moved", moved, tried)
	}
}

// rackState holds the slot of each tile on the rack, or -1 for a tile on the table.
type rackState struct {
	Done  bool  `json:"done"`
	Slots []int `json:"slots"`
}

// TestRack checks that each tile has its own slot, however the rack is arranged.
func TestRack(t *testing.T) {
	s := loadScripts(t)
	tried, shifted := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tried++
		cols := rapid.SampledFrom([]int{8, 13, 14, 20}).Draw(t, "columns")
		faces := rapid.SliceOfN(rapid.SampledFrom([]string{"K1", "K5", "K6", "R6", "B5", "O13", "J"}), 1, 40).Draw(t,
			"rack")
		size := cols * (len(faces)/cols + 1 + rapid.IntRange(0, 2).Draw(t, "rows"))
		laid := make([]bool, len(faces))
		stand := func(now rackState) {
			seen := map[int]bool{}
			for i, slot := range now.Slots {
				if laid[i] {
					continue
				}
				if slot < 0 || slot >= size || seen[slot] {
					t.Fatalf("tile %d stands at %d of %d: %v", i, slot, size, now.Slots)
				}
				seen[slot] = true
			}
		}
		now := call[rackState](s, "fill", faces, size, cols)
		stand(now)
		for range rapid.IntRange(1, 10).Draw(t, "moves") {
			one := rapid.IntRange(0, len(faces)-1).Draw(t, "tile")
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				laid[one] = !laid[one]
				at := -1
				if laid[one] {
					at = 0
				}
				now = call[rackState](s, "out", []int{one}, at)
			case 1:
				now = call[rackState](s, "sort", rapid.SampledFrom([]string{"number", "colour"}).Draw(t, "by"))
			default:
				if laid[one] {
					continue
				}
				before := now
				if now = call[rackState](s, "shift", []int{one}, rapid.IntRange(0, size-1).Draw(t, "slot"),
					rapid.Bool().Draw(t, "after")); now.Done {
					shifted++
				} else if !slices.Equal(before.Slots, now.Slots) {
					t.Fatal("a move that cannot be done has moved tiles")
				}
			}
			stand(now)
		}
	})
	if shifted < tried {
		t.Errorf("only %d tiles were moved on %d racks", shifted, tried)
	}
}

func TestAscending(t *testing.T) {
	s := loadScripts(t)
	rapid.Check(t, func(t *rapid.T) {
		faces := rapid.SliceOfN(rapid.SampledFrom([]string{"K1", "K2", "K3", "K5", "K6", "K13", "R6", "J", "J"}), 1,
			8).Draw(t, "faces")
		order := call[[]int](s, "ascending", faces)
		var sorted []string
		seen := map[int]bool{}
		for _, i := range order {
			seen[i] = true
			sorted = append(sorted, faces[i])
		}
		if len(seen) != len(faces) || len(order) != len(faces) {
			t.Fatalf("got the order %v of %v", order, faces)
		}
		if call[bool](s, "isRun", faces) && !slices.Equal(sorted, faces) {
			t.Fatalf("a run was put in another order: %v to %v", faces, sorted)
		}
	})
}

// TestFullRowMakesRoom replaces a joker on small, crowded tables: its row may be full, and so may all the others.
func TestFullRowMakesRoom(t *testing.T) {
	s := loadScripts(t)
	table := [][]string{{"R9", "R10", "J", "R12"}, {"O10", "O11", "O12"}, {"B1", "R1", "O1"}, {"K4", "K5", "K6"},
		{"B8", "B9", "B10"}, {"B10", "B11", "B12"}}
	full := 0
	rapid.Check(t, func(t *rapid.T) {
		felt := map[string]int{"wide": 356, "high": rapid.IntRange(215, 270).Draw(t, "high")}
		w := rapid.SampledFrom([]int{36, 40, 44}).Draw(t, "w")
		grid := call[struct{ Cols, Rows int }](s, "gridFor", felt, w)
		free := make([]int, grid.Rows)
		var at []int
		for _, set := range table {
			row := rapid.IntRange(0, grid.Rows-1).Draw(t, "row")
			for i := range grid.Rows {
				if r := (row + i) % grid.Rows; free[r]+len(set) <= grid.Cols {
					at = append(at, r*grid.Cols+free[r])
					free[r] += len(set) + 1
					break
				}
			}
		}
		if len(at) < len(table) {
			t.Fatal("the table does not fit")
		}
		call[any](s, "small", felt, w, table, at, "R11")
		if free[at[0]/grid.Cols] > grid.Cols {
			full++
		}
		got := call[struct {
			Done bool
			Set  []string
		}](s, "onto", "J")
		if want := []string{"R9", "R10", "R11", "R12", "J"}; !got.Done || !slices.Equal(got.Set, want) {
			t.Fatalf("got %v, %v, want %v", got.Done, got.Set, want)
		}
	})
	if full == 0 {
		t.Error("no row was full")
	}
}
