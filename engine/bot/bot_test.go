package bot_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/bot"
	"meldhall/engine/tile"
)

func preset(t testing.TB, name string) (r engine.Ruleset) {
	t.Helper()
	text, err := os.ReadFile("../../data/rules/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func sets(t testing.TB, text string) (all [][]tile.Face) {
	t.Helper()
	for part := range strings.SplitSeq(text, "/") {
		faces, err := tile.ParseFaces(part)
		if err != nil {
			t.Fatal(err)
		}
		if len(faces) > 0 {
			all = append(all, faces)
		}
	}
	return all
}

func TestClubFinds(t *testing.T) {
	for _, c := range []struct {
		name, table, rack string
		laid              int
	}{
		{"a set of the rack", "K1 K2 K3", "R7 B7 O7 O1", 3},
		{"a run's end", "K1 K2 K3", "K4 O9", 1},
		{"a fourth colour", "K1 B1 O1", "R1 O9", 1},
		{"a run to split", "K1 K2 K3 K4 K5", "K3 O9", 1},
		{"a spare tile of a group of four", "K5 B5 O5 R5", "R6 R7 O9", 2},
		{"a spare tile at a run's end", "K5 K6 K7 K8", "R8 O8 B1", 2},
		{"a spare tile amid a run", "K1 K2 K3 K4 K5 K6 K7", "R4 O4 B9", 2},
		{"one tile and two spare ones", "K5 K6 K7 K8/B8 B9 B10 B11", "R8 O1", 1},
		{"a joker to free", "R4 J R6", "R5 B9 K9 O1", 3},
		{"a joker to move along", "R4 J R6", "R5 O1 B13 K10", 1},
		{"a joker of a group to free", "R4 J K4", "B4 B9 K9 O1", 3},
		{"the last joker", "R4 R5 R6", "J", 1},
		{"the last pair and joker", "R4 R5 R6", "J K1 K2", 3},
		{"nothing", "R4 R5 R6", "B9 K13", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			table, rack := sets(t, c.table), sets(t, c.rack)[0]
			for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
				if after, laid := bot.Choose(bot.Club, bot.Turn{Rules: preset(t, name), Move: engine.Move{Opened: true, Before: table, Rack: rack}}); laid != c.laid {
					t.Errorf("%s: laid %d: %v", name, laid, after)
				}
			}
		})
	}
}

func TestOpens(t *testing.T) {
	for _, c := range []struct {
		name, rack   string
		relief       bool
		novice, club int
	}{
		{"with the most tiles that reach 30", "R10 R11 R12 B1 K1 O1", false, 6, 6},
		{"with a joker only if it must", "R10 R11 R12 J B13 K13", false, 3, 3},
		{"with a joker if it must", "R10 R11 J", false, 3, 3},
		{"not below 30", "R1 R2 R3 K4 K5 K6", false, 0, 0},
		{"below 30 with two sets where the rules relieve", "R1 R2 R3 K4 K5 K6", true, 6, 6},
		{"not with one set where the rules relieve", "R1 R2 R3 K4 B5", true, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := preset(t, "wrc")
			r.LastToOpenRelief = c.relief
			for style, want := range []int{c.novice, c.club} {
				if _, laid := bot.Choose(bot.Style(style), bot.Turn{Rules: r, Move: engine.Move{Relief: c.relief, Before: sets(t, "O4 O5 O6"), Rack: sets(t, c.rack)[0]}}); laid != want {
					t.Errorf("%v laid %d, want %d", style, laid, want)
				}
			}
		})
	}
}

// known is what a seat of four knows.
func known(r engine.Ruleset, table [][]tile.Face, racks [4][]tile.Face, opened [4]bool, seat, pool int) bot.Turn {
	t := bot.Turn{Rules: r, Pool: pool, Move: engine.Move{Opened: opened[seat], Before: table, Rack: slices.Clone(racks[seat])}}
	for i := 1; i < 4; i++ {
		rival := (seat + i) % 4
		t.Rivals = append(t.Rivals, bot.Rival{Tiles: len(racks[rival]), Opened: opened[rival]})
	}
	return t
}

