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
	"meldhall/engine/judge"
	"meldhall/engine/ruleset"
	"meldhall/engine/score"
	"meldhall/engine/tile"
)

func preset(t testing.TB, name string) (r ruleset.Ruleset) {
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
				if after, laid := bot.Choose(bot.Club, bot.Turn{Rules: preset(t, name),
					Move: judge.Move{Opened: true, Before: table, Rack: rack}}); laid != c.laid {
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
				if _, laid := bot.Choose(bot.Style(style), bot.Turn{Rules: r,
					Move: judge.Move{Relief: c.relief, Before: sets(t, "O4 O5 O6"),
						Rack: sets(t, c.rack)[0]}}); laid != want {
					t.Errorf("%v laid %d, want %d", style, laid, want)
				}
			}
		})
	}
}

// known returns what a seat of four knows.
func known(r ruleset.Ruleset, table [][]tile.Face, racks [4][]tile.Face, opened [4]bool, seat, pool int) bot.Turn {
	t := bot.Turn{Rules: r, Pool: pool, Move: judge.Move{Opened: opened[seat], Before: table,
		Rack: slices.Clone(racks[seat])}}
	for i := 1; i < 4; i++ {
		rival := (seat + i) % 4
		t.Rivals = append(t.Rivals, bot.Rival{Tiles: len(racks[rival]), Opened: opened[rival]})
	}
	return t
}

// playGame plays four bots until none of them moves, and judges every play. It returns the turns of players who had
// opened, and the game's outcome.
func playGame(tb testing.TB, styles [4]bot.Style, r ruleset.Ruleset, seed uint64) (asked []bot.Turn,
	outcome score.Outcome, emptied bool) {
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
		after, laid := bot.Choose(styles[seat], t)
		switch {
		case laid > 0:
			t.Move.After = after
			v := judge.Judge(r, t.Move)
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
			return asked, scoreGame(tb, r, score.Emptied, racks, opened), true
		}
	}
	return asked, scoreGame(tb, r, score.Exhausted, racks, opened), false
}

func scoreGame(tb testing.TB, r ruleset.Ruleset, ending string, racks [4][]tile.Face, opened [4]bool) score.Outcome {
	tb.Helper()
	hands := make([]score.Hand, 4)
	for i := range hands {
		hands[i] = score.Hand{Rack: racks[i], Opened: opened[i]}
	}
	outcome, err := score.Score(r, ending, hands)
	if err != nil {
		tb.Fatal(err)
	}
	return outcome
}

func four(style bot.Style) [4]bot.Style { return [4]bot.Style{style, style, style, style} }

