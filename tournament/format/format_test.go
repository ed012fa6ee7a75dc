package format

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	for _, row := range []struct {
		n    int
		want string
	}{
		{0, "[] false"}, {1, "[] false"}, {2, "[2] true"}, {3, "[3] true"}, {4, "[4] true"}, {5, "[] false"},
		{6, "[3 3] true"}, {7, "[4 3] true"}, {8, "[4 4] true"}, {9, "[3 3 3] true"}, {10, "[4 3 3] true"},
		{33, "[4 4 4 4 4 4 3 3 3] true"}, {37, "[4 4 4 4 4 4 4 3 3 3] true"},
	} {
		sizes, ok := Tables(row.n)
		if got := fmt.Sprint(sizes, " ", ok); strings.ReplaceAll(got, "]  ", "] ") != row.want {
			t.Errorf("%d players: got %s, want %s", row.n, got, row.want)
		}
	}
	for n := 6; n <= 500; n++ {
		sizes, ok := Tables(n)
		sum, threes := 0, 0
		for _, size := range sizes {
			sum += size
			if size == 3 {
				threes++
			}
		}
		if !ok || sum != n || threes > 3 {
			t.Fatalf("%d players: got %v, %v", n, sizes, ok)
		}
	}
}

const good = `{"name":"x","version":1,"source":"","stages":[
	{"name":"preliminary","kind":"preliminary","rounds":2,"games_per_round":2,"cut":0,"seating":"random","seat_change":"every_round","carry_over":"all"},
	{"name":"final","kind":"final","rounds":1,"games_per_round":2,"cut":4,"seating":"standings","seat_change":"keep","carry_over":"none"}]}`

