package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
)

// logIn reads a log of engine/testdata.
func logIn(t *testing.T, path string) (log []engine.Event) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(string(data), "-- log --\n"), "-- end --\n")
	for line := range strings.Lines(text) {
		var version int
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, body, _ := strings.Cut(rest, " ")
		fmt.Sscan(number, &version)
		e, err := engine.Decode(kind, version, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, e)
	}
	return log
}

// asNow sets the edition of a log to the current one.
func asNow(log []engine.Event) []engine.Event {
	log = slices.Clone(log)
	started := log[0].(engine.GameStarted)
	started.Edition = engine.Edition
	log[0] = started
	return log
}

// unseen lists logs with rulings that did not add up in the engine's state, but not in anything that the log says.
var unseen = []string{"08-right-to-a-redeal.txt", "09-forfeit-and-rewind.txt", "10-waived-and-taken-back.txt"}

// TestFaultsAreFound checks that rulings in old logs that did not add up are found under the current edition, while the
// logs pass under their own.
func TestFaultsAreFound(t *testing.T) {
	paths, err := filepath.Glob("../testdata/before/*.txt")
	if err != nil || len(paths) < 10 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		log := logIn(t, path)
		if err := Log(log); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
		err := Log(asNow(log))
		if (err == nil) != slices.Contains(unseen, filepath.Base(path)) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

// forged returns a log in which the first event of a type is changed.
func forged[E engine.Event](t *testing.T, change func(*E)) []engine.Event {
	t.Helper()
	paths, err := filepath.Glob("../testdata/games/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		log := asNow(logIn(t, path))
		if Log(log) != nil {
			continue
		}
		for i, e := range log {
			if one, ok := e.(E); ok {
				change(&one)
				log[i] = any(one).(engine.Event)
				return log
			}
		}
	}
	t.Fatalf("no game has such an event")
	return nil
}

func TestForgeriesAreFound(t *testing.T) {
	for name, log := range map[string][]engine.Event{
		"another tile drawn": forged(t,
			func(e *engine.TileDrawn) { e.Tile = slices.Clone(e.Tile); e.Tile[0] ^= 1 }),
		"a turn out of order": forged(t, func(e *engine.TileDrawn) { e.Turn.Seat = (e.Turn.Seat + 1) % 2 }),
		"a deadline moved":    forged(t, func(e *engine.TileDrawn) { e.Turn.Due += 1000 }),
		"a rack that keeps a tile": forged(t, func(e *engine.TilesPlayed) {
			e.Rack = append(slices.Clone(e.Rack),
				e.Played[0])
		}),
		"points": forged(t, func(e *engine.GameEnded) {
			e.End.Outcome.Points = slices.Clone(e.End.Outcome.Points)
			e.End.Outcome.Points[0]++
		}),
		"another end":         forged(t, func(e *engine.GameEnded) { e.End.Why = "tired" }),
		"fewer penalty tiles": forged(t, func(e *engine.TurnExpired) { e.Tiles = nil; e.Count++ }),
	} {
		if err := Log(log); err == nil {
			t.Errorf("%s is taken for true", name)
		}
	}
}
