package steps_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/steps"
	"meldhall/engine/tile"
)

// tableOf parses rows separated by slashes.
func tableOf(t testing.TB, text string) (table [][]tile.Face) {
	t.Helper()
	for row := range strings.SplitSeq(text, "/") {
		faces, err := tile.ParseFaces(row)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) > 0 {
			table = append(table, faces)
		}
	}
	return table
}

func tableKey(table [][]tile.Face) string {
	rows := make([]string, len(table))
	for i, row := range table {
		rows[i] = fmt.Sprint(row)
	}
	slices.Sort(rows)
	return strings.Join(rows, " ")
}

// applySteps applies the steps and checks each of them: no tile vanishes or comes from nowhere, each row that is named
// lies there, and each of them changes.
func applySteps(before [][]tile.Face, found []steps.Step, rack tile.Counts) ([][]tile.Face, error) {
	table := slices.Clone(before)
	var loose tile.Counts
	for _, s := range found {
		was, will := tile.CountFaces(table...), tile.Counts{}
		for _, c := range s.Rows() {
			if slices.Equal(c.Before, c.After) {
				return nil, fmt.Errorf("%v: touches a row that stays as it is", s)
			}
			if len(c.Before) > 0 {
				at := slices.IndexFunc(table, func(row []tile.Face) bool { return slices.Equal(row, c.Before) })
				if at < 0 {
					return nil, fmt.Errorf("%v: no row %v", s, c.Before)
				}
				table = slices.Delete(table, at, at+1)
			}
		}
		for _, c := range s.Rows() {
			if len(c.After) > 0 {
				table = append(table, c.After)
			}
		}
		will = tile.CountFaces(table...)
		tiles, fromLoose := tile.CountFaces(s.Tiles), tile.CountFaces(s.Loose)
		for f := range was {
			off := int(was[f]) - int(will[f])
			into := 0 // number of tiles that become loose
			switch {
			case s.From == nil && s.Kind != steps.StepOrder:
				into -= int(fromLoose[f])
				off += int(tiles[f])
				rack[f] -= tiles[f] - fromLoose[f]
			}
			if s.To == nil || s.Kind == steps.StepSwap && s.Joker == nil && tile.Face(f) == tile.Joker {
				into += off
				off = 0
			}
			if off != 0 {
				return nil, fmt.Errorf("%v: %d of %v too few on the table", s, off, tile.Face(f))
			}
			if int(loose[f])+into < 0 {
				return nil, fmt.Errorf("%v: lays loose tiles that are none", s)
			}
			loose[f] = uint8(int(loose[f]) + into)
		}
	}
	if loose.Total() > 0 || rack.Total() > 0 {
		return nil, fmt.Errorf("left over: loose %v, rack %v", loose.List(), rack.List())
	}
	return table, nil
}

// checkSteps applies Steps to a pair of tables, checks the steps, and returns them.
func checkSteps(t failing, before, after [][]tile.Face) []steps.Step {
	t.Helper()
	found := steps.Steps(before, after)
	rack := tile.CountFaces(after...).Minus(tile.CountFaces(before...))
	got, err := applySteps(before, found, rack)
	if err != nil {
		t.Fatalf("%v\nto %v\nby %v:\n%v", before, after, found, err)
	}
	if tableKey(got) != tableKey(after) {
		t.Fatalf("%v\nto %v\nby %v:\ngot %v", before, after, found, got)
	}
	return found
}

type failing interface {
	Helper()
	Fatalf(format string, args ...any)
}

