package solve_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"meldhall/engine/solve"
	"meldhall/engine/tile"
)

func rackOf(t testing.TB, text string) tile.Counts {
	t.Helper()
	faces, err := tile.ParseFaces(text)
	if err != nil {
		t.Fatal(err)
	}
	return tile.CountFaces(faces)
}

func TestOpening(t *testing.T) {
	for _, c := range []struct {
		rack         string
		most         int // points
		tiles, worth int // with 30 points and the most tiles; 0: cannot open
	}{
		{"", 0, 0, 0},
		{"J J", 0, 0, 0},
		{"R7 B8 J", 0, 0, 0},
		{"R13 J J", 39, 3, 39},
		{"R1 J J", 6, 0, 0},
		{"R12 R13 J", 36, 3, 36},
		{"R10 B10 J", 30, 3, 30},
		{"R9 R10 J", 30, 3, 30},
		{"R8 R9 J", 27, 0, 0},
		{"O13 O13 R13 B13", 39, 3, 39},
		{"R10 B10 K10 O1", 30, 3, 30},
		{"R10 B10 K9 O1 R2", 0, 0, 0},
		{"R7 R7 B7 B7 K7 K7", 42, 6, 42},
		{"R7 R7 B7 B7 K7 O7", 42, 6, 42},
		{"R7 R7 B7 K7", 21, 0, 0},
		{"R3 R4 R5 R6 R7 B6 K6", 30, 6, 30},
		{"R1 R2 R4 R5 R13 B13 J", 39, 3, 39}, // R1 to R5 are worth only 15
		{"K5 K6 K7 K7 K8 K9 K8 J J", 71, 9, 71},
		{"R1 R2 R3 R4 B1 B2 B3 B4 K1 K2 K3 K4 R13 B13 K13", 69, 15, 69},
		{"R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 J J", 117, 15, 117},
	} {
		t.Run(c.rack, func(t *testing.T) {
			rack := rackOf(t, c.rack)
			if most, _ := (solve.Meld{Aim: solve.HighestPoints}).Best(rack); most.Points != c.most {
				t.Errorf("%d points, want %d", most.Points, c.most)
			}
			o, ok := solve.Meld{Points: 30}.Best(rack)
			if ok != (c.tiles > 0) || o.Tiles != c.tiles || o.Points != c.worth {
				t.Errorf("%+v, want %d tiles, %d points", o, c.tiles, c.worth)
			}
		})
	}
}

// meld is a set as enumeration sees it: what it takes from a rack and what it is worth.
type meld struct {
	takes         tile.Counts
	tiles, points int
}

// melds lists every set that the rack holds, with jokers in every place.
func melds(rack tile.Counts) []meld {
	var all []meld
	for c := tile.Black; c <= tile.Orange; c++ {
		for from := 1; from <= 11; from++ {
			for to := from + 2; to <= 13; to++ {
				var faces []tile.Face
				for n := from; n <= to; n++ {
					faces = append(faces, tile.NewFace(c, n))
				}
				all = withJokers(all, rack, faces)
			}
		}
	}
	for n := 1; n <= 13; n++ {
		for colours := range 16 {
			var faces []tile.Face
			for c := range 4 {
				if colours>>c&1 == 1 {
					faces = append(faces, tile.NewFace(tile.Colour(c), n))
				}
			}
			if len(faces) >= 3 {
				all = withJokers(all, rack, faces)
			}
		}
	}
	return all
}

func withJokers(all []meld, rack tile.Counts, faces []tile.Face) []meld {
	for a := -1; a < len(faces); a++ {
		for b := a; b < len(faces); b++ {
			if a >= 0 && b == a || a < 0 && b > a {
				continue
			}
			all = oneMeld(all, rack, faces, a, b)
		}
	}
	for a := range faces {
		all = oneMeld(all, rack, faces, a, a)
	}
	return all
}

func oneMeld(all []meld, rack tile.Counts, faces []tile.Face, a, b int) []meld {
	m := meld{tiles: len(faces)}
	for i, f := range faces {
		m.points += f.Number()
		if i == a || i == b {
			f = tile.Joker
		}
		m.takes[f]++
	}
	if m.takes.Within(rack) {
		all = append(all, m)
	}
	return all
}

// worth is the total of a collection of sets.
type worth struct{ points, tiles, value, sets int }

// keyed returns a key that orders collections by an aim. Ties go to more points.
func (w worth) keyed(aim solve.Aim) [3]int {
	switch aim {
	case solve.HighestPoints:
		return [3]int{w.points, w.tiles, 0}
	case solve.MostValue:
		return [3]int{w.value, w.tiles, w.points}
	}
	return [3]int{w.tiles, w.value, w.points}
}

var aims = []solve.Aim{solve.MostTiles, solve.HighestPoints, solve.MostValue}

