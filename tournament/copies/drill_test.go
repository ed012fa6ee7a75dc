package copies

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/door/doortest"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rehearsal"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// copyMade gives an event and a copy that was made of it.
func copyMade(t *testing.T) (*doortest.Event, storage.BackupCopy) {
	t.Helper()
	e := doortest.NewEvent(t, doortest.OneRound(), 4)
	made, err := door.Do(t.Context(), e.Desk, doortest.Organizer, BackUpNow{})
	if err != nil {
		t.Fatal(err)
	}
	return e, made
}

// A drill says what is in a copy, touches neither it nor the database, and leaves nothing behind.
func TestDrill(t *testing.T) {
	e, made := copyMade(t)
	path := filepath.Join(e.DB.FolderOf(""), made.File)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found, err := door.Do(t.Context(), e.Desk, doortest.Organizer, Drill{File: made.File})
	if err != nil || found.Fault != "" || found.Events != 1 {
		t.Errorf("the drill found %+v, %v", found, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the copy was changed: %v", err)
	}
	if files, _ := os.ReadDir(e.DB.FolderOf("")); len(files) != 1 {
		t.Errorf("left are %v", files)
	}
	last, err := Drills(t.Context(), e.DB)
	if d := last[[2]string{"", made.File}]; err != nil || d.Drilled != found || d.At == 0 {
		t.Errorf("noted is %+v, %v", d, err)
	}
}

// TestDrillOfAnEndedRehearsal: an ended rehearsal leaves its logs in the database. A copy with such logs passes the
// drill.
func TestDrillOfAnEndedRehearsal(t *testing.T) {
	e := doortest.NewEvent(t, doortest.OneRound(), 4)
	copied, err := door.Do(t.Context(), e.Desk, doortest.Organizer,
		rehearsal.Start{Tournament: e.ID, Name: "Rehearsal", By: tournament.RehearsedAll})
	if err != nil {
		t.Fatal(err)
	}
	round, err := door.Do(t.Context(), e.Desk, doortest.Organizer, tournament.PairRound{Tournament: copied.ID})
	if err == nil {
		_, err = door.Do(t.Context(), e.Desk, doortest.Organizer, tournament.PublishRound{Round: round.ID})
	}
	if err == nil {
		_, err = door.Do(t.Context(), e.Desk, doortest.Organizer, tournament.StartRound{Round: round.ID})
	}
	if err == nil {
		_, err = door.Do(t.Context(), e.Desk, doortest.Organizer, rehearsal.Remove{ID: copied.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	made, err := door.Do(t.Context(), e.Desk, doortest.Organizer, BackUpNow{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := door.Do(t.Context(), e.Desk, doortest.Organizer, Drill{File: made.File})
	if err != nil || found.Bad() || found.Games != 1 {
		t.Errorf("the drill found %+v, %v", found, err)
	}
}

// TestAFaultIsNoKey: a fault is described in words, whichever check found it.
func TestAFaultIsNoKey(t *testing.T) {
	got := faultWords(fmt.Errorf("game 7: %w", refuse.NotFound("err_tournament_not_found", "id", 3)))
	if strings.Contains(got, "err_") || !strings.HasPrefix(got, "game 7: ") ||
		faultWords(errors.New("a page is damaged")) != "a page is damaged" {
		t.Errorf("got %q", got)
	}
}

// A copy with one wrong byte is found out, and a restore of it is refused before anything has happened.
func TestDrillFindsDamage(t *testing.T) {
	e, made := copyMade(t)
	path := filepath.Join(e.DB.FolderOf(""), made.File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[4096:], strings.Repeat("\xff", 64)) // the head of a page
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := door.Do(t.Context(), e.Desk, doortest.Organizer, Drill{File: made.File})
	if err != nil || found.Fault == "" {
		t.Errorf("the drill found %+v, %v", found, err)
	}
	e.Machine.Restore = func(string, rights.Actor) { t.Error("it was gone on with") }
	if _, err := door.Do(t.Context(), e.Desk, doortest.Organizer, Restore{File: made.File}); !errors.Is(err, refuse.ErrConflict) {
		t.Errorf("a restore of it: %v", err)
	}
}

// A name that leads to another folder, or to something else than a copy, names none.
func TestOnlyCopiesAreNamed(t *testing.T) {
	e, _ := copyMade(t)
	e.Machine.Restore = func(string, rights.Actor) { t.Error("it was gone on with") }
	for _, c := range []struct{ folder, file string }{
		{"", "../" + filepath.Base(e.DB.File())}, {"", filepath.Base(e.DB.File())}, {"", ""}, {"", ".."}, {e.DB.Folder(), filepath.Base(e.DB.File())}, {"/etc", "passwd"},
	} {
		for name, err := range map[string]error{
			"taken":    errOf(door.Do(t.Context(), e.Desk, doortest.Organizer, Take{c.folder, c.file})),
			"tried":    errOf(door.Do(t.Context(), e.Desk, doortest.Organizer, Drill{Folder: c.folder, File: c.file})),
			"restored": errOf(door.Do(t.Context(), e.Desk, doortest.Organizer, Restore{c.folder, c.file})),
		} {
			if err == nil {
				t.Errorf("%q in %q is %s", c.file, c.folder, name)
			}
		}
	}
}

func errOf[T any](_ T, err error) error { return err }
