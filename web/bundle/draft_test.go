package main

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/tile"
)

// draftState is the result of a move: whether it was possible, the sets in order, and the cell of each tile, -1 if it
// is on the rack.
type draftState struct {
	Done   bool    `json:"done"`
	At     []int   `json:"at"`
	Sets   [][]int `json:"sets"`
	Past   int     `json:"past"`
	Moved  bool    `json:"moved"`
	Played int     `json:"played"`
	Cols   int     `json:"cols"`
	Rows   int     `json:"rows"`
}

// rack returns the tiles that are on the rack.
func (d draftState) rack() (ids []int) {
	for i, at := range d.At {
		if at < 0 {
			ids = append(ids, i)
		}
	}
	return ids
}

// laidSet is a set with its place in the log.
type laidSet struct {
	At    int      `json:"at"`
	Tiles []string `json:"tiles"`
}

// someDraft generates the start of a turn: a table, some tiles on the rack and the size of a screen. It returns the
// faces of all tiles.
func someDraft(t *rapid.T, s *scripts) (draftState, []laidSet, []string) {
	table := []laidSet{}
	var faces []string
	at := 0
	for _, set := range legalSets(t) {
		if at += rapid.IntRange(0, 2).Draw(t, "gap"); at%tile.LaneCells+len(set) > tile.LaneCells {
			at += tile.LaneCells - at%tile.LaneCells
		}
		if at+len(set) > tile.Cells {
			break
		}
		table = append(table, laidSet{at, set})
		faces = append(faces, set...)
		if at += len(set); at%tile.LaneCells > 0 {
			at++
		}
	}
	rack := rapid.SliceOfN(rapid.SampledFrom([]string{"K1", "K5", "K6", "K13", "R5", "R6", "R7", "B5", "O13", "J"}), 1,
		14).Draw(t, "rack")
	opened := rapid.Bool().Draw(t, "opened")
	return call[draftState](s, "begin", table, rack, rapid.SampledFrom(felts).Draw(t, "felt"), opened), table,
		append(faces, rack...)
}

func someMove(t *rapid.T, s *scripts, now draftState) draftState {
	rack := now.rack()
	table := slices.Concat(now.Sets...)
	var played []int
	for _, i := range table {
		if i >= len(now.At)-len(rack)-now.Played {
			played = append(played, i)
		}
	}
	at, after := rapid.IntRange(0, now.Cols*now.Rows-1).Draw(t, "at"), rapid.Bool().Draw(t, "after")
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case kind < 4 && len(rack) > 0:
		return call[draftState](s, "put", rack[:rapid.IntRange(1, len(rack)).Draw(t, "n")], at, after)
	case kind < 6 && len(table) > 0:
		return call[draftState](s, "put", []int{rapid.SampledFrom(table).Draw(t, "tile")}, at, after)
	case kind < 7 && len(table) > 0:
		return call[draftState](s, "put", rapid.SampledFrom(now.Sets).Draw(t, "set"), at, after)
	case kind == 7 && len(played) > 0:
		return call[draftState](s, "back", played[:1])
	case kind == 8 && len(rack) > 0:
		return call[draftState](s, "add", rack[:1])
	default:
		return call[draftState](s, "reset")
	}
}