func TestEveryPlayIsLegal(t *testing.T) {
	for _, style := range bot.Styles {
		for _, name := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
			ended := 0
			for seed := range uint64(12) {
				if _, _, emptied := playGame(t, four(style), preset(t, name), seed); emptied {
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

// TestStrengths plays each style against the next weaker one, two against two, with the same deals both ways round.
func TestStrengths(t *testing.T) {
	r := preset(t, "wrc")
	for _, c := range []struct{ strong, weak bot.Style }{{bot.Master, bot.Club}, {bot.Club, bot.Novice}} {
		var wins, games, points score.Twelfth
		for seed := range uint64(60) {
			for first := range 2 {
				styles := [4]bot.Style{c.strong, c.weak, c.strong, c.weak}
				if first == 1 {
					styles = [4]bot.Style{c.weak, c.strong, c.weak, c.strong}
				}
				_, outcome, _ := playGame(t, styles, r, 500+seed)
				games += score.Whole(1)
				for seat := first; seat < 4; seat += 2 {
					wins += outcome.Wins[seat]
					points += outcome.Points[seat]
				}
			}
		}
		t.Logf("%v against %v: %v of %v games, %v points", c.strong, c.weak, wins, games, points)
		if 4*wins < 3*games || points <= 0 {
			t.Errorf("%v wins %v of %v games against %v, with %v points: want three quarters", c.strong, wins, games,
				c.weak, points)
		}
	}
}

func TestMasterWaitsWithItsJokers(t *testing.T) {
	for _, c := range []struct {
		name        string
		opened      bool
		table, rack string
		rival, laid int
		jokers      uint8
	}{
		{"it keeps a joker while all rivals have many tiles", true, "K1 K2 K3", "K4 R7 R8 J O13 B5", 9, 1, 0},
		{"it draws rather than spend a joker", true, "K1 K2 K3", "R7 R8 J O13 B5", 9, 0, 0},
		{"it goes out with a joker", true, "K1 K2 K3", "K4 R7 R8 J", 9, 4, 1},
		{"it spends a joker when a rival is nearly out", true, "K1 K2 K3", "K4 R7 R8 J O13 B5", 2, 4, 1},
		{"it does not open with a joker while nobody has begun", false, "", "R10 R11 J O1 B5", 14, 0, 0},
		{"it opens with a joker once a rival is on the way", false, "", "R10 R11 J O1 B5", 11, 3, 1},
		{"it opens without the joker when it can", false, "", "R10 R11 R12 J O1 B5", 14, 3, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var table [][]tile.Face
			if c.table != "" {
				table = sets(t, c.table)
			}
			turn := bot.Turn{Rules: preset(t, "wrc"), Pool: 20,
				Rivals: []bot.Rival{{Tiles: 14, Opened: true}, {Tiles: c.rival, Opened: true}},
				Move:   judge.Move{Opened: c.opened, Before: table, Rack: sets(t, c.rack)[0]}}
			after, laid := bot.Choose(bot.Master, turn)
			if jokers := tile.CountFaces(after...)[tile.Joker]; laid != c.laid || jokers != c.jokers {
				t.Errorf("laid %d with %d jokers, want %d with %d: %v", laid, jokers, c.laid, c.jokers, after)
			}
		})
	}
}

func TestChoiceIsAFunctionAndLeavesItsInputAlone(t *testing.T) {
	for _, style := range bot.Styles {
		asked, _, _ := playGame(t, four(style), preset(t, "family"), 5)
		if len(asked) < 10 {
			t.Fatalf("only %d positions", len(asked))
		}
		for _, p := range asked {
			before, err := json.Marshal(p)
			a, laid := bot.Choose(style, p)
			b, _ := bot.Choose(style, p)
			if after, _ := json.Marshal(p); err != nil || string(after) != string(before) {
				t.Fatalf("%v changed its input: %s became %s", style, before, after)
			}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%v: %v and %v", style, a, b)
			}
			if laid == 0 && !reflect.DeepEqual(a, p.Move.Before) {
				t.Fatalf("%v: nothing laid: %v became %v", style, p.Move.Before, a)
			}
		}
	}
}

func TestClubKeepsTheOrder(t *testing.T) {
	asked, _, _ := playGame(t, four(bot.Club), preset(t, "family"), 5)
	if len(asked) < 20 {
		t.Fatalf("only %d positions", len(asked))
	}
	for _, p := range asked {
		a, _ := bot.Choose(bot.Club, p)
		if len(a) < len(p.Move.Before) {
			t.Fatalf("%v became %v", p.Move.Before, a)
		}
		for i, set := range p.Move.Before {
			if j := slices.IndexFunc(a, func(s []tile.Face) bool { return slices.Equal(s, set) }); j > i &&
				!slices.Equal(a[i], set) {
				if n := slices.IndexFunc(p.Move.Before[i+1:],
					func(s []tile.Face) bool { return slices.Equal(s, set) }); n < 0 {
					t.Fatalf("%v moved from %d to %d", set, i, j)
				}
			}
		}
	}
}

// TestForViewIsLegal checks that plays are legal under the joker rules of the view, and under any joker rules if the
// view has none.
func TestForViewIsLegal(t *testing.T) {
	names := []string{"wrc", "wrc-50", "club", "family", "casual"}
	for _, style := range bot.Styles {
		for _, told := range append(names, "") {
			judges := names
			if told != "" {
				judges = []string{told}
			}
			plays := 0
			for seed := range uint64(4) {
				asked, _, _ := playGame(t, four(style), preset(t, "wrc"), 7+seed)
				for _, p := range asked {
					v := engine.View{Seat: 1, MeldPoints: 30, Rack: p.Move.Rack,
						Seats: []engine.SeatView{{Tiles: 6}, {Opened: true}}}
					if told != "" {
						r := preset(t, told)
						v.Jokers = engine.JokersView{Release: r.JokerRelease, Replace: r.JokerReplace,
							Points: r.JokerPoints}
					}
					for i, set := range p.Move.Before {
						v.Table = append(v.Table, tile.LaidView{At: i * 5, Tiles: set})
					}
					table := bot.ForView(style, v)
					if table == nil {
						continue
					}
					plays++
					m := judge.Move{Opened: true, Before: p.Move.Before, Rack: p.Move.Rack}
					for _, set := range table {
						m.After = append(m.After, set.Faces)
					}
					for _, name := range judges {
						if v := judge.Judge(preset(t, name), m); !v.Legal {
							t.Errorf("%v told %q, under %s: %+v", style, told, name, v)
						}
					}
				}
			}
			if plays < 10 {
				t.Errorf("%v told %q: only %d plays", style, told, plays)
			}
		}
	}
}

func BenchmarkChoose(b *testing.B) {
	for _, style := range bot.Styles {
		for _, rules := range []string{"wrc", "family"} {
			b.Run(style.String()+" "+rules, func(b *testing.B) {
				r := preset(b, rules)
				var asked []bot.Turn
				for seed := range uint64(20) {
					p, _, _ := playGame(b, four(style), r, seed)
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
