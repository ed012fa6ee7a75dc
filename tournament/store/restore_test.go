package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noted opens a database, adds a note to it, and returns all notes.
func noted(t *testing.T, path, word string) []string {
	t.Helper()
	s, err := OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if word != "" {
		if _, err := s.WriteSQL.Exec(`INSERT INTO backups (at, file, bytes) VALUES (1, $1, 1)`, word); err != nil {
			t.Fatal(err)
		}
	}
	all, err := All[BackupCopy](s.Read.Order("id"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, b := range all {
		words = append(words, b.File)
	}
	return words
}

func copyOf(t *testing.T, path, to string) {
	t.Helper()
	s, err := Open(path)
	if err == nil {
		_, err = s.CopyTo(t.Context(), to)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestRestore checks that a copy replaces the database and stays in place, that the previous database is kept complete,
// and that a new epoch starts.
func TestRestore(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "hall.db"), filepath.Join(folder, "stick", "copy.db")
	if err := os.Mkdir(filepath.Dir(copied), 0o700); err != nil {
		t.Fatal(err)
	}
	noted(t, path, "before")
	copyOf(t, path, copied)
	noted(t, path, "after")
	epoch := func() string {
		s, err := OpenAlone(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		return s.Epoch.Name
	}
	was := epoch()
	bytes, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	done, err := Restore(t.Context(), copied, path)
	if err != nil {
		t.Fatal(err)
	}
	if words := noted(t, path, ""); len(words) != 1 || words[0] != "before" {
		t.Errorf("restored is %q", words)
	}
	if epoch() == was {
		t.Error("the same epoch goes on")
	}
	if again, err := os.ReadFile(copied); err != nil || string(again) != string(bytes) {
		t.Errorf("the copy was changed: %v", err)
	}
	if words := noted(t, done.Kept, ""); len(words) != 2 || words[1] != "after" ||
		filepath.Dir(done.Kept) != filepath.Join(folder, Backups) {
		t.Errorf("kept in %s is %q", done.Kept, words)
	}
	if left, err := filepath.Glob(path + unfinished + "*"); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}

// TestRestoreInPlaceOfWhatIsDamagedOrGone checks that a database that cannot be opened is kept unchanged with its
// write-ahead log, and that a missing one leaves nothing to keep.
func TestRestoreInPlaceOfWhatIsDamagedOrGone(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "hall.db"), filepath.Join(folder, "copy.db")
	noted(t, path, "before")
	copyOf(t, path, copied)
	for name, text := range map[string]string{path: "no database at all", path + "-wal": "nor a log"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	done, err := Restore(t.Context(), copied, path)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(done.Kept); err != nil || string(text) != "no database at all" {
		t.Errorf("kept is %q, %v", text, err)
	}
	if words := noted(t, path, ""); len(words) != 1 {
		t.Errorf("restored is %q", words)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if done, err := Restore(t.Context(), copied, path); err != nil || done.Kept != "" {
		t.Errorf("where there was none: %+v, %v", done, err)
	}
	if words := noted(t, path, ""); len(words) != 1 {
		t.Errorf("restored is %q", words)
	}
}

// TestRestoreRefuses checks that an incomplete copy, one of a newer program, and the database itself are rejected, as
// is a database in use. Nothing has changed then.
func TestRestoreRefuses(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "hall.db"), filepath.Join(folder, "copy.db")
	noted(t, path, "before")
	copyOf(t, path, copied)
	change := func(name, sql string) func(string) {
		return func(file string) {
			copyOf(t, path, file)
			s, err := Open(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.WriteSQL.Exec(sql); err != nil {
				t.Fatal(name, err)
			}
			s.Close()
		}
	}
	write := func(text string) func(string) {
		return func(file string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		make func(file string)
		want string
	}{
		"text":    {write("this is text, and has nothing of a database"), "not a database"},
		"empty":   {write(""), "is not a copy of a database"},
		"missing": {func(string) {}, "no such file"},
		"newer": {change("newer", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)`),
			"newer than this program"},
		"another's":   {change("another's", `DROP TABLE backups`), "backups is missing"},
		"of a folder": {func(file string) { _ = os.Mkdir(file, 0o700) }, "is not a copy of a database"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "copy.db")
			c.make(file)
			if _, err := Restore(t.Context(), file, path); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("refused with %v", err)
			}
		})
	}
	if _, err := Restore(t.Context(), path, path); err == nil {
		t.Error("a database was put in its own place")
	}
	s, err := OpenAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	var used *InUseError
	if _, err := Restore(t.Context(), copied, path); !errors.As(err, &used) {
		t.Errorf("while somebody has it: %v", err)
	}
	s.Close()
	if words := noted(t, path, ""); len(words) != 1 {
		t.Errorf("there is %q", words)
	}
	if kept, _ := filepath.Glob(filepath.Join(folder, Backups, "*before-restore*")); len(kept) > 0 {
		t.Errorf("kept are %q", kept)
	}
}