// playGame plays four bots of a style until nobody moves, judges every play, and gives the positions of
// players who had opened.
func playGame(tb testing.TB, style bot.Style, r engine.Ruleset, seed uint64) (asked []bot.Turn, emptied bool) {
	tb.Helper()
	pool := tile.FacesOf(tile.All())
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var table [][]tile.Face
	var opened [4]bool
	racks := [4][]tile.Face{}
	for i := range racks {
		racks[i], pool = slices.Clone(pool[:14]), pool[14:]
	}
	for turn, passed := 0, 0; passed < 4 && turn < 400; turn++ {
		seat := turn % 4
		if opened[seat] {
			asked = append(asked, known(r, table, racks, opened, seat, len(pool)))
		}
		before := tile.CountFaces(table...)
		t := known(r, table, racks, opened, seat, len(pool))
		after, laid := bot.Choose(style, t)
		switch {
		case laid > 0:
			t.Move.After = after
			v := engine.Judge(r, t.Move)
			if !v.Legal || len(v.Played) != laid || before != tile.CountFaces(table...) {
				tb.Fatalf("seed %d turn %d: %+v\n%v\n%v\n%v", seed, turn, v, table, racks[seat], after)
			}
			racks[seat] = tile.CountFaces(racks[seat]).Minus(tile.CountFaces(v.Played)).List()
			table, opened[seat], passed = after, true, 0
		case len(pool) > 0:
			racks[seat], pool, passed = append(racks[seat], pool[0]), pool[1:], 0
		default:
			passed++
		}
		if len(racks[seat]) == 0 {
			return asked, true
		}
	}
	return asked, false
}

func TestEveryPlayIsLegal(t *testing.T) {
	for _, style := range bot.Styles {
		for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
			ended := 0
			for seed := range uint64(12) {
				if _, emptied := playGame(t, style, preset(t, name), seed); emptied {
					ended++
				}
			}
			t.Logf("%v, %s: %d of 12 games ended with an empty rack", style, name, ended)
			if ended == 0 {
				t.Errorf("%v never empties a rack under %s", style, name)
			}
		}
	}
}

func TestChoiceIsAFunctionAndKeepsTheOrder(t *testing.T) {
	r := preset(t, "family")
	asked, _ := playGame(t, bot.Club, r, 5)
	if len(asked) < 20 {
		t.Fatalf("only %d positions", len(asked))
	}
	for _, p := range asked {
		a, laid := bot.Choose(bot.Club, p)
		b, _ := bot.Choose(bot.Club, p)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%v and %v", a, b)
		}
		if laid == 0 && !reflect.DeepEqual(a, p.Move.Before) || len(a) < len(p.Move.Before) {
			t.Fatalf("%d laid: %v became %v", laid, p.Move.Before, a)
		}
		for i, set := range p.Move.Before {
			if j := slices.IndexFunc(a, func(s []tile.Face) bool { return slices.Equal(s, set) }); j > i && !slices.Equal(a[i], set) {
				if n := slices.IndexFunc(p.Move.Before[i+1:], func(s []tile.Face) bool { return slices.Equal(s, set) }); n < 0 {
					t.Fatalf("%v moved from %d to %d", set, i, j)
				}
			}
		}
	}
}

func TestForViewIsLegalUnderEveryPreset(t *testing.T) {
	asked, _ := playGame(t, bot.Club, preset(t, "family"), 7)
	plays := 0
	for _, p := range asked {
		v := engine.View{Seat: 1, MeldPoints: 30, Rack: p.Move.Rack, Seats: []engine.SeatView{{}, {Opened: true}}}
		for i, set := range p.Move.Before {
			v.Table = append(v.Table, engine.LaidView{At: i * 5, Tiles: set})
		}
		table := bot.ForView(bot.Club, v)
		if table == nil {
			continue
		}
		plays++
		after := make([][]tile.Face, len(table))
		for i, set := range table {
			after[i] = set.Faces
		}
		for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
			if v := engine.Judge(preset(t, name), engine.Move{Opened: true, Before: p.Move.Before, Rack: p.Move.Rack, After: after}); !v.Legal {
				t.Errorf("%s: %+v", name, v)
			}
		}
	}
	if plays < 10 {
		t.Errorf("only %d plays", plays)
	}
}

func BenchmarkChoose(b *testing.B) {
	for _, style := range bot.Styles {
		for _, rules := range []string{"wrc", "family"} {
			b.Run(style.String()+" "+rules, func(b *testing.B) {
				r := preset(b, rules)
				var asked []bot.Turn
				for seed := range uint64(20) {
					p, _ := playGame(b, style, r, seed)
					asked = append(asked, p...)
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					bot.Choose(style, asked[i%len(asked)])
				}
			})
		}
	}
}
