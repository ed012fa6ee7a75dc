package storage

import (
	"path/filepath"
	"testing"
)

// Only a database that is thrown away may forget what it has answered, and has no index that is there to find damage.
func TestOnlyAScratchStoreDoesNotWaitForTheDisk(t *testing.T) {
	const full, off = 2, 0
	for name, c := range map[string]struct {
		open  func(string) (*DB, error)
		want  int
		whole bool
	}{"a store": {Open, full, true}, "a scratch store": {OpenScratch, off, false}} {
		t.Run(name, func(t *testing.T) {
			s, err := c.open(filepath.Join(t.TempDir(), "e.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var synchronous int
			if err := s.WriteSQL.QueryRow("PRAGMA synchronous").Scan(&synchronous); err != nil || synchronous != c.want {
				t.Errorf("synchronous is %d, %v; want %d", synchronous, err, c.want)
			}
			var whole bool
			if err := s.WriteSQL.QueryRow("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name GLOB 'whole_*')").Scan(&whole); err != nil || whole != c.whole {
				t.Errorf("indexes of all that tables hold: %t, %v; want %t", whole, err, c.whole)
			}
		})
	}
}
