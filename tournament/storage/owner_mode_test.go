package storage

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestTheLockIsTheOwnersAlone: the file of the lock, which says who has the database and how far it was served, is read by its owner alone,
// also one that an older program left readable.
func TestTheLockIsTheOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	path := filepath.Join(t.TempDir(), "hall.db")
	for _, older := range []bool{false, true} {
		if older {
			if err := os.Chmod(path+".lock", 0o644); err != nil {
				t.Fatal(err)
			}
		}
		store, err := OpenAlone(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path + ".lock")
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("left by an older program %v: %v, %v", older, info.Mode(), err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
