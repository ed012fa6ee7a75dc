//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheLockIsTheOwnersAlone checks that only its owner can read the lock file, which names the process that serves
// the database. That includes a file that an older version of the program left readable.
func TestTheLockIsTheOwnersAlone(t *testing.T) {
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
