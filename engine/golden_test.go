package engine

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/engine/ruleset"
)

// The frozen logs in testdata/games never change. Kinds are permanent: every later engine must read these games and end
// them the same way. The flag -update adds games only for a new kind or ending, and never rewrites one.
var update = flag.Bool("update", false, "freeze games for kinds and endings that no frozen log has")

// frozen is one file: the events, each on a line as "kind version json", and then how the game ended.
type frozen struct {
	name  string
	kinds []string
	log   []Event
	lines [][]byte
	end   string
}

func readFrozen(t *testing.T, path string) frozen {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, end, ok := strings.Cut(string(data), "-- end --\n")
	if !ok {
		t.Fatalf("%s has no end", path)
	}
	game := frozen{name: filepath.Base(path), end: end}
	for line := range strings.Lines(strings.TrimPrefix(text, "-- log --\n")) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		version, body, _ := strings.Cut(rest, " ")
		n := 0
		fmt.Sscan(version, &n)
		e, err := Decode(kind, n, []byte(body))
		if err != nil {
			t.Fatalf("%s: %v", game.name, err)
		}
		game.kinds = append(game.kinds, kind)
		game.log = append(game.log, e)
		game.lines = append(game.lines, []byte(body))
	}
	return game
}

// ending returns what must stay true of a finished game: its end and where every tile is.
func ending(s State) string {
	end, _ := json.MarshalIndent(s.End, "", " ")
	table, _ := s.Table.MarshalText()
	pool, _ := s.Pool.MarshalText()
	return fmt.Sprintf("%s\nevents %d\ntable %s\npool %s\n", end, s.Seq, table, pool)
}

func frozenGames(t *testing.T) (games []frozen) {
	t.Helper()
	paths, err := filepath.Glob("testdata/games/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		games = append(games, readFrozen(t, path))
	}
	return games
}

func TestFrozenGames(t *testing.T) {
	if *update {
		freeze(t)
	}
	met := map[string]bool{}
	for _, game := range frozenGames(t) {
		t.Run(game.name, func(t *testing.T) {
			var s State
			for i, e := range game.log {
				if s = Apply(s, e); i > 0 {
					if err := Check(s); err != nil {
						t.Fatalf("after event %d: %v", i+1, err)
					}
				}
				if lost := lostFields(t, game.lines[i], e); lost != "" {
					t.Fatalf("event %d, %s: field %s of the log is not kept", i+1, e.Kind(), lost)
				}
			}
			if got := ending(s); got != game.end {
				t.Errorf("got\n%s\nwant\n%s", got, game.end)
			}
		})
		for _, what := range features(game.log) {
			met[what] = true
		}
	}
	for _, what := range wanted() {
		if !met[what] {
			t.Errorf("no frozen game has %s: run with -update", what)
		}
	}
}

// lostFields returns the name of a field of a frozen line that the decoded event does not write again, or writes with
// another value.
func lostFields(t *testing.T, line []byte, e Event) string {
	t.Helper()
	now, err := Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	var was, is any
	if json.Unmarshal(line, &was) != nil || json.Unmarshal(now, &is) != nil {
		t.Fatalf("no JSON: %s or %s", line, now)
	}
	return lostIn("", was, is)
}

func lostIn(path string, was, is any) string {
	switch was := was.(type) {
	case map[string]any:
		fields, ok := is.(map[string]any)
		if !ok {
			return path
		}
		for name, value := range was {
			if lost := lostIn(path+"."+name, value, fields[name]); lost != "" {
				return lost
			}
		}
		return ""
	case []any:
		list, ok := is.([]any)
		if !ok || len(list) != len(was) {
			return path
		}
		for i := range was {
			if lost := lostIn(fmt.Sprintf("%s[%d]", path, i), was[i], list[i]); lost != "" {
				return lost
			}
		}
		return ""
	}
	if was != is {
		return path
	}
	return ""
}

// features returns the features in a log that the frozen games together must cover.
func features(log []Event) (found []string) {
	for _, e := range log {
		found = append(found, "the kind "+e.Kind())
		switch e := e.(type) {
		case GameStarted:
			found = append(found, "the rules "+e.Rules.Name)
		case GameEnded:
			found = append(found, "the end "+e.End.Why)
		case RacksCounted:
			found = append(found, fmt.Sprintf("a count of totals %v", len(e.Totals) > 0))
		}
	}
	return found
}

func wanted() []string {
	all := []string{"a count of totals true", "a count of totals false", "the end " + ruleset.EndedEmptied, "the end " +
		ruleset.EndedLastLap, "the end " + ruleset.EndedStuck, "the end " + ruleset.EndedTimeCalled, "the end " +
		ruleset.EndedForfeit}
	for kind := range maps.Keys(kinds) {
		all = append(all, "the kind "+kind)
	}
	for _, rules := range []string{"wrc", "wrc-50", "club", "family", "casual"} {
		all = append(all, "the rules "+rules)
	}
	slices.Sort(all)
	return all
}

// freeze plays seeded games and stores the shortest finished ones that add a feature.
func freeze(t *testing.T) {
	met := map[string]bool{}
	for _, game := range frozenGames(t) {
		for _, what := range features(game.log) {
			met[what] = true
		}
	}
	var logs [][]Event
	for seed := range 300 {
		g := playGame(t, seeded{rand.New(rand.NewSource(int64(1000 + seed)))}, allPresets(t), map[string]int{}, 260)
		if g.state.Phase == PhaseOver && len(g.log) > 20 {
			logs = append(logs, g.log)
		}
	}
	for seed := range 300 {
		g := playPhysical(t, seeded{rand.New(rand.NewSource(int64(1000 + seed)))}, allPresets(t), map[string]int{}, 260)
		if g.state.Phase == PhaseOver && len(g.log) > 20 {
			logs = append(logs, g.log)
		}
	}
	slices.SortStableFunc(logs, func(a, b []Event) int { return len(a) - len(b) })
	for _, log := range logs {
		fresh := slices.ContainsFunc(features(log), func(what string) bool { return !met[what] })
		if !fresh {
			continue
		}
		for _, what := range features(log) {
			met[what] = true
		}
		writeFrozen(t, log)
	}
}

func writeFrozen(t *testing.T, log []Event) {
	t.Helper()
	s := Replay(log)
	text := bytes.NewBufferString("-- log --\n")
	for _, e := range log {
		data, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(text, "%s %d %s\n", e.Kind(), EventVersion, data)
	}
	fmt.Fprintf(text, "-- end --\n%s", ending(s))
	path := fmt.Sprintf("testdata/games/%s-%s-%d.txt", s.Rules.Name, s.End.Why, len(log))
	if s.Physical {
		path = fmt.Sprintf("testdata/games/real-tiles-%s-%s-%d.txt", s.Rules.Name, s.End.Why, len(log))
	}
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		version    int
		data       string
	}{
		{"an unknown kind", "tile_eaten", 1, "{}"},
		{"a version of the future", "tile_drawn", 2, "{}"},
		{"a version 0", "tile_drawn", 0, "{}"},
		{"a tile that is none", "tile_drawn", 1, `{"tile":"R14"}`},
		{"half a line", "tile_drawn", 1, `{"tile":"R1`},
		{"a wrong type", "tile_drawn", 1, `{"seat":"A"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e, err := Decode(c.kind, c.version, []byte(c.data)); err == nil {
				t.Errorf("read as %+v", e)
			}
		})
	}
}