// brute tries every collection of sets. It returns the best key by each aim among the collections that are the meld.
func brute(rack tile.Counts, m solve.Meld) (best [3][3]int) {
	var try func(rack tile.Counts, sets []meld, w worth)
	try = func(rack tile.Counts, sets []meld, w worth) {
		if w.tiles > 0 && (w.points >= m.Points || m.Relief && w.sets >= 2) {
			for _, aim := range aims {
				if key := w.keyed(aim); slices.Compare(key[:], best[aim][:]) > 0 {
					best[aim] = key
				}
			}
		}
		for i, one := range sets {
			if one.takes.Within(rack) {
				more := worth{w.points + one.points, w.tiles + one.tiles, w.value + charge(one.takes, m.JokerPoints),
					w.sets + 1}
				try(rack.Minus(one.takes), sets[i:], more)
			}
		}
	}
	try(rack, melds(rack), worth{})
	return best
}

func charge(c tile.Counts, jokerPoints int) (sum int) {
	for f, k := range c[:tile.Joker] {
		sum += int(k) * tile.Face(f).Number()
	}
	return sum + int(c[tile.Joker])*jokerPoints
}

// racks generates racks with many sets in them: few colours and numbers, up to both jokers.
func racks(most int) *rapid.Generator[tile.Counts] {
	return rapid.Custom(func(t *rapid.T) tile.Counts {
		var c tile.Counts
		low := rapid.IntRange(1, 9).Draw(t, "low")
		span := rapid.IntRange(2, 6).Draw(t, "span")
		for range rapid.IntRange(0, most).Draw(t, "tiles") {
			f := tile.NewFace(tile.Colour(rapid.IntRange(0, 3).Draw(t, "colour")),
				min(13, low+rapid.IntRange(0, span).Draw(t, "number")))
			if c[f] < 2 {
				c[f]++
			}
		}
		c[tile.Joker] = uint8(rapid.IntRange(0, 2).Draw(t, "jokers"))
		return c
	})
}

func TestOpeningIsTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rack := racks(10).Draw(t, "rack")
		m := solve.Meld{
			Points:      rapid.IntRange(0, 70).Draw(t, "points"),
			Relief:      rapid.Bool().Draw(t, "relief"),
			JokerPoints: rapid.SampledFrom([]int{0, 3, 7, 25, 100}).Draw(t, "joker points"),
		}
		best := brute(rack, m)
		for _, aim := range aims {
			m.Aim = aim
			want := best[aim]
			if got := m.Exists(rack); got != (want != [3]int{}) {
				t.Fatalf("%v, %+v: exists %v", rack.List(), m, got)
			}
			o, ok := m.Best(rack)
			if ok != (want != [3]int{}) || ok && (worth{o.Points, o.Tiles, o.Value, len(o.Sets)}).keyed(aim) != want {
				t.Fatalf("%v, %+v: %+v, by enumeration %d", rack.List(), m, o, want)
			}
			checkOpening(t, rack, m, o, ok)
		}
	})
}

func checkOpening(t *rapid.T, rack tile.Counts, m solve.Meld, o solve.Opening, ok bool) {
	points := 0
	for _, set := range o.Sets {
		if !tile.Valid(set) {
			t.Fatalf("%v is no set", set)
		}
		points += tile.Value(set)
	}
	if !ok {
		if o.Sets != nil || o.Tiles != 0 {
			t.Fatalf("no opening, yet %+v", o)
		}
		return
	}
	used := tile.CountFaces(o.Sets...)
	if !used.Within(rack) || o.Tiles != used.Total() || o.Points != points || o.Value != charge(used, m.JokerPoints) {
		t.Fatalf("%+v of %v", o, rack.List())
	}
	if points < m.Points && !(m.Relief && len(o.Sets) >= 2) {
		t.Fatalf("%+v is no meld of %+v", o, m)
	}
}

// deals returns racks of n tiles dealt from a shuffled pool, with both jokers among them if jokers is 2.
func deals(n, jokers int) []tile.Counts {
	shuffle := rand.New(rand.NewPCG(7, uint64(n)))
	racks := make([]tile.Counts, 64)
	for i := range racks {
		racks[i][tile.Joker] = uint8(jokers)
		for _, t := range shuffle.Perm(104)[:n-jokers] {
			racks[i][tile.Tile(t).Face()]++
		}
	}
	return racks
}

// TestOpeningsAtTheSameTimeAreTheSame checks that the memory shared by searches does not affect the answers.
func TestOpeningsAtTheSameTimeAreTheSame(t *testing.T) {
	meld := solve.Meld{Points: 30, JokerPoints: 30}
	racks := append(deals(24, 2), deals(14, 1)...)
	alone := make([]solve.Opening, len(racks))
	for i, rack := range racks {
		alone[i], _ = meld.Best(rack)
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range racks {
				i = (i*7 + worker*31) % len(racks)
				if o, ok := meld.Best(racks[i]); !reflect.DeepEqual(o, alone[i]) || ok != meld.Exists(racks[i]) {
					t.Errorf("%v: %+v, alone %+v", racks[i].List(), o, alone[i])
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkOpening(b *testing.B) {
	for _, c := range []struct {
		name      string
		n, jokers int
	}{{"14", 14, 0}, {"14 and 2 jokers", 14, 2}, {"30", 30, 0}, {"30 and 2 jokers", 30, 2}} {
		b.Run(c.name+" tiles", func(b *testing.B) {
			racks := deals(c.n, c.jokers)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				solve.Meld{Points: 30, JokerPoints: 30}.Best(racks[i%len(racks)])
			}
		})
	}
}
