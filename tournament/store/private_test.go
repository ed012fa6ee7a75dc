package store

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestFilesAreTheOwnersAlone checks that only the user who runs the program can read the database, SQLite's files
// beside it, and copies.
func TestFilesAreTheOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no such rights there")
	}
	folder := t.TempDir()
	s, err := OpenAlone(filepath.Join(folder, "hall.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.Backup(t.Context(), filepath.Join(folder, "copy.db")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"hall.db", "hall.db-wal", "hall.db-shm", "copy.db"} {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