func TestStepsOfSinglePlays(t *testing.T) {
	for _, c := range []struct{ name, before, after, want string }{
		{"nothing changes", "R1 R2 R3 / B5 K5 O5", "B5 K5 O5 / R1 R2 R3", ""},
		{"both tables are empty", "", "", ""},
		{"a new set", "", "R1 R2 R3", "lay R1 R2 R3 to (R1 R2 R3)"},
		{"a new set beside an old one that is equal", "R1 R2 R3", "R1 R2 R3 / R1 R2 R3", "lay R1 R2 R3 to (R1 R2 R3)"},
		{"a run longer at both ends", "R4 R5 R6", "R3 R4 R5 R6 R7", "extend R3 R7 to (R4 R5 R6 -> R3 R4 R5 R6 R7)"},
		{"a group filled", "K9 B9 R9", "K9 R9 O9 B9", "extend O9 to (K9 B9 R9 -> K9 R9 O9 B9)"},
		{"a tile from the end of a run", "R4 R5 R6 R7 / B7 K7 O7", "R4 R5 R6 / B7 K7 O7 R7",
			"take R7 from (R4 R5 R6 R7 -> R4 R5 R6) to (B7 K7 O7 -> B7 K7 O7 R7)"},
		{"a tile for a set with rack tiles", "R4 R5 R6 R7", "R4 R5 R6 / R7 B7 K7",
			"take R7 from (R4 R5 R6 R7 -> R4 R5 R6), loose; lay R7 B7 K7, of them loose R7, to (R7 B7 K7)"},
		{"a run split", "R1 R2 R3 R4 R5 R6", "R1 R2 R3 / R4 R5 R6",
			"split R4 R5 R6 from (R1 R2 R3 R4 R5 R6 -> R1 R2 R3) to (R4 R5 R6)"},
		{"two runs joined", "R1 R2 R3 / R4 R5 R6", "R1 R2 R3 R4 R5 R6",
			"join R4 R5 R6 from (R4 R5 R6 -> nothing) to (R1 R2 R3 -> R1 R2 R3 R4 R5 R6)"},
		{"a run split around a second copy", "R1 R2 R3 R4 R5 R6", "R1 R2 R3 / R3 R4 R5 R6",
			"split R4 R5 R6 from (R1 R2 R3 R4 R5 R6 -> R1 R2 R3) to (R4 R5 R6); extend R3 to (R4 R5 R6 -> R3 R4 R5 R6)"},
		{"a run too short to split before the second copy", "R1 R2 R3 R4 R5", "R1 R2 R3 / R3 R4 R5",
			"take R4 R5 from (R1 R2 R3 R4 R5 -> R1 R2 R3), loose; lay R3 R4 R5, of them loose R4 R5, to (R3 R4 R5)"},
		{"a joker moved within its run", "R4 R5 J", "J R4 R5", "order to (R4 R5 J -> J R4 R5)"},
		{"a joker swapped for a new set", "R4 R5 J", "R4 R5 R6 / B9 K9 J",
			"swap R6 to (R4 R5 J -> R4 R5 R6), joker loose; lay B9 K9 J, of them loose J, to (B9 K9 J)"},
		{"a joker swapped into another set", "R4 J R6 / B9 K9 O9", "R4 R5 R6 / B9 K9 O9 J",
			"swap R5 to (R4 J R6 -> R4 R5 R6), joker to (B9 K9 O9 -> B9 K9 O9 J)"},
		{"a joker swapped by a tile of the table", "R4 R5 J / R6 B6 K6 O6", "R4 R5 R6 / B6 K6 O6 / B9 K9 J",
			"swap R6 from (R6 B6 K6 O6 -> B6 K6 O6) to (R4 R5 J -> R4 R5 R6), joker loose; " +
				"lay B9 K9 J, of them loose J, to (B9 K9 J)"},
		{"a group's joker for either colour", "R7 B7 J / R1 R2 R3", "R7 B7 K7 / R1 R2 R3 J",
			"swap K7 to (R7 B7 J -> R7 B7 K7), joker to (R1 R2 R3 -> R1 R2 R3 J)"},
		{"a group's joker for both colours", "R7 B7 J", "R7 B7 K7 O7 / O1 O2 J",
			"extend O7 to (R7 B7 J -> R7 B7 J O7); swap K7 to (R7 B7 J O7 -> R7 B7 K7 O7), joker loose; " +
				"lay O1 O2 J, of them loose J, to (O1 O2 J)"},
		{"two jokers swapped", "R3 J J R6", "R3 R4 R5 R6 / B9 K9 J / O2 O3 J",
			"swap R4 R5 to (R3 J J R6 -> R3 R4 R5 R6), joker loose; " +
				"lay B9 K9 J, of them loose J, to (B9 K9 J); lay O2 O3 J, of them loose J, to (O2 O3 J)"},
		{"a joker to the other end of its own run", "R11 R12 J", "J R11 R12 R13",
			"extend R13 to (R11 R12 J -> J R11 R12 R13)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said []string
			for _, s := range checkSteps(t, tableOf(t, c.before), tableOf(t, c.after)) {
				said = append(said, s.String())
			}
			if got := strings.Join(said, "; "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestStepsCount(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		steps               int
	}{
		{"three runs become three groups", "R1 R2 R3 / B1 B2 B3 / K1 K2 K3", "R1 B1 K1 / R2 B2 K2 O2 / R3 B3 K3", 6},
		{"a run splits in three", "R1 R2 R3 R4 R5 R6 R7 R8 R9", "R1 R2 R3 / R4 R5 R6 / R7 R8 R9", 2},
		{"a run lends its middle", "R1 R2 R3 R4 R5 R6 R7", "R1 R2 R3 / R4 B4 K4 O4 / R5 R6 R7", 3},
		{"a run gives both ends", "R4 R5 R6 R7 R8", "R5 R6 R7 / R4 B4 K4 / R8 B8 K8", 3},
		{"identical sets are used twice", "R1 R2 R3 / R1 R2 R3", "R1 R2 R3 R4 / R1 R2 R3 R4", 2},
		{"seven choices of copies, three of them to be changed at once",
			"K6 K7 K8 K9 K10 / K2 K3 K4 K5 / K4 K5 K6 K7 K8 / K3 B3 O3 / B1 B2 B3",
			"R3 B3 O3 / K5 K6 K7 K8 K9 K10 / B1 B2 B3 / K7 K8 K9 / K2 K3 K4 / K1 K2 K3 K4 K5 K6", 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			steps := checkSteps(t, tableOf(t, c.before), tableOf(t, c.after))
			if len(steps) != c.steps {
				t.Errorf("%d steps, want %d: %v", len(steps), c.steps, steps)
			}
		})
	}
}

func TestStepsOfWhatIsNoPair(t *testing.T) {
	long := make([][]tile.Face, 65)
	for i := range long {
		long[i] = []tile.Face{tile.Face(i % 52)}
	}
	for name, pair := range map[string][2][][]tile.Face{
		"a tile vanishes":        {tableOf(t, "R1 R2 R3 R4"), tableOf(t, "R1 R2 R3")},
		"a tile becomes another": {tableOf(t, "R1 R2 R3"), tableOf(t, "R2 R3 R4")},
		"the table vanishes":     {tableOf(t, "R1 R2 R3"), nil},
		"too many rows":          {nil, long},
	} {
		if found := steps.Steps(pair[0], pair[1]); found != nil {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestStepsAsJSON(t *testing.T) {
	found := steps.Steps(tableOf(t, "R4 R5 R6 R7 / R8 R9 J"), tableOf(t, "R4 R5 R6 / R7 R8 R9 R10 / J B7 B8"))
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"kind":"take","tiles":["R7"],"from":{"before":["R4","R5","R6","R7"],"after":["R4","R5","R6"]},` +
		`"to":{"before":["R8","R9","J"],"after":["R7","R8","R9","J"]}},` +
		`{"kind":"swap","tiles":["R10"],"to":{"before":["R7","R8","R9","J"],"after":["R7","R8","R9","R10"]}},` +
		`{"kind":"lay","tiles":["J","B7","B8"],"loose":["J"],"to":{"after":["J","B7","B8"]}}]`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	var back []steps.Step
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, found) {
		t.Errorf("read back %v, %v", back, err)
	}
}

// blocksMoved counts the steps of a simple way for the rows that differ. It takes the copies found first, and each old
// row continues in the first new row that gets one of its tiles.
func blocksMoved(before, after [][]tile.Face) int {
	before, after = differing(before, after)
	left := make([]tile.Counts, len(before))
	goesOn := make([]bool, len(before))
	for i, row := range before {
		left[i] = tile.CountFaces(row)
	}
	blocks := 0
	for _, row := range after {
		from := map[int]bool{}
		for _, f := range row {
			i := slices.IndexFunc(left, func(c tile.Counts) bool { return c[f] > 0 })
			if i >= 0 {
				left[i][f]--
			}
			from[i] = true
		}
		blocks += len(from)
		for i := range before {
			if from[i] && !goesOn[i] {
				goesOn[i] = true
				blocks--
				break
			}
		}
	}
	return blocks
}

// differing returns the rows that are not in both tables.
func differing(before, after [][]tile.Face) (old, now [][]tile.Face) {
	now = slices.Clone(after)
	for _, row := range before {
		if at := slices.IndexFunc(now, func(other []tile.Face) bool { return slices.Equal(row, other) }); at >= 0 {
			now = slices.Delete(now, at, at+1)
			continue
		}
		old = append(old, row)
	}
	return old, now
}

func TestStepsOfAnyRearrangement(t *testing.T) {
	kinds := map[steps.StepKind]int{}
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		for range 20 {
			before, after := rearranged(r, 1+r.IntN(10), r.IntN(8))
			found := checkSteps(rt, before, after)
			turned := 0
			for _, s := range found {
				kinds[s.Kind]++
				if s.Kind == steps.StepOrder {
					turned++
				}
			}
			if old, now := differing(before, after); len(found) > len(old)+len(now) {
				rt.Fatalf("%d steps for rows that differ: %v to %v by %v", len(found), old, now, found)
			}
			if most := blocksMoved(before, after); len(found)-turned > most {
				rt.Fatalf("%d steps for %d blocks: %v to %v by %v", len(found), most, before, after, found)
			}
			if again := steps.Steps(before, after); !reflect.DeepEqual(again, found) {
				rt.Fatalf("%v, then %v", found, again)
			}
		}
	})
	for _, kind := range []steps.StepKind{steps.StepLay, steps.StepExtend, steps.StepTake, steps.StepSplit,
		steps.StepSwap} {
		if kinds[kind] == 0 {
			t.Errorf("no step of kind %s in %v", kind, kinds)
		}
	}
}

func TestStepsOfBestPlays(t *testing.T) {
	pairs := bestPlays(t)
	for _, pair := range pairs {
		if len(checkSteps(t, pair[0], pair[1])) == 0 {
			t.Errorf("no steps from %v to %v", pair[0], pair[1])
		}
	}
	if len(pairs) < 50 {
		t.Errorf("only %d plays", len(pairs))
	}
}

// TestStepsOfAnyRows checks that rows that are not sets, and more copies than the game has, do no harm.
func TestStepsOfAnyRows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 2))
		tiles := make([]tile.Face, r.IntN(70))
		kinds := 1 + r.IntN(tile.Faces)
		for i := range tiles {
			tiles[i] = tile.Joker - tile.Face(r.IntN(kinds))
		}
		before := rowsAtRandom(r, tiles[:r.IntN(len(tiles)+1)])
		r.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		after := rowsAtRandom(r, tiles)
		if len(before) > 64 || len(after) > 64 {
			return
		}
		steps := checkSteps(rt, before, after)
		if old, now := differing(before, after); len(steps) > len(old)+len(now) {
			rt.Fatalf("%d steps from %v to %v", len(steps), old, now)
		}
	})
}

func rowsAtRandom(r *rand.Rand, tiles []tile.Face) (rows [][]tile.Face) {
	for len(tiles) > 0 {
		n := min(1+r.IntN(6), len(tiles))
		rows = append(rows, slices.Clone(tiles[:n]))
		tiles = tiles[n:]
	}
	return rows
}

func BenchmarkSteps(b *testing.B) {
	for _, changed := range []int{1, 2, 4, 6, 8} {
		pairs := tablesOfTwenty(b, changed)
		b.Run(fmt.Sprintf("20 sets, %d changed", changed), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for i := 0; b.Loop(); i++ {
				pair := pairs[i%len(pairs)]
				n += len(steps.Steps(pair[0], pair[1]))
			}
			b.ReportMetric(float64(n)/float64(b.N), "steps/op")
		})
	}
}
