package main

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestForgedDatabases checks that the hash chains reveal a forged database whose triggers were dropped and whose
// checksums were recomputed, and that verify names the reason. If all hashes were recomputed as well, the head differs
// from the published one.
func TestForgedDatabases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "event.db")
	simulated(t, simulateCmd{Players: 4, Format: "quick", Rules: "wrc", Seed: 11, Workers: 2, DB: path})
	published := headIn(t, path)
	const moved = `UPDATE game_events SET actor = iif(actor = 'player:2', 'player:3', 'player:2')
		WHERE game_id = 1 AND seq = 9`
	for _, c := range []struct {
		name  string
		forge []string
		chain bool // recompute the log's hash chain
		named string
	}{
		{"an event in the middle of a log", []string{"DELETE FROM game_events WHERE game_id = 1 AND seq = 9"}, false,
			"game 1: event 9 of the log is missing"},
		{"the same, with the others moved up", []string{"DELETE FROM game_events WHERE game_id = 1 AND seq = 9",
			"UPDATE game_events SET seq = seq - 1 WHERE game_id = 1 AND seq > 9"}, false,
			"game 1: event 9 of the log does not have the hash"},
		{"the end of a log", []string{"DELETE FROM game_events WHERE game_id = 1 AND seq > 9"}, false,
			"game 1: the log does not end"},
		{"a whole log", []string{"DELETE FROM game_events WHERE game_id = 1"}, false, "game 1: the log is missing"},
		{"a record in the middle",
			[]string{`DELETE FROM audit WHERE id = (SELECT id FROM audit WHERE tournament_id = 1
				ORDER BY id LIMIT 1 OFFSET 2)`}, false, "record 3 of event 1"},
		{"the last record",
			[]string{"DELETE FROM audit WHERE id = (SELECT max(id) FROM audit WHERE tournament_id = 1)"}, false,
			"the records of event 1"},
		{"a changed move", []string{moved}, false, "game 1: event 9 of the log does not have the hash"},
		{"a changed move with the hashes after it", []string{moved}, true, "game 1: the log does not end"},
	} {
		forged := copied(t, path)
		forge(t, forged, c.forge, c.chain)
		var out bytes.Buffer
		db, err := store.Open(forged)
		if err != nil {
			t.Fatal(err)
		}
		if err := verifyFile(t.Context(), &out, db); err == nil || !strings.Contains(out.String(), c.named) {
			t.Errorf("%s: %v, %s", c.name, err, out.String())
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	all := copied(t, path)
	forge(t, all, []string{moved}, true,
		`UPDATE games SET head = (SELECT chain FROM game_events WHERE game_id = 1 ORDER BY seq DESC LIMIT 1)
			WHERE id = 1`)
	if head := headIn(t, all); head == published {
		t.Error("a log with all its hashes recomputed has the published head")
	}
}

func copied(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "forged.db")
	if err := store.CopyFile(path, to); err != nil {
		t.Fatal(err)
	}
	return to
}

// forge changes rows without triggers and recomputes the checksums and, if chain is set, the hashes of the logs. The
// heads stored with the games stay unchanged.
func forge(t *testing.T, path string, statements []string, chain bool, after ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	run := func(statement string, values ...any) {
		if _, err := db.Exec(statement, values...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, trigger := range []string{"game_events_no_update", "game_events_no_delete", "audit_no_update",
		"audit_no_delete"} {
		var definition string
		if err := db.QueryRow(`SELECT sql FROM sqlite_schema WHERE name = ?`, trigger).Scan(&definition); err != nil {
			t.Fatal(err)
		}
		run("DROP TRIGGER " + trigger)
		defer run(definition)
	}
	for _, statement := range statements {
		run(statement)
	}
	storetest.Resum(t, db)
	if chain {
		run(`CREATE TEMP TABLE heads AS SELECT id, head FROM games`)
		if err := store.ChainAll(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		run(`UPDATE games SET head = (SELECT head FROM heads WHERE heads.id = games.id)`)
	}
	for _, statement := range after {
		run(statement)
	}
}

// headIn returns the head of the tournament in a file, as printed by verify.
func headIn(t *testing.T, path string) string {
	t.Helper()
	db, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var out bytes.Buffer
	if err := verifyFile(t.Context(), &out, db); err != nil {
		t.Fatal(err, out.String())
	}
	found := regexp.MustCompile(`event 1: head ([0-9a-f]{64})\n`).FindStringSubmatch(out.String())
	if found == nil {
		t.Fatal(out.String())
	}
	return found[1]
}
