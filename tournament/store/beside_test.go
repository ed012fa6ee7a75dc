package store_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"meldhall/tournament/store"
	"meldhall/tournament/store/storetest"
)

// TestAFileIsWholeOrNotThere checks that a file that cannot be written completely, as on a full disk, leaves the
// previous one unchanged and no partial file behind.
func TestAFileIsWholeOrNotThere(t *testing.T) {
	s := storetest.New(t)
	full := errors.New("the disk is full")
	for _, step := range []struct {
		text, want string
		end        error
	}{{"the first, which is long", "the first, which is long", nil}, {"half of", "the first, which is long", full},
		{"the third", "the third", nil}} {
		if err := s.WriteBeside("paper", "pack.pdf", func(file io.Writer) error {
			_, err := io.WriteString(file, step.text)
			return errors.Join(err, step.end)
		}); !errors.Is(err, step.end) {
			t.Fatalf("%s: %v", step.text, err)
		}
		wrote(t, s, step.want)
		if all, err := os.ReadDir(filepath.Join(s.Folder(), "paper")); err != nil || len(all) != 1 {
			t.Errorf("%v, %v beside the database", all, err)
		}
	}
}

// TestOneFileOfSeveralPrograms checks that several programs can write the same file in one folder at the same time,
// each completely. What a dead program left half-written is removed, but not what another is writing.
func TestOneFileOfSeveralPrograms(t *testing.T) {
	s := storetest.New(t)
	text := func(text string, meanwhile func()) {
		if err := s.WriteBeside("paper", "pack.pdf", func(file io.Writer) error {
			_, err := io.WriteString(file, text)
			meanwhile()
			_, last := io.WriteString(file, ".")
			return errors.Join(err, last)
		}); err != nil {
			t.Error(err)
		}
	}
	text("of the one", func() {
		old := filepath.Join(s.Folder(), "paper", "pack.pdf.part1")
		if err := errors.Join(os.WriteFile(old, nil, 0o600),
			os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour))); err != nil {
			t.Fatal(err)
		}
		text("of the other, which is longer", func() {})
		wrote(t, s, "of the other, which is longer.")
		if _, err := os.Stat(old); !os.IsNotExist(err) {
			t.Errorf("what was left half written is there: %v", err)
		}
	})
	wrote(t, s, "of the one.")
}

func wrote(t *testing.T, s *store.DB, want string) {
	t.Helper()
	if got, err := os.ReadFile(filepath.Join(s.Folder(), "paper", "pack.pdf")); err != nil || string(got) != want {
		t.Errorf("the file is %q, %v, want %q", got, err, want)
	}
}