func TestParse(t *testing.T) {
	if _, err := Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, old, new, field, key string }{
		{"unknown field", `"source"`, `"sauce"`, "", "err_format_unreadable"},
		{"no name", `"name":"x"`, `"name":""`, "name", "err_format_field"},
		{"no stages", `"stages":[`, `"stages":[],"source":[`, "", "err_format_unreadable"},
		{"unknown kind", `"kind":"final"`, `"kind":"finale"`, "stages[1].kind", "err_format_field"},
		{"no rounds", `"rounds":1`, `"rounds":0`, "stages[1].rounds", "err_format_field"},
		{"too many games", `"games_per_round":2,"cut":4`, `"games_per_round":99,"cut":4`, "stages[1].games_per_round",
			"err_format_field"},
		{"cut to five", `"cut":4`, `"cut":5`, "stages[1].cut", "err_format_field"},
		{"cut to one", `"cut":4`, `"cut":1`, "stages[1].cut", "err_format_field"},
		{"cut of the first stage", `"cut":0`, `"cut":8`, "stages[0].cut", "err_format_field"},
		{"an unknown tie-break", `"stages":[`, `"scoring":{"tie_breaks":["points","age"]},"stages":[`,
			"scoring.tie_breaks[1]", "err_format_field"},
		{"a tie-break after the lot", `"stages":[`, `"scoring":{"tie_breaks":["lot","points"]},"stages":[`,
			"scoring.tie_breaks[1]", "err_format_field"},
		{"table points without any", `"stages":[`, `"scoring":{"ranking":"table_points"},"stages":[`,
			"scoring.table_points", "err_format_field"},
		{"table points of one place", `"stages":[`, `"scoring":{"table_points":[[4]]},"stages":[`,
			"scoring.table_points[0]", "err_format_field"},
		{"first to no wins", `"stages":[`, `"scoring":{"ranking":"first_to"},"stages":[`, "scoring.first_to",
			"err_format_field"},
		{"a division twice", `"stages":[`, `"divisions":["junior","junior"],"stages":[`, "divisions[1]",
			"err_format_field"},
		{"places of each division without any", `"stages":[`,
			`"qualification":{"berths":2,"per_division":true},"stages":[`, "qualification.per_division",
			"err_format_field"},
		{"an unknown rule", `"stages":[`, `"rules":{"turn_secs":5},"stages":[`, "rules.turn_secs", "err_format_field"},
		{"a rule of another type", `"stages":[`, `"rules":{"turn_seconds":"five"},"stages":[`, "rules.turn_seconds",
			"err_format_field"},
		{"a rule out of range", `"cut":4`, `"cut":4,"rules":{"joker_points":25,"turn_seconds":5000}`,
			"stages[1].rules.turn_seconds", "err_format_field"},
		{"a rule's unknown word", `"cut":4`, `"cut":4,"rules":{"starter":"youngest"}`, "stages[1].rules.starter",
			"err_format_field"},
		{"most below least", `"stages":[`, `"players_min":9,"players_max":8,"stages":[`, "players_max",
			"err_format_field"},
		{"tables of three", `"cut":4`, `"cut":4,"table_size":3`, "stages[1].table_size", "err_format_field"},
		{"cut and tables", `"cut":4`, `"cut":4,"per_table":1`, "stages[1].per_table", "err_format_field"},
		{"others without a number", `"cut":4`, `"cut":0,"per_table":1,"fill":"next"`, "stages[1].per_table",
			"err_format_field"},
		{"others without table winners", `"cut":4`, `"cut":4,"fill":"next"`, "stages[1].fill", "err_format_field"},
		{"others of an unknown kind", `"cut":4`, `"cut":4,"per_table":1,"fill":"oldest"`, "stages[1].fill",
			"err_format_field"},
		{"groups that change", `"cut":4`, `"cut":0,"per_table":1`, "stages[1].per_table", "err_format_field"},
		{"until nothing", `"cut":4`, `"cut":4,"until":"wins"`, "stages[1].until_at", "err_format_field"},
		{"until out of reach", `"cut":4`, `"cut":4,"until":"wins","until_at":3`, "stages[1].until_at",
			"err_format_field"},
		{"decides without a way to", `"cut":4`, `"cut":4,"decide":1`, "stages[1].decide", "err_format_field"},
		{"decides before the end", `"cut":0`, `"cut":0,"decide":1`, "stages[0].decide", "err_format_field"},
		{"two values", `"none"}]}`, `"none"}]} {}`, "", "err_format_unreadable"},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := strings.Replace(good, row.old, row.new, 1)
			if text == good {
				t.Fatalf("%q is not in the format", row.old)
			}
			_, err := Parse([]byte(text))
			var p *Problem
			if !errors.As(err, &p) || p.Field != row.field || p.Key != row.key {
				t.Errorf("got %v, want %s at %q", err, row.key, row.field)
			}
		})
	}
}

