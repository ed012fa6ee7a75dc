package main

import (
	"context"
	"io"
	"os"
	"testing"

	"meldhall/cmd/internal/torn"
	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// TestTorn truncates and damages the files of a killed program, as meldbench torn does more often. A file that opens
// holds exactly the commits before the damage, or verify finds the damage; otherwise it is refused.
func TestTorn(t *testing.T) {
	testmode.SkipUnderRace(t)
	t.Setenv("MELDHALL_BE_PROGRAM", "1")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path, err := torn.Leave(t.Context(), exe, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file, err := torn.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(file.Facts())
	rig := torn.Rig{File: file, Dir: t.TempDir(), Seed: 1, Verify: func(ctx context.Context, path string) error {
		db, err := store.Open(path)
		if err != nil {
			return err
		}
		defer db.Close()
		games, err := export.GameIDs(ctx, db)
		if err == nil {
			err = verifyFile(ctx, io.Discard, db)
		}
		if err == nil {
			err = verifyGames(ctx, io.Discard, db, games)
		}
		return err
	}}
	counts, err := rig.All(t.Context(), 15)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		t.Log(c)
		if c.Kind != torn.FileFlipped && c.Refused+c.Found > 0 {
			t.Errorf("%s: what had been committed before was not opened", c.Kind)
		}
		for _, wrong := range c.Wrong {
			t.Errorf("%s: not what was committed, and nothing said so: %s", c.Kind, wrong)
		}
	}
}
