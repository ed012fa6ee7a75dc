package main

import (
	"context"
	"io"
	"os"
	"testing"

	"meldhall/cmd/internal/torn"
	"meldhall/engine/testmode"
	"meldhall/tournament/export"
	"meldhall/tournament/storage"
)

// TestTorn cuts and damages what a killed program has left, as meldbench torn does more often: what opens is what had been
// committed up to the damage, row by row, or it is refused, or verify finds it.
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
		store, err := storage.Open(path)
		if err != nil {
			return err
		}
		defer store.Close()
		games, err := export.GameIDs(ctx, store)
		if err == nil {
			err = verifyFile(ctx, io.Discard, store)
		}
		if err == nil {
			err = verifyGames(ctx, io.Discard, store, games)
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
