package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"meldhall/engine"
	"meldhall/engine/testmode"
	"meldhall/engine/tile"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// playedGames returns the exported games of a small tournament.
func playedGames(t *testing.T) []export.Game {
	t.Helper()
	db := filepath.Join(t.TempDir(), "event.db")
	simulated(t, simulateCmd{Players: 8, Format: "quick", Rules: "wrc", Seed: 11, Workers: 2, DB: db})
	s, err := store.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	games := gamesOf(t, s)
	if len(games) != 10 {
		t.Fatalf("got %d games, want 10", len(games))
	}
	return games
}

// gamesOf returns all games of a database, exported.
func gamesOf(t *testing.T, db *store.DB) []export.Game {
	t.Helper()
	ids, err := export.GameIDs(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	games := make([]export.Game, len(ids))
	for i, id := range ids {
		if games[i], err = export.OfGame(t.Context(), db, id); err != nil {
			t.Fatal(err)
		}
	}
	return games
}

// changed returns a copy of a game with one event changed.
func changed[E engine.Event](t *testing.T, g export.Game, change func(*E) bool) export.Game {
	t.Helper()
	g.Events = slices.Clone(g.Events)
	for i, row := range g.Events {
		e, err := engine.Decode(row.Kind, row.Version, row.Data)
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := e.(E); ok && change(&e) {
			if g.Events[i].Data, err = engine.Encode(e); err != nil {
				t.Fatal(err)
			}
			return g
		}
	}
	t.Fatalf("no event of type %T to change", *new(E))
	return g
}

func TestVerifyFindsWhatWasChanged(t *testing.T) {
	testmode.SkipUnderRace(t)
	games := playedGames(t)
	for _, g := range games {
		if _, err := export.Verify(g); err != nil {
			t.Fatalf("game %d as it was played: %v", g.Game, err)
		}
	}
	g := games[0]
	other := func(tiles tile.List) { // replaces the first tile with one of another face
		tiles[0] = tile.Of((tiles[0].Face()+1)%tile.Joker, tiles[0].Copy())
	}
	for name, forged := range map[string]export.Game{
		"a changed tile drawn":      changed(t, g, func(e *engine.TileDrawn) bool { other(e.Tile); return true }),
		"a missing event":           cut(g, 20, 21),
		"a missing last event":      cut(g, len(g.Events)-1, len(g.Events)),
		"a missing end, renumbered": renumbered(cut(g, 20, 21)),
		"two events in the other order": func() export.Game {
			c := cut(g, 0, 0)
			c.Events[20], c.Events[21] = c.Events[21], c.Events[20]
			return renumbered(c)
		}(),
		"points of the result":   resultOf(g, func(r *export.Result) { r.Lines[0].Points += 12 }),
		"wins of the result":     resultOf(g, func(r *export.Result) { r.Lines[0].Wins += 12 }),
		"a player of the result": resultOf(g, func(r *export.Result) { r.Lines[0].Player = r.Lines[1].Player }),
		"the rack of the result": resultOf(g, func(r *export.Result) { r.Lines[0].Tiles += " J J" }),
		"no result":              func() export.Game { c := g; c.Results = nil; return c }(),
		"an unexplained correction": func() export.Game {
			c := resultOf(g, func(r *export.Result) {})
			last := c.Results[len(c.Results)-1]
			last.Rev++
			last.Lines = slices.Clone(last.Lines)
			last.Lines[0].Points += 12
			c.Results = append(c.Results, last)
			return c
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := export.Verify(forged); err == nil {
				t.Error("it was not found")
			} else {
				t.Log(err.Error()[:min(len(err.Error()), 120)])
			}
		})
	}
}

func cut(g export.Game, from, to int) export.Game {
	g.Events = slices.Delete(slices.Clone(g.Events), from, to)
	return g
}

func renumbered(g export.Game) export.Game {
	for i := range g.Events {
		g.Events[i].Seq = i + 1
	}
	return g
}

func resultOf(g export.Game, change func(*export.Result)) export.Game {
	g.Results = slices.Clone(g.Results)
	g.Results[0].Lines = slices.Clone(g.Results[0].Lines)
	change(&g.Results[0])
	return g
}

func TestVerifyReadsAnExportedFile(t *testing.T) {
	g := playedGames(t)[0]
	write := func(g export.Game) string {
		data, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "game.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Run("as it was played", func(t *testing.T) {
		if err := (verifyCmd{File: write(g)}).Run(); err != nil {
			t.Error(err)
		}
	})
	t.Run("a running game is no whole one", func(t *testing.T) {
		short := cut(g, len(g.Events)/2, len(g.Events))
		short.Results, short.Signed, short.Head = nil, nil, short.ChainHead()
		if err := (verifyCmd{File: write(short)}).Run(); err == nil || !strings.Contains(err.Error(), "ends before") {
			t.Errorf("got %v, want that the log ends too early", err)
		}
		if err := reportGame(io.Discard, short, false); err != nil {
			t.Errorf("of a database: %v", err)
		}
	})
	t.Run("a version from the future is refused", func(t *testing.T) {
		g.Version++
		if err := (verifyCmd{File: write(g)}).Run(); err == nil || !strings.Contains(err.Error(), "version") {
			t.Errorf("got %v, want a refusal of the version", err)
		}
	})
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	db, copied := filepath.Join(dir, "event.db"), filepath.Join(dir, "copy.db")
	simulated(t, simulateCmd{Players: 8, Format: "quick", Rules: "wrc", Seed: 2, Workers: 2, DB: db})
	if err := (backupCmd{To: copied, DB: db}).Run(); err != nil {
		t.Fatal(err)
	}
	if err := (verifyCmd{All: true, DB: copied}).Run(); err != nil {
		t.Errorf("the copy: %v", err)
	}
	t.Run("only its owner may read the copy", func(t *testing.T) {
		info, err := os.Stat(copied)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v %v, want 0600", info.Mode(), err)
		}
	})
	t.Run("a file that is there is not overwritten", func(t *testing.T) {
		before, _ := os.ReadFile(copied)
		if err := (backupCmd{To: copied, DB: db}).Run(); err == nil {
			t.Error("it was overwritten")
		}
		if after, _ := os.ReadFile(copied); !bytes.Equal(before, after) {
			t.Error("the file has changed")
		}
	})
	t.Run("a database that is not there is not made", func(t *testing.T) {
		missing := filepath.Join(dir, "missing.db")
		if err := (backupCmd{To: filepath.Join(dir, "b.db"), DB: missing}).Run(); err == nil {
			t.Error("got no error")
		}
		if _, err := os.Stat(missing); err == nil {
			t.Error("an empty database was made")
		}
	})
}