// TestDraft makes moves and takes them back one by one, also after a reload.
func TestDraft(t *testing.T) {
	s := loadScripts(t)
	tried, moves, undone := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tried++
		start, _, faces := someDraft(t, s)
		history := []draftState{start}
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			before := history[len(history)-1]
			now := someMove(t, s, before)
			if !now.Done && !sameSets(now, before) {
				t.Fatal("a move that cannot be done has moved tiles")
			}
			if !sameSets(now, before) {
				history = append(history, now)
				moves++
			} else if now.Past != before.Past {
				t.Fatalf("nothing moved, but there are %d moves to undo, before %d", now.Past, before.Past)
			}
			drafted(t, now, len(faces)-len(start.rack()))
		}
		if rapid.Bool().Draw(t, "reload") {
			if now := call[draftState](s, "reloaded"); !sameSets(now, history[len(history)-1]) {
				t.Fatalf("reloaded, the sets are %v, want %v", now.Sets, history[len(history)-1].Sets)
			}
		}
		for len(history) > 1 {
			if now := call[draftState](s, "undo"); !sameSets(now, history[len(history)-2]) {
				t.Fatalf("undone, the sets are %v, want %v", now.Sets, history[len(history)-2].Sets)
			}
			history = history[:len(history)-1]
			undone++
		}
		if now := call[draftState](s, "undo"); now.Past != 0 || now.Moved || !sameSets(now, start) {
			t.Fatal("there is more to undo than was done")
		}
	})
	if moves < tried || undone != moves {
		t.Errorf("got %d moves in %d drafts, %d undone", moves, tried, undone)
	}
}

func sameSets(a, b draftState) bool { return slices.EqualFunc(a.Sets, b.Sets, slices.Equal[[]int]) }

// drafted checks that each tile has its own cell or is on the rack, in the order of the sets, and that the table's
// tiles are on the table.
func drafted(t *rapid.T, now draftState, table int) {
	next, played := 0, 0
	for _, set := range now.Sets {
		for k, id := range set {
			at := now.At[id]
			if at < next || k > 0 && at != next || k > 0 && at%now.Cols == 0 || at >= now.Cols*now.Rows {
				t.Fatalf("tile %d of %v lies at %d, expected at %d or later", id, set, at, next)
			}
			next = at + 1
			if id >= table {
				played++
			}
		}
		if next%now.Cols > 0 {
			next++
		}
	}
	if on := len(slices.Concat(now.Sets...)); on-played != table || played != now.Played || len(now.rack()) != len(now.At)-on {
		t.Fatalf("got %d tiles on the table, %d played, %d on the rack", on, now.Played, len(now.rack()))
	}
}

// TestDraftComesBack checks that a draft's saved state restores it on another tablet.
func TestDraftComesBack(t *testing.T) {
	s := loadScripts(t)
	tried, moved := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tried++
		now, _, _ := someDraft(t, s)
		for range rapid.IntRange(0, 6).Draw(t, "moves") {
			now = someMove(t, s, now)
		}
		if now.Moved {
			moved++
		}
		both := call[[2][]laidSet](s, "again")
		if !slices.EqualFunc(both[0], both[1], func(a, b laidSet) bool { return slices.Equal(a.Tiles, b.Tiles) }) {
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

// TestFullTableMakesRoom replaces a joker on small, crowded tables, whose rows are full.
func TestFullTableMakesRoom(t *testing.T) {
	s := loadScripts(t)
	sets := [][]string{{"O10", "O11", "O12"}, {"B1", "R1", "O1"}, {"R9", "R10", "J", "R12"}, {"K4", "K5", "K6"},
		{"B8", "B9", "B10"}, {"B10", "B11", "B12"}}
	rapid.Check(t, func(t *rapid.T) {
		var table []laidSet
		joker := 0
		for k, set := range rapid.Permutation(sets).Draw(t, "sets") {
			table = append(table, laidSet{tile.LaneCells * k, set})
			if set[0] == "R9" {
				joker = k
			}
		}
		screen := felt{rapid.IntRange(300, 400).Draw(t, "wide"), rapid.IntRange(200, 300).Draw(t, "high")}
		now := call[draftState](s, "begin", table, []string{"R11"}, screen, true)
		got := call[draftState](s, "put", now.rack(), now.At[now.Sets[joker][2]], false)
		set := now.Sets[joker]
		if want := []int{set[0], set[1], now.rack()[0], set[3], set[2]}; !got.Done || !slices.Equal(got.Sets[joker], want) {
			t.Fatalf("got %v, %v, want %v", got.Done, got.Sets, want)
		}
	})
}
