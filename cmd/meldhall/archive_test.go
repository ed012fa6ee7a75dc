package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine/testmode"
)

// TestArchiveFromMachineToMachine moves a whole tournament to another machine in one file, which can be checked without
// anything else.
func TestArchiveFromMachineToMachine(t *testing.T) {
	testmode.SkipUnderRace(t)
	dir := t.TempDir()
	db, other := filepath.Join(dir, "event.db"), filepath.Join(dir, "other.db")
	simulated(t, simulateCmd{Players: 8, Format: "quick", Rules: "wrc", Seed: 2, Workers: 2, DB: db})
	archived := func(name, db string) []byte {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := (exportCmd{To: file, Event: 1, DB: db}).Run(); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	verified := func(name string, want string) {
		t.Helper()
		var out bytes.Buffer
		err := verifyGiven(t.Context(), &out, filepath.Join(dir, name), trusting{})
		if !strings.HasPrefix(out.String(), want) || (err == nil) != strings.HasPrefix(want, "archive: ok") {
			t.Errorf("%s: %v: %s", name, err, out.String())
		}
	}
	data := archived("a.zip", db)
	if !bytes.Equal(data, archived("b.zip", db)) {
		t.Error("two archives of one event differ")
	}
	verified("a.zip", "archive: ok: Simulation: 8 players")
	if err := (exportCmd{To: filepath.Join(dir, "a.zip"), Event: 1, DB: db}).Run(); err == nil {
		t.Error("a file that is there was overwritten")
	}
	changed := bytes.Clone(data)
	changed[len(changed)/2] ^= 1
	if err := os.WriteFile(filepath.Join(dir, "changed.zip"), changed, 0o600); err != nil {
		t.Fatal(err)
	}
	verified("changed.zip", "archive: FAILED: “")

	for _, c := range []importCmd{{File: filepath.Join(dir, "a.zip"), Preview: true, DB: other},
		{File: filepath.Join(dir, "a.zip"), DB: other}} {
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
	}
	if err := (importCmd{File: filepath.Join(dir, "b.zip"), DB: other}).Run(); err == nil {
		t.Error("it was imported twice")
	}
	if err := (verifyCmd{All: true, DB: other}).Run(); err != nil {
		t.Errorf("the other machine: %v", err)
	}
	archived("c.zip", other)
	verified("c.zip", "archive: ok: Simulation: 8 players")
}
