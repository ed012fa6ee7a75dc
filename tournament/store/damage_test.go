package store

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/engine/testmode"
)

// TestDamageIsFound checks that a server does not open a damaged file and leaves it unchanged, and that the error names
// the newest intact copy.
func TestDamageIsFound(t *testing.T) {
	testmode.SkipUnderRace(t)
	exec := func(query string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			s, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.WriteSQL.Exec(query)
			if err := errors.Join(err, s.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	overwrite := func(from int, with string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			copy(content[from:], with)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, path string)
		fault  string
	}{
		{"an index that keeps keys unique", exec(`DROP INDEX game_events_cmd`), "the index game_events_cmd is missing"},
		{"a trigger", exec(`DROP TRIGGER game_events_no_update`), "the trigger game_events_no_update is missing"},
		{"a table", exec(`ALTER TABLE heartbeat ADD COLUMN more INTEGER`),
			"the table heartbeat is not as this program makes it"},
		{"a page", overwrite(3*4096, strings.Repeat("\x7f", 200)), "page 4"},
		{"the header", overwrite(0, "PK\x03\x04"), "not a database"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "meldhall.db")
			s, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			backups := filepath.Join(filepath.Dir(path), "backups")
			older, newer := filepath.Join(backups, "older.db"), filepath.Join(backups, "newer.db")
			err = errors.Join(os.Mkdir(backups, 0o700), s.Backup(context.Background(), older),
				s.Backup(context.Background(), newer), s.Close())
			if err != nil {
				t.Fatal(err)
			}
			overwrite(3*4096, strings.Repeat("\x7f", 200))(t, newer)
			c.damage(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var refused *DamagedError
			if s, err := OpenAlone(path); !errors.As(err, &refused) {
				t.Fatalf("opened: %v, %v", err, s.Close())
			}
			if !strings.Contains(refused.Fault, c.fault) || refused.Copy != older ||
				!strings.Contains(refused.Error(), older) {
				t.Errorf("got %+v; want the fault %q, the copy %q", refused, c.fault, older)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the damaged file was written to, %v", err)
			}
		})
	}
	t.Run("of an older program, with commits that are not in the file yet", func(t *testing.T) { olderWithCommits(t) })
	t.Run("without a copy", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "meldhall.db")
		if err := os.WriteFile(path, []byte(strings.Repeat("Not a database. ", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenAlone(path); err == nil || !strings.Contains(err.Error(), "no intact copy") {
			t.Errorf("got %v", err)
		}
	})
}

// olderWithCommits opens a file written by an older version of the program. Its last commits are only in the
// write-ahead log.
func olderWithCommits(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "[hall] 1")
	path, backups := filepath.Join(folder, "meldhall.db"), filepath.Join(folder, "backups")
	if err := os.MkdirAll(backups, 0o700); err != nil {
		t.Fatal(err)
	}
	good, broken, empty := filepath.Join(backups, "meldhall-1.db"), filepath.Join(backups, "broken.db"),
		filepath.Join(backups, "empty.db")
	db := writeOlder(t, path, 18, "VACUUM INTO '"+good+"'", "DROP INDEX game_events_cmd", "VACUUM INTO '"+broken+"'",
		"CREATE INDEX game_events_cmd ON game_events (game_id, substr(cmd_id, 1, 16)) WHERE cmd_id IS NOT NULL",
		"VACUUM INTO '"+filepath.Join(backups, "club-1.db")+"'", "DROP INDEX game_events_cmd",
		"PRAGMA journal_mode(wal)", "INSERT INTO heartbeat (id, at) VALUES (1, 5) ON CONFLICT DO UPDATE SET at = 5")
	crashed := map[string][]byte{}
	for _, name := range []string{path, path + "-wal"} {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		crashed[name] = content
	}
	err := errors.Join(db.Close(), os.WriteFile(path, crashed[path], 0o600),
		os.WriteFile(path+"-wal", crashed[path+"-wal"], 0o600), os.WriteFile(empty, nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	var refused *DamagedError
	if s, err := OpenAlone(path); !errors.As(err, &refused) {
		t.Fatalf("opened: %v, %v", err, s.Close())
	}
	if refused.Fault != "the index game_events_cmd is missing" || refused.Copy != good {
		t.Errorf("got %+v, want the copy %s", refused, good)
	}
	for name, before := range crashed {
		if after, err := os.ReadFile(name); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s was written to, %v", name, err)
		}
	}
}
