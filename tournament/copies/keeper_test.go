package copies

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/action/actiontest"
	"meldhall/tournament/refuse"
)

// kept is a tournament with a keeper of copies, a clock that the test sets, and a folder named by the operator.
type kept struct {
	*actiontest.Event
	keeper *Keeper
	root   string
	moved  int
	later  time.Duration
}

func newKept(t *testing.T) *kept {
	t.Helper()
	k := &kept{Event: actiontest.NewEvent(t, actiontest.OneRound(), 4), root: t.TempDir()}
	k.Machine.CopyTo = []string{k.root}
	began := k.DB.Now()
	k.DB.Now = func() time.Time { return began.Add(k.later) }
	k.keeper = NewKeeper(k.Desk)
	k.keeper.Moved = func() { k.moved++ }
	return k
}

// look lets some time pass, calls Look, and returns the number of copies in a folder.
func (k *kept) look(later time.Duration, folder string) int {
	k.Helper()
	k.later += later
	if err := k.keeper.Look(k.Context()); err != nil {
		k.Fatal(err)
	}
	return len(inFolder(k.Desk, folder))
}

// change changes something in the database.
func (k *kept) change() {
	k.Helper()
	if _, err := k.DB.WriteSQL.Exec(`INSERT INTO audit (at, tournament_id, actor, action, subject, before, after, why)
		VALUES (1, $1, 'test', 'test', '', '', '', '')`, k.Tournament.ID); err != nil {
		k.Fatal(err)
	}
}

func (k *kept) plan(p SetPlan) {
	k.Helper()
	if _, err := action.Do(k.Context(), k.Desk, actiontest.Organizer, p); err != nil {
		k.Fatal(err)
	}
}

func (k *kept) fault() string {
	k.Helper()
	s, err := k.keeper.State(k.Context())
	if err != nil {
		k.Fatal(err)
	}
	var fault *refuse.Error
	if !errors.As(s.Fault, &fault) {
		return ""
	}
	return fault.Key
}

// TestCopiesAreMadeByThemselves checks that a copy is made when it is due and something has changed, and after a round.
// Nothing is copied twice.
func TestCopiesAreMadeByThemselves(t *testing.T) {
	k := newKept(t)
	for s, want := range map[State]string{{}: "bad", {Whole: true}: "wait"} {
		if s.Mark() != want {
			t.Errorf("without a copy %+v is %s, want %s", s, s.Mark(), want)
		}
	}
	if n := k.look(0, ""); n != 1 {
		t.Errorf("at the start there are %d copies of what is there", n)
	}
	for i, c := range []struct {
		later  time.Duration
		change func()
		want   int
	}{
		{time.Hour, nil, 1}, // nothing has changed
		{0, k.change, 2},
		{time.Minute, k.change, 2}, // not due yet
		{9 * time.Minute, nil, 3},
		{time.Second, func() { k.change(); k.endRound() }, 4}, // a round has ended
		{time.Second, k.change, 4},
	} {
		if c.change != nil {
			c.change()
		}
		if n := k.look(c.later, ""); n != c.want {
			t.Errorf("step %d: %d copies, want %d", i, n, c.want)
		}
	}
	s, err := k.keeper.State(t.Context())
	if err != nil || s.Whole || s.Mark() != "good" || s.Last.File == "" {
		t.Errorf("the copies stand so: %+v, %v", s, err)
	}
	for _, c := range List(k.Desk) {
		if c.Made != MadeByItself {
			t.Errorf("%s was made by %s", c.File, c.Made)
		}
	}
}

func (k *kept) endRound() {
	k.Helper()
	if _, err := k.DB.WriteSQL.Exec(`INSERT INTO rounds (tournament_id, number, stage, stage_round, status, seed, games, method, created_at) VALUES ($1, (SELECT count(*) + 1 FROM rounds), 0, 1, $2, 1, 1, 'random', 1)`,
		k.Tournament.ID, tournament.RoundFinished); err != nil {
		k.Fatal(err)
	}
}

// TestOldCopiesGo checks that the plan's number of copies stays in its place, besides those made by hand and unrelated
// files.
func TestOldCopiesGo(t *testing.T) {
	k := newKept(t)
	place := filepath.Join(k.root, below)
	k.plan(SetPlan{Folder: place, Every: 1, Keep: 2})
	if _, err := action.Do(t.Context(), k.Desk, actiontest.Organizer, BackUpNow{Folder: place}); err != nil {
		t.Fatal(err)
	}
	others := filepath.Join(place, "another-auto-20260101-101010.000.db")
	if err := os.WriteFile(others, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		k.change()
		k.look(2*time.Minute, place)
	}
	if n := len(inFolder(k.Desk, place)); n != 4 {
		t.Errorf("%d files are left, want 2 copies of the plan, 1 by hand, 1 of another program", n)
	}
	if n := len(inFolder(k.Desk, "")); n != 0 {
		t.Errorf("%d copies went beside the database", n)
	}
	var newest Copy
	for _, c := range inFolder(k.Desk, place) {
		if c.Made == MadeByItself && c.File > newest.File && strings.HasPrefix(c.File, k.DB.Name()) {
			newest = c
		}
	}
	if last, _, err := k.DB.LastBackup(t.Context()); err != nil || last.File != newest.File || last.Folder != place {
		t.Errorf("the newest is noted as %+v, %v; want %+v", last, err, newest)
	}
}

