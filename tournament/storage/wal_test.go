package storage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The log of writes grows while somebody reads for long, and is cut off when he has ended (faults.md 7).
func TestLogOfWritesIsCutOffAfterALongReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.db")
	s, err := OpenScratch(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	size := func() int64 {
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	write := func(bytes int) {
		if _, err := s.WriteSQL.Exec(`INSERT INTO audit (at, actor, action, subject, before, after, why) VALUES (1, 'a', 'b', '', '', '', ?)`, strings.Repeat("x", bytes)); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := s.ReadSQL.Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reader.QueryRow("SELECT count(*) FROM audit").Scan(&n); err != nil {
		t.Fatal(err)
	}
	for size() <= walMost+8<<20 {
		write(4 << 20)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		write(1)
	}
	if size() > walMost {
		t.Errorf("after the reader has ended %d MiB are kept, want at most %d", size()>>20, walMost>>20)
	}
}
