package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOnlyAScratchStoreDoesNotWaitForTheDisk checks that only a temporary database may lose acknowledged writes and
// lacks the indexes for finding damage.
func TestOnlyAScratchStoreDoesNotWaitForTheDisk(t *testing.T) {
	const full, off = 2, 0
	for name, c := range map[string]struct {
		open  func(string) (*DB, error)
		want  int
		whole bool
	}{"a store": {Open, full, true}, "a scratch store": {OpenScratch, off, false},
		"a store in memory": {func(string) (*DB, error) { return OpenMemory() }, off, false}} {
		t.Run(name, func(t *testing.T) {
			s, err := c.open(filepath.Join(t.TempDir(), "e.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var synchronous int
			if err := s.WriteSQL.QueryRow("PRAGMA synchronous").Scan(&synchronous); err != nil ||
				synchronous != c.want {
				t.Errorf("synchronous is %d, %v; want %d", synchronous, err, c.want)
			}
			var whole bool
			if err := s.WriteSQL.QueryRow("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name GLOB 'whole_*')").Scan(&whole); err != nil || whole != c.whole {
				t.Errorf("indexes of all that tables hold: %t, %v; want %t", whole, err, c.whole)
			}
		})
	}
}

// TestInMemory checks that readers see an in-memory database, that it is private, and that it is in no file.
func TestInMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	open := func() *DB {
		s, err := OpenMemory()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return s
	}
	one, other := open(), open()
	if _, err := one.WriteSQL.Exec("INSERT INTO organizations (name, slug, created_at) VALUES ('Hall', 'hall', 1)"); err != nil {
		t.Fatal(err)
	}
	for s, want := range map[*DB]int{one: 1, other: 0} {
		var n int
		if err := s.ReadSQL.QueryRow("SELECT count(*) FROM organizations WHERE slug = 'hall'").Scan(&n); err != nil ||
			n != want {
			t.Errorf("%d halls, %v; want %d", n, err, want)
		}
	}
	if files, err := os.ReadDir("."); err != nil || len(files) > 0 {
		t.Errorf("files %v, %v", files, err)
	}
}
