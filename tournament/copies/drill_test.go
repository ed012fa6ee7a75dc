package copies

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/draw"
	"meldhall/tournament/practice"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// copyMade returns a tournament and a copy of its database.
func copyMade(t *testing.T) (*actiontest.Event, store.BackupCopy) {
	t.Helper()
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	made, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, BackUpNow{})
	if err != nil {
		t.Fatal(err)
	}
	return e, made
}

// TestDrill checks that a drill reports the contents of a copy, changes neither the copy nor the database, and leaves
// no files.
func TestDrill(t *testing.T) {
	e, made := copyMade(t)
	path := filepath.Join(e.DB.FolderOf(""), made.File)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, Drill{File: made.File})
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

// TestDrillOfAnEndedRehearsal checks that a copy passes the drill if it contains the logs that an ended rehearsal
// leaves.
func TestDrillOfAnEndedRehearsal(t *testing.T) {
	e := actiontest.NewEvent(t, actiontest.OneRound(), 4)
	copied, err := action.Do(t.Context(), e.Desk, actiontest.Organizer,
		practice.Rehearse{Tournament: e.ID, Name: "Rehearsal", By: tournament.RehearsedAll})
	if err != nil {
		t.Fatal(err)
	}
	round, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, draw.PairRound{Tournament: copied.ID})
	if err == nil {
		_, err = action.Do(t.Context(), e.Desk, actiontest.Organizer, draw.PublishRound{Round: round.ID})
	}
	if err == nil {
		_, err = action.Do(t.Context(), e.Desk, actiontest.Organizer, draw.StartRound{Round: round.ID})
	}
	if err == nil {
		_, err = action.Do(t.Context(), e.Desk, actiontest.Organizer, practice.RemoveRehearsal{ID: copied.ID})
	}
	if err != nil {
		t.Fatal(err)
	}
	made, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, BackUpNow{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, Drill{File: made.File})
	if err != nil || found.Bad() || found.Games != 1 {
		t.Errorf("the drill found %+v, %v", found, err)
	}
}

// TestAFaultIsNoKey checks that a fault is described in words, whichever check found it.
func TestAFaultIsNoKey(t *testing.T) {
	got := faultWords(fmt.Errorf("game 7: %w", refuse.NotFound("err_tournament_not_found", "id", 3)))
	if strings.Contains(got, "err_") || !strings.HasPrefix(got, "game 7: ") ||
		faultWords(errors.New("a page is damaged")) != "a page is damaged" {
		t.Errorf("got %q", got)
	}
}

// TestDrillFindsDamage checks that a copy with one damaged page is detected, and that restoring it is rejected before
// anything has changed.
func TestDrillFindsDamage(t *testing.T) {
	e, made := copyMade(t)
	path := filepath.Join(e.DB.FolderOf(""), made.File)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[4096:], strings.Repeat("\xff", 64)) // the header of a page
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, Drill{File: made.File})
	if err != nil || found.Fault == "" {
		t.Errorf("the drill found %+v, %v", found, err)
	}
	e.Machine.Restore = func(string, rights.Actor) { t.Error("it was gone on with") }
	if _, err := action.Do(t.Context(), e.Desk, actiontest.Organizer, Restore{File: made.File}); !errors.Is(err,
		refuse.ErrConflict) {
		t.Errorf("a restore of it: %v", err)
	}
}

// TestOnlyCopiesAreNamed checks that a name that leads to another folder, or to a file that is not a copy, is rejected.
func TestOnlyCopiesAreNamed(t *testing.T) {
	e, _ := copyMade(t)
	e.Machine.Restore = func(string, rights.Actor) { t.Error("it was gone on with") }
	for _, c := range []struct{ folder, file string }{
		{"", "../" + filepath.Base(e.DB.File())}, {"", filepath.Base(e.DB.File())}, {"", ""}, {"", ".."},
		{e.DB.Folder(), filepath.Base(e.DB.File())}, {"/etc", "passwd"},
	} {
		for name, err := range map[string]error{
			"taken": errOf(action.Do(t.Context(), e.Desk, actiontest.Organizer, Take{c.folder, c.file})),
			"tried": errOf(action.Do(t.Context(), e.Desk, actiontest.Organizer,
				Drill{Folder: c.folder, File: c.file})),
			"restored": errOf(action.Do(t.Context(), e.Desk, actiontest.Organizer, Restore{c.folder, c.file})),
		} {
			if err == nil {
				t.Errorf("%q in %q is %s", c.file, c.folder, name)
			}
		}
	}
}

func errOf[T any](_ T, err error) error { return err }
