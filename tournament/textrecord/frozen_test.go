package textrecord

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/tournament/export"
)

// frozenGame returns a frozen log of the engine's tests as a record: its lines hold kind, version and data.
func frozenGame(t testing.TB, path string) export.Game {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	g := export.Game{Version: export.Version, Game: 7, TournamentID: 1, RoundID: 1, Table: 2, Number: 1,
		Results: []export.Result{}}
	log, _, _ := strings.Cut(string(data), "-- end --")
	for line := range strings.Lines(strings.TrimPrefix(log, "-- log --\n")) {
		part := strings.SplitN(strings.TrimSpace(line), " ", 3)
		e, err := engine.Decode(part[0], 1, []byte(part[2]))
		if err != nil {
			t.Fatal(err)
		}
		if started, ok := e.(engine.GameStarted); ok {
			g.Rules = started.Rules
			for seat := range started.Seats {
				g.Players = append(g.Players, int64(seat+1))
			}
		}
		g.Events = append(g.Events, export.Event{Seq: len(g.Events) + 1, Kind: part[0], Version: 1, At: e.When(),
			Actor: "player:1", Data: []byte(part[2])})
	}
	g.Head = g.ChainHead()
	return g
}

// TestFrozenGames converts the logs that older engines wrote. Their events differ in members, not in lines.
func TestFrozenGames(t *testing.T) {
	var paths []string
	for _, folder := range []string{"games", "before"} {
		found, err := filepath.Glob("../../engine/testdata/" + folder + "/*.txt")
		if err != nil || len(found) == 0 {
			t.Fatalf("no logs in %s, %v", folder, err)
		}
		paths = append(paths, found...)
	}
	var sum Forms
	for _, path := range paths {
		record := frozenGame(t, path).Lines()
		text, forms, err := ToText(record)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if back, err := ToJSON(text, nil); err != nil || !bytes.Equal(back, record) {
			t.Errorf("%s: %v\n%s", path, err, text)
		}
		sum.Short += forms.Short
		sum.Members += forms.Members
		sum.Full += forms.Full
		if testing.Verbose() && forms.Full > 0 {
			t.Log(path, forms)
		}
	}
	t.Logf("%d logs: %+v", len(paths), sum)
}
