package steps_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
)

// A heap is the tiles of one row, or of the hand, sorted, one byte each: the face plus 1 or, for a joker of a run where
// it lay at first, 54 plus the face that it stands for. The highest bit is set if the tile was put down and stays. A
// scene is the hand and then the rows, sorted. The order of tiles within a row does not matter otherwise, so ways
// between scenes are never longer than with hands.
type (
	heap  = string
	scene []heap
)

const (
	stays     = 0x80
	jokerByte = byte(tile.Joker) + 1
)

func isJoker(b byte) bool { return b&^stays >= jokerByte }

func sortedScene(hand heap, rows []heap) scene {
	rows = slices.DeleteFunc(rows, func(h heap) bool { return h == "" })
	slices.Sort(rows)
	return append(scene{hand}, rows...)
}

func sceneOf(hand []tile.Face, table [][]tile.Face) scene {
	var rows []heap
	for _, row := range table {
		rows = append(rows, heapOf(row))
	}
	return sortedScene(heapOf(hand), rows)
}

func heapOf(faces []tile.Face) heap {
	run, ok := tile.AsRun(faces)
	b := make([]byte, len(faces))
	for i, f := range faces {
		b[i] = byte(f) + 1
		if ok && f == tile.Joker {
			b[i] = jokerByte + 1 + byte(run.Stands(i).List()[0])
		}
	}
	return sortedHeap(b)
}

func sortedHeap(b []byte) heap {
	slices.Sort(b)
	return string(b)
}

// put returns the heap with tiles put down in it to stay.
func put(h, tiles heap) heap {
	b := []byte(h)
	for _, t := range []byte(loosened(tiles)) {
		b = append(b, t|stays)
	}
	return sortedHeap(b)
}

// loosened returns the heap with all its tiles as plain faces.
func loosened(h heap) heap {
	b := []byte(h)
	for i := range b {
		b[i] = min(b[i]&^stays, jokerByte)
	}
	return sortedHeap(b)
}

// within reports whether the tiles of the heap that stay are all in one row of the goal.
func (goal scene) within(h heap) bool {
	var fixed []byte
	for _, t := range []byte(h) {
		if t&stays != 0 {
			fixed = append(fixed, t&^stays)
		}
	}
	return slices.ContainsFunc(goal[1:], func(row heap) bool { return contains(row, string(fixed)) })
}

// contains reports whether a sorted heap has all tiles of another.
func contains(h, part heap) bool {
	for _, t := range []byte(part) {
		at := strings.IndexByte(h, t)
		if at < 0 {
			return false
		}
		h = h[at+1:]
	}
	return true
}

// parts calls yield with every way to take tiles that do not stay from a heap. Equal tiles count as the same.
func parts(h heap, yield func(out, rest heap)) {
	seen := map[heap]bool{}
	free := len(h)
	for free > 0 && h[free-1]&stays != 0 {
		free--
	}
	for mask := 1; mask < 1<<free; mask++ {
		var out, rest []byte
		for i := range len(h) {
			if mask>>i&1 == 1 {
				out = append(out, h[i])
			} else {
				rest = append(rest, h[i])
			}
		}
		if !seen[string(out)] {
			seen[string(out)] = true
			yield(string(out), string(rest))
		}
	}
}

// after calls yield with the scenes one step later: some tiles of one heap go to another or to a new row, or jokers'
// own tiles go to a set and its jokers somewhere. No tile is put down where it cannot stay.
func (s scene) after(goal scene, yield func(scene)) {
	for from := range s {
		parts(s[from], func(out, rest heap) {
			for to := 0; to <= len(s); to++ {
				if to != from {
					s.move(goal, yield, []int{from, to}, []heap{rest, out})
				}
			}
		})
	}
	for set := 1; set < len(s); set++ {
		s.swaps(goal, set, yield)
	}
}

// move yields the scene in which the first place holds heaps[0] and each other place gets its heap in addition, unless
// a tile could not stay there.
func (s scene) move(goal scene, yield func(scene), places []int, heaps []heap) {
	then := append(slices.Clone(s), "")
	then[places[0]] = heaps[0]
	for n, to := range places[1:] {
		if to == 0 {
			then[0] = sortedHeap([]byte(then[0] + loosened(heaps[n+1])))
			continue
		}
		then[to] = put(then[to], heaps[n+1])
		if !goal.within(then[to]) {
			return
		}
	}
	yield(sortedScene(then[0], then[1:]))
}

