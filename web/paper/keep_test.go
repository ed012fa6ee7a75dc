package paper

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/tournament/storage/storagetest"
	"meldhall/web/venue"
)

// TestPackOfStandingsRests holds that results which come one after another do not have the pack made all the time, and that seats
// never wait for it.
func TestPackOfStandingsRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := NewKeeper(nil, nil, "")
		k.rests[1] = time.Now().Add(time.Minute)
		if wait := k.wait(1, false); wait != time.Minute {
			t.Errorf("standings after a pack that took three seconds wait %v", wait)
		}
		if wait := k.wait(2, false); wait != calm {
			t.Errorf("those of another event wait %v", wait)
		}
		if wait := k.wait(1, true); wait != calm {
			t.Errorf("seats wait %v", wait)
		}
		if wait := k.wait(1, false); wait != calm {
			t.Errorf("standings after seats that are not on paper yet wait %v", wait)
		}
		time.Sleep(2 * time.Minute)
		delete(k.seats, 1)
		if wait := k.wait(1, false); wait != calm {
			t.Errorf("rested, standings wait %v", wait)
		}
	})
}

// A pack that cannot be written to its end, as on a full disk, leaves the one before as it was, and nothing beside it.
func TestAPackIsWholeOrNotThere(t *testing.T) {
	k := NewKeeper(&venue.Venue{Store: storagetest.New(t)}, nil, "")
	full := errors.New("the disk is full")
	write := func(text string, end error) error {
		return k.write("pack.pdf", func(file io.Writer) error {
			_, err := io.WriteString(file, text)
			return errors.Join(err, end)
		})
	}
	for _, step := range []struct {
		text string
		end  error
	}{{"the first, which is long", nil}, {"half of", full}, {"the third", nil}} {
		if err := write(step.text, step.end); !errors.Is(err, step.end) {
			t.Fatalf("%s: %v", step.text, err)
		}
		want := step.text
		if step.end != nil {
			want = "the first, which is long"
		}
		if got, err := os.ReadFile(filepath.Join(k.Folder(), "pack.pdf")); err != nil || string(got) != want {
			t.Errorf("the pack is %q, %v, want %q", got, err, want)
		}
		if all, err := os.ReadDir(k.Folder()); err != nil || len(all) != 1 {
			t.Errorf("%v, %v beside the database", all, err)
		}
	}
}

// Programs that keep their packs in one folder write the same one at the same time, and each writes it whole. What one left half written when
// it died is cleared away, not what another is writing.
func TestPacksOfSeveralProgramsInOneFolder(t *testing.T) {
	store := storagetest.New(t)
	one, other := NewKeeper(&venue.Venue{Store: store}, nil, ""), NewKeeper(&venue.Venue{Store: store}, nil, "")
	text := func(k *Keeper, text string, meanwhile func()) {
		if err := k.write("pack.pdf", func(file io.Writer) error {
			_, err := io.WriteString(file, text)
			meanwhile()
			_, last := io.WriteString(file, ".")
			return errors.Join(err, last)
		}); err != nil {
			t.Error(err)
		}
	}
	text(one, "of the one", func() {
		old := filepath.Join(one.Folder(), "pack.pdf.1.new")
		if err := errors.Join(os.WriteFile(old, nil, 0o600), os.Chtimes(old, time.Time{}, time.Now().Add(-2*leftAfter))); err != nil {
			t.Fatal(err)
		}
		text(other, "of the other, which is longer", func() {})
		if got, err := os.ReadFile(filepath.Join(one.Folder(), "pack.pdf")); err != nil || string(got) != "of the other, which is longer." {
			t.Errorf("the pack of the other is %q, %v", got, err)
		}
		if _, err := os.Stat(old); !os.IsNotExist(err) {
			t.Errorf("what was left half written is there: %v", err)
		}
	})
	if got, err := os.ReadFile(filepath.Join(one.Folder(), "pack.pdf")); err != nil || string(got) != "of the one." {
		t.Errorf("the pack of the one is %q, %v", got, err)
	}
}
