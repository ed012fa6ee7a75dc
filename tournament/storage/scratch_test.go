package storage

import (
	"path/filepath"
	"testing"
)

// Only a database that is thrown away may forget what it has answered.
func TestOnlyAScratchStoreDoesNotWaitForTheDisk(t *testing.T) {
	const full, off = 2, 0
	for name, c := range map[string]struct {
		open func(string) (*DB, error)
		want int
	}{"a store": {Open, full}, "a scratch store": {OpenScratch, off}} {
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
		})
	}
}