// swaps yields the scenes in which tiles from a heap have replaced as many jokers of a row.
func (s scene) swaps(goal scene, set int, yield func(scene)) {
	parts(s[set], func(jokers, kept heap) {
		if !isJoker(jokers[0]) { // sorted, so all are jokers or the first is none
			return
		}
		for in := range s {
			if in == set {
				continue
			}
			parts(s[in], func(out, rest heap) {
				if len(out) != len(jokers) || !ownTiles(jokers, out) && !laysAsGroup(s[set], kept, out) {
					return
				}
				for to := 0; to <= len(s); to++ {
					if to != set {
						then := slices.Clone(s)
						then[set] = kept
						then.move(goal, yield, []int{in, set, to}, []heap{rest, out, jokers})
					}
				}
			})
		}
	})
}

// ownTiles reports whether the tiles are those that the jokers of a run stand for.
func ownTiles(jokers, tiles heap) bool {
	for i := range len(tiles) {
		if jokers[i] != jokerByte+1+tiles[i]-1 {
			return false
		}
	}
	return true
}

// laysAsGroup reports whether a row is a group, and is still one after the tiles have replaced its jokers.
func laysAsGroup(row, kept, tiles heap) bool {
	for _, h := range []heap{row, kept + tiles} {
		var faces []tile.Face
		for _, b := range []byte(loosened(h)) {
			faces = append(faces, tile.Face(b-1))
		}
		if _, ok := tile.AsGroup(faces); !ok {
			return false
		}
	}
	return !strings.ContainsFunc(loosened(tiles), func(r rune) bool { return byte(r) == jokerByte })
}

// fewest returns the smallest number of steps from a scene to the goal if it is below limit, otherwise limit.
func fewest(start, goal scene, limit int) int {
	seen, edge := map[string]bool{}, []scene{start}
	for steps := 1; steps < limit; steps++ {
		var next []scene
		met := false
		for _, s := range edge {
			s.after(goal, func(then scene) {
				key := strings.Join(then, "|")
				if met || seen[key] {
					return
				}
				seen[key] = true
				least := then.least(goal)
				met = least == 0
				if steps+least < limit {
					next = append(next, then)
				}
			})
		}
		if met {
			return steps
		}
		edge = next
	}
	return limit
}

// least returns a lower bound of the number of steps to the goal. Each step completes at most two rows of it, a swap
// three. Also, each row of the goal that no row of the scene contains must get a tile; a step does that for one row, a
// swap for two.
func (s scene) least(goal scene) int {
	rest := make([]heap, len(s)-1)
	joker := false
	for i, row := range s[1:] {
		rest[i] = loosened(row)
		joker = joker || strings.ContainsRune(rest[i], rune(jokerByte))
	}
	missing, short := 0, 0
	for _, row := range goal[1:] {
		if at := slices.Index(rest, row); at >= 0 {
			rest = slices.Delete(rest, at, at+1)
			continue
		}
		missing++
		if !slices.ContainsFunc(rest, func(h heap) bool { return contains(h, row) }) {
			short++
		}
	}
	if joker {
		return max((missing+2)/3, (short+1)/2)
	}
	return max((missing+1)/2, short)
}

// TestStepsAreFewest compares Steps with a search through all ways in which a tile is put down only where it stays.
func TestStepsAreFewest(t *testing.T) {
	const want = 100
	r := rand.New(rand.NewPCG(3, 3))
	over, swaps := map[int]int{}, 0
	for seen := 0; seen < want; {
		before, after := rearranged(r, 1+r.IntN(4), r.IntN(4))
		found := checkSteps(t, before, after)
		has := func(kind steps.StepKind) bool {
			return slices.ContainsFunc(found, func(s steps.Step) bool { return s.Kind == kind })
		}
		tiles := tile.CountFaces(after...).Total()
		if len(found) < 2 || len(found) > 5 || tiles > 13 || has(steps.StepOrder) {
			continue
		}
		seen++
		if has(steps.StepSwap) {
			swaps++
		}
		goal := sceneOf(nil, after)
		for i, row := range goal {
			goal[i] = loosened(row)
		}
		rack := tile.CountFaces(after...).Minus(tile.CountFaces(before...))
		least := fewest(sceneOf(rack.List(), before), goal, len(found))
		over[len(found)-least]++
		if len(found) > least {
			t.Logf("%d, could be %d: %v to %v by %v", len(found), least, before, after, found)
		}
	}
	t.Logf("steps more than the fewest: %v; %d pairs with a swap", over, swaps)
	if over[0] < want*98/100 || over[0]+over[1] < want || swaps < want/10 {
		t.Errorf("steps more than the fewest: %v; %d pairs with a swap", over, swaps)
	}
}
