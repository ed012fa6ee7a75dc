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