func TestProblemsAreAllNamed(t *testing.T) {
	f, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	f.Name, f.Stages[0].Rounds, f.Stages[1].Seating = "", 99, "by age"
	var fields []string
	for _, p := range f.Problems() {
		fields = append(fields, p.Field)
		if why, _ := p.Args["reason"].(string); !slices.Contains(Whys, why) {
			t.Errorf("%s: reason %q has no text", p.Field, why)
		}
	}
	if got, want := strings.Join(fields, " "), "name stages[0].rounds stages[1].seating"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPlaces: one place for every nine players, as in Japan; a remainder gives none.
func TestPlaces(t *testing.T) {
	for _, row := range []struct {
		q    Qualification
		want map[int]int // places by number of players
	}{
		{Qualification{}, map[int]int{0: 0, 40: 0}},
		{Qualification{Berths: 2}, map[int]int{0: 2, 1: 2, 40: 2}},
		{Qualification{PerPlayers: 9}, map[int]int{0: 0, 8: 0, 9: 1, 10: 1, 17: 1, 18: 2, 27: 3, 80: 8, 81: 9}},
		{Qualification{PerPlayers: 1}, map[int]int{0: 0, 1: 1, 40: 40}},
		{Qualification{Berths: 5, PerPlayers: 9}, map[int]int{8: 0, 9: 1}},
	} {
		for n, want := range row.want {
			if got := row.q.Places(n); got != want {
				t.Errorf("%+v, %d players: got %d places, want %d", row.q, n, got, want)
			}
		}
	}
}

func TestPlayOffTables(t *testing.T) {
	for n, want := range map[int]string{2: "[2]", 3: "[3]", 4: "[4]", 5: "[3 2]", 6: "[3 3]", 7: "[4 3]"} {
		if got := fmt.Sprint(PlayOff(n)); got != want {
			t.Errorf("%d tied: got %s, want %s", n, got, want)
		}
	}
}

func TestTablesOfTwo(t *testing.T) {
	for n, want := range map[int]string{2: "[2]", 3: "[3]", 4: "[2 2]", 5: "[2 3]", 9: "[2 2 2 3]"} {
		sizes, err := Stage{TableSize: 2}.Seat(n, 2, 4)
		if got := fmt.Sprint(sizes); err != nil || got != want {
			t.Errorf("%d players: got %s, %v, want %s", n, got, err, want)
		}
	}
}

func TestFor(t *testing.T) {
	f, err := Parse([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		n, min, max int
		key         string
	}{
		{4, 2, 4, ""}, {33, 2, 4, ""}, {6, 3, 4, ""},
		{1, 2, 4, "err_players_too_few"}, {5, 2, 4, "err_players_unseatable"},
		{3, 2, 4, "err_cut_above_players"}, {7, 4, 4, "err_table_size"}, {8, 2, 3, "err_table_size"},
		{2, 3, 4, "err_table_size"},
	} {
		err := f.For(row.n, row.min, row.max)
		var p *Problem
		if row.key == "" && err != nil || row.key != "" && (!errors.As(err, &p) || p.Key != row.key) {
			t.Errorf("%d players, tables of %d to %d: got %v, want %q", row.n, row.min, row.max, err, row.key)
		}
	}
}

// shipped maps each shipped format to the numbers of players it is known for, and some that it cannot seat.
var shipped = map[string]struct {
	field string // players in each stage, by number of players
	fails string // why other numbers fail
}{
	"wrc":        {"16: 16 16 4", "12: err_cut_above_players at stages[1].cut"},
	"quick":      {"33: 33 4", "5: err_players_unseatable at "},
	"open":       {"61: 61", "1: err_players_too_few at "},
	"japan-2023": {"32: 32 8 4", "7: err_cut_above_players at stages[1].cut"},
	"kdgame":     {"12: 12 4", "3: err_cut_above_players at stages[1].cut"},
	"kuwana": {"8: 8 4, 12: 12 6, 16: 16 8",
		"10: err_entry_step at players_step, 4: err_entry_few at players_min"},
	"korea-2017":     {"48: 48, 32: 32", "5: err_players_unseatable at "},
	"poland":         {"100: 100 4, 61: 61 4", "104: err_entry_many at players_max"},
	"zory":           {"60: 60 4", "61: err_entry_many at players_max, 11: err_entry_few at players_min"},
	"germany-2024":   {"74: 74", "5: err_players_unseatable at "},
	"wermelskirchen": {"52: 52", "53: err_entry_step at players_step"},
	"belgium":        {"37: 37 8 4", "7: err_entry_few at players_min"},
	"netherlands":    {"200: 200 8", "5: err_entry_few at players_min"},
	"taiwan":         {"32: 32 16, 16: 16 8", "36: err_entry_step at players_step"},
	"czech":          {"20: 20", "5: err_players_unseatable at "},
	"gwinnett": {"24: 24 6 2, 36: 36 9 3, 64: 64 16 4",
		"20: err_entry_few at players_min, 65: err_entry_many at players_max, 100: err_entry_many at players_max"},
	"twipla":     {"27: 27, 9: 9", "5: err_players_unseatable at "},
	"korea-2024": {"48: 48 4", "7: err_entry_few at players_min"},
	"zorawina":   {"61: 61 4", "7: err_entry_few at players_min"},
	"mso":        {"16: 16, 13: 13, 5: 5", "1: err_players_too_few at "},
	"rounds":     {"4: 4, 8: 8", "5: err_players_unseatable at "},
	"invite":     {"4: 4", "5: err_players_unseatable at "},
}

// shippedFormat reads a format of data/formats.
func shippedFormat(t *testing.T, name string) Format {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../data/formats", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNoFieldEndsAtSeveralFinals checks that no shipped format admits a number of players that leads to a final of a
// single game at several tables with nothing carried into it. Only a lot could choose the champion among the winners.
func TestNoFieldEndsAtSeveralFinals(t *testing.T) {
	for name := range shipped {
		f, admitted := shippedFormat(t, name), 0
		last := f.Stages[len(f.Stages)-1]
		for n := 2; n <= 400; n++ {
			players, err := f.Field(n, 2, 4)
			if err != nil {
				var p *Problem
				if !errors.As(err, &p) || p.Key == "" {
					t.Errorf("%s of %d is refused without a reason: %v", name, n, err)
				}
				continue
			}
			admitted++
			if len(players) != len(f.Stages) {
				t.Errorf("%s of %d has %d stages", name, n, len(players))
			}
			if final := players[len(players)-1]; len(f.Stages) > 1 && last.Rounds*last.GamesPerRound == 1 &&
				last.CarryOver == CarryNone && final > 4 {
				t.Errorf("%s of %d ends with %d finalists at several tables", name, n, final)
			}
		}
		if admitted == 0 {
			t.Errorf("%s admits nobody", name)
		}
	}
}

// TestAFinalOfSeveralTables checks that an organizer's own format is refused for such numbers as well, and that the
// refusal names the largest admitted number.
func TestAFinalOfSeveralTables(t *testing.T) {
	for _, row := range []struct {
		change func(*Format)
		n      int
		most   any // nil: the format admits this number
	}{
		{func(*Format) {}, 64, nil}, {func(*Format) {}, 100, 64}, {func(*Format) {}, 400, 64},
		{func(f *Format) { f.Scoring.Ranking = "" }, 100, 64}, // the format's rules rank by lowest points
		{func(f *Format) { f.Scoring.Ranking, f.Scoring.TieBreaks = WinsOnly, []string{TieLot} }, 100, 64},
		{func(f *Format) { f.Scoring.Ranking = WinsPoints }, 100, nil}, // the winners have different points
		{func(f *Format) { f.Scoring.TieBreaks = []string{TiePlayOff, TieLot} }, 100, nil},
		{func(f *Format) { f.Stages[2].Decide = 0 }, 100, nil}, // they share the title
		{func(f *Format) { f.Stages[2].GamesPerRound = 3 }, 100, nil},
		{func(f *Format) { f.Stages[2].CarryOver = CarryAll }, 100, nil},
	} {
		f := shippedFormat(t, "gwinnett")
		f.PlayersMax = 0
		row.change(&f)
		_, err := f.Field(row.n, 2, 4)
		var p *Problem
		switch {
		case row.most == nil && err != nil:
			t.Errorf("%d players, %+v: %v", row.n, f, err)
		case row.most != nil && (!errors.As(err, &p) || p.Key != "err_final_tables" || p.Args["most"] != row.most):
			t.Errorf("%d players, %+v: got %v, want that at most %v can play", row.n, f, err, row.most)
		}
	}
}

func TestShippedFormats(t *testing.T) {
	files, err := filepath.Glob("../../data/formats/*.json")
	if err != nil || len(files) != len(shipped) {
		t.Fatalf("got %d files, %v, want %d", len(files), err, len(shipped))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(data)
			if err != nil || f.Name != name || len(f.Source) < 40 {
				t.Fatalf("got %+v, %v", f, err)
			}
			for _, want := range strings.Split(shipped[name].field+", "+shipped[name].fails, ", ") {
				var n int
				if _, err := fmt.Sscanf(want, "%d:", &n); err != nil {
					t.Fatal(err)
				}
				players, err := f.Field(n, 2, 4)
				got := fmt.Sprintf("%d: %s", n, strings.Trim(fmt.Sprint(players), "[]"))
				var p *Problem
				if errors.As(err, &p) {
					got = fmt.Sprintf("%d: %s at %s", n, p.Key, p.Field)
				}
				if got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
}