// TestAPulledStickIsSaidAtOnce checks that a removed USB stick is reported at the next check, before a copy is due, and
// that due copies go beside the database until the stick is back.
func TestAPulledStickIsSaidAtOnce(t *testing.T) {
	k := newKept(t)
	place := filepath.Join(k.root, below)
	k.plan(SetPlan{Folder: place, Every: 10, Keep: 5})
	k.look(0, place)
	k.moved = 0
	if err := os.Rename(k.root, k.root+" pulled"); err != nil {
		t.Fatal(err)
	}
	k.look(time.Second, place)
	if k.fault() != "err_copy_gone" || k.moved != 1 {
		t.Errorf("it is said: %q, %d times", k.fault(), k.moved)
	}
	k.look(time.Second, place)
	if k.moved != 1 {
		t.Errorf("it is said %d times", k.moved)
	}
	k.change()
	if n := k.look(11*time.Minute, ""); n != 1 {
		t.Errorf("%d copies are beside the database", n)
	}
	if _, err := action.Do(t.Context(), k.Desk, actiontest.Organizer, BackUpNow{Folder: place}); !errors.Is(err,
		refuse.ErrConflict) {
		t.Errorf("a copy to it by hand: %v", err)
	}
	if err := os.Rename(k.root+" pulled", k.root); err != nil {
		t.Fatal(err)
	}
	k.change()
	if n := k.look(11*time.Minute, place); n != 2 || k.fault() != "" {
		t.Errorf("when it is back there are %d copies, and it is said: %q", n, k.fault())
	}
}

// TestAStickThatTakesNothing checks that a USB stick that takes no copy is reported with the reason, and is retried a
// minute later and not continuously.
func TestAStickThatTakesNothing(t *testing.T) {
	k := newKept(t)
	place := filepath.Join(k.root, below)
	if err := os.WriteFile(place, nil, 0o600); err != nil { // so that no folder can be created there
		t.Fatal(err)
	}
	k.plan(SetPlan{Folder: place, Every: 1, Keep: 5})
	k.look(0, place)
	if k.fault() != "err_copy_failed" || len(inFolder(k.Desk, "")) != 1 {
		t.Errorf("it is said: %q, and %d copies are beside the database", k.fault(), len(inFolder(k.Desk, "")))
	}
	if err := os.Remove(place); err != nil {
		t.Fatal(err)
	}
	k.change()
	if n := k.look(30*time.Second, place); n != 0 {
		t.Errorf("it is tried again after half a minute")
	}
	if n := k.look(time.Minute, place); n != 1 || k.fault() != "" {
		t.Errorf("after a minute it has %d copies, and it is said: %q", n, k.fault())
	}
}

// TestAPulledStickGetsNoFolder checks that no folder is created at the mount point of a removed USB stick that had
// failed, because it would be on the database's own disk. When the stick is back, it gets a copy at once, even without
// changes.
func TestAPulledStickGetsNoFolder(t *testing.T) {
	k := newKept(t)
	place := filepath.Join(k.root, below)
	if err := os.WriteFile(place, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	k.plan(SetPlan{Folder: place, Every: 1, Keep: 5})
	k.look(0, "")
	if k.fault() != "err_copy_failed" {
		t.Fatalf("it is said: %q", k.fault())
	}
	if err := os.RemoveAll(k.root); err != nil {
		t.Fatal(err)
	}
	k.change()
	if n := k.look(2*time.Minute, ""); n != 2 || k.fault() != "err_copy_gone" {
		t.Errorf("%d copies are beside the database, and it is said: %q", n, k.fault())
	}
	if _, err := os.Stat(k.root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a folder where the stick was: %v", err)
	}
	if err := os.Mkdir(k.root, 0o700); err != nil {
		t.Fatal(err)
	}
	if n := k.look(lookEvery, place); n != 1 || k.fault() != "" {
		t.Errorf("put in again it has %d copies, and it is said: %q", n, k.fault())
	}
}

// TestSetPlanRefuses checks that an invalid plan, or one with a folder that was not offered, is rejected.
func TestSetPlanRefuses(t *testing.T) {
	k := newKept(t)
	for name, p := range map[string]SetPlan{
		"a folder of the system": {Folder: "/etc", Every: 10, Keep: 5},
		"a folder above":         {Folder: filepath.Join(k.root, below, "..", ".."), Every: 10, Keep: 5},
		"the place's own root":   {Folder: k.root, Every: 10, Keep: 5},
		"never kept":             {Every: 10},
		"too often":              {Every: -1, Keep: 5},
		"too seldom":             {Every: EveryMost + 1, Keep: 5},
	} {
		if _, err := action.Do(t.Context(), k.Desk, actiontest.Organizer, p); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if p, err := PlanOf(t.Context(), k.DB); err != nil || p != usual {
		t.Errorf("the plan is %+v, %v", p, err)
	}
}
