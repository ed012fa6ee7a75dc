package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"meldhall/engine/testmode"
)

// The write-ahead log grows during a long read and is truncated when the read has ended.
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
		if _, err := s.WriteSQL.Exec(`INSERT INTO audit (at, actor, action, subject, before, after, why)
			VALUES (1, 'a', 'b', '', '', '', $1)`, strings.Repeat("x", bytes)); err != nil {
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

// A long read continues while the write-ahead log is short. It is aborted once it makes the log exceed its limit, so
// that the log stops growing.
func TestALongReaderGivesWay(t *testing.T) {
	testmode.SkipUnlessLong(t)
	path := filepath.Join(t.TempDir(), "long.db")
	s, err := OpenScratch(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	reads, began := make(chan error, 1), make(chan bool)
	go func() {
		reads <- s.Snapshot(t.Context(), func(db *gorm.DB) error {
			var n int64
			if err := db.Raw("SELECT count(*) FROM audit").Scan(&n).Error; err != nil {
				return err
			}
			close(began)
			for { // one short query after another
				if err := db.Raw("SELECT count(*) FROM audit").Scan(&n).Error; err != nil {
					return err
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}()
	<-began
	started, most := time.Now(), int64(0)
	for ended := false; !ended; {
		if _, log := s.Bytes(); log <= walMost+8<<20 { // an upper limit only: the speed of the disk does not matter
			if _, err := s.WriteSQL.Exec(`INSERT INTO audit (at, actor, action, subject, before, after, why)
				VALUES (1, 'a', 'b', '', '', '', $1)`, strings.Repeat("x", 4<<20)); err != nil {
				t.Fatal(err)
			}
		}
		_, log := s.Bytes()
		most = max(most, log)
		select {
		case err := <-reads:
			if !IsFailing(err) {
				t.Errorf("the reader ended with %v", err)
			}
			ended = true
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Logf("he gave way after %v, when the log had %d MiB", time.Since(started).Round(time.Millisecond), most>>20)
	for range 3 {
		if _, err := s.WriteSQL.Exec(`INSERT INTO heartbeat (id, at) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET at = at + 1`); err != nil {
			t.Fatal(err)
		}
	}
	if _, log := s.Bytes(); log > walMost {
		t.Errorf("afterwards %d MiB are kept, want at most %d", log>>20, walMost>>20)
	}
}

// TestLogOfWritesIsCopiedBesideThoseWhoWrite checks that data is copied into the file in parallel with the writers, and
// that the WAL restarts long before a commit would have to do it.
func TestLogOfWritesIsCopiedBesideThoseWhoWrite(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), "copied.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	write := func(bytes int) {
		if err := s.Tx(t.Context(), func(tx *gorm.DB) error {
			return tx.Exec(`INSERT INTO audit (at, actor, action, subject, before, after, why) VALUES (1, 'a', 'b', '', '', '', ?)`, strings.Repeat("x", bytes)).Error
		}); err != nil {
			t.Fatal(err)
		}
	}
	inLog := func() (pages, copied int) {
		if pages, copied, err = checkpoint(t.Context(), s.ReadSQL, "NOOP"); err != nil {
			t.Fatal(err)
		}
		return pages, copied
	}
	const many = walDue / 8 * 4096
	begun, written := 0, 0
	for before, tries := 0, 0; begun < 2; tries++ {
		if written < 3*walFull*4096 { // more than needed; commits alone would restart it once
			write(many)
			written += many
		} else if write(1); tries > 2000 {
			t.Fatalf("%d MiB were written, and the log of writes began anew %d times", written>>20, begun)
		} else {
			time.Sleep(10 * time.Millisecond)
		}
		pages, copied := inLog()
		if pages < before {
			begun++
		}
		if before = pages; pages-copied > walMost/walPage {
			t.Fatalf("%d of %d pages wait to be copied", pages-copied, pages)
		}
	}
	var rows int
	if err := s.ReadSQL.QueryRow("SELECT count(*) FROM audit WHERE length(why) = $1", many).Scan(&rows); err != nil ||
		rows != written/many {
		t.Errorf("there are %d rows (%v) of %d", rows, err, written/many)
	}
}
