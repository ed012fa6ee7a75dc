package copies

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// Keeper makes the copies of the plan, and knows whether their place takes any: a stick that is full or was pulled is said at once, not
// when the next copy is due, and the copies go beside the database meanwhile.
type Keeper struct {
	desk *door.Desk
	// Moved is called when what State tells has changed. It must not block.
	Moved func()

	mu     sync.Mutex
	fault  error // what keeps copies from the chosen place
	failed error // what the last try met with there
	away   bool  // it was not there at the last look
	of     Plan  // for which it did
	copied mark  // how far the database was at the newest copy
	looked bool
	whole  bool // nothing has changed since
	last   engine.Millis
	tried  engine.Millis
}

// mark is how far a database is.
type mark struct{ events, records, rounds int64 }

const (
	lookEvery = 5 * time.Second
	tryEvery  = engine.Millis(60_000) // after a copy that failed
	roomTimes = 2                     // of the database's size must be free for one more copy
)

// NewKeeper makes a keeper over a desk. It looks when Keep or Look is called.
func NewKeeper(d *door.Desk) *Keeper { return &Keeper{desk: d, Moved: func() {}} }

// Keep looks every few seconds until ctx ends.
func (k *Keeper) Keep(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := k.Look(ctx); err != nil && ctx.Err() == nil {
			slog.Error("look whether a copy is due", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look looks once whether the place of the copies is there, and makes a copy that is due.
func (k *Keeper) Look(ctx context.Context) error {
	if !k.desk.Games.Owns(0) { // one node makes them, and tells what is amiss
		k.rest()
		return nil
	}
	row, err := rowOf(k.desk.DB.Read.WithContext(ctx))
	if err != nil {
		return err
	}
	plan := row.plan()
	if k.of != plan {
		k.of, k.failed, k.tried = plan, nil, 0
	}
	now, err := k.now(ctx)
	if err != nil {
		return err
	}
	gone := k.amiss(row)
	if gone == nil && k.away { // it is back: it gets a copy at once
		k.tried = 0
	}
	if k.away = gone != nil; k.away {
		k.tell(gone)
	} else {
		k.tell(k.failed)
	}
	at := k.desk.DB.Millis()
	if !k.due(plan, now, at) {
		return nil
	}
	k.tried = at
	if k.failed = gone; gone == nil {
		k.failed = k.copy(ctx, plan, plan.Folder, now)
		k.tell(k.failed)
	}
	if k.failed == nil || plan.Folder == "" || now == k.copied {
		return nil
	}
	slog.Error("the place that was chosen takes no copy", "folder", plan.Folder, "err", k.failed)
	return k.copy(ctx, plan, "", now)
}

// now reads how far the database is.
func (k *Keeper) now(ctx context.Context) (m mark, err error) {
	err = k.desk.DB.ReadSQL.QueryRowContext(ctx, `SELECT coalesce((SELECT max(id) FROM game_events), 0), coalesce((SELECT max(id) FROM audit), 0),
		(SELECT count(*) FROM rounds WHERE status = ?)`, tournament.RoundFinished).Scan(&m.events, &m.records, &m.rounds)
	if err != nil {
		return m, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.looked { // a round that ended before is no reason for a copy
		last, _, err := k.desk.DB.LastBackup(ctx)
		if err != nil {
			return m, err
		}
		k.looked, k.copied.rounds, k.last = true, m.rounds, last.At
	}
	k.whole = m == k.copied
	return m, nil
}

// due tells whether a copy is to be made: nothing is copied twice, and a place that took none is tried again each minute.
func (k *Keeper) due(plan Plan, now mark, at engine.Millis) bool {
	switch {
	case k.failed != nil:
		return at-k.tried >= tryEvery
	case now == k.copied:
		return false
	case plan.Rounds && now.rounds > k.copied.rounds:
		return true
	}
	return plan.Every > 0 && at-k.last >= engine.Millis(plan.Every)*60_000
}

// amiss is why the chosen place would take no copy; nil where nothing speaks against it.
func (k *Keeper) amiss(row planRow) error {
	s := k.desk.DB
	place, err := placeOf(k.desk, row.Folder)
	if err != nil || row.Apart && sameDisk(place.Root, s.Folder()) {
		return refuse.Conflict("err_copy_gone", "folder", rootOf(s, row.Folder))
	}
	if size, _ := s.Bytes(); place.Known && place.Free < roomTimes*uint64(size) {
		return refuse.Conflict("err_copy_full", "folder", place.Root)
	}
	return nil
}

// copy makes a copy in a place, and removes the oldest that are more than the plan keeps there.
func (k *Keeper) copy(ctx context.Context, plan Plan, folder string, now mark) error {
	s := k.desk.DB
	made, err := s.CopyIn(ctx, folder, auto)
	if err == nil {
		err = s.Write.WithContext(ctx).Create(&made).Error
	}
	if err != nil {
		return refused(rootOf(s, folder), err)
	}
	k.mu.Lock()
	k.copied, k.last, k.whole = now, made.At, true
	k.mu.Unlock()
	k.Moved()
	old := slices.DeleteFunc(inFolder(k.desk, folder), func(c Copy) bool { return c.Made != MadeByItself || !strings.HasPrefix(c.File, s.Name()+auto) })
	slices.SortFunc(old, func(a, b Copy) int { return strings.Compare(b.File, a.File) }) // the names have the time in them
	for _, c := range old[min(plan.Keep, len(old)):] {
		if err := os.Remove(c.Path(k.desk)); err != nil {
			return fmt.Errorf("remove an old copy: %w", err)
		}
	}
	return nil
}

// rootOf is the stick, or the operator's folder, of a place of copies.
func rootOf(s *storage.DB, folder string) string {
	if folder == "" {
		return s.FolderOf("")
	}
	return filepath.Dir(folder)
}

// rest forgets what was seen: another node makes the copies for a while.
func (k *Keeper) rest() {
	k.failed, k.away, k.tried = nil, false, 0
	k.mu.Lock()
	k.looked = false
	k.mu.Unlock()
	k.tell(nil)
}

// tell keeps what is amiss, and says so where it is another thing than before.
func (k *Keeper) tell(amiss error) {
	k.mu.Lock()
	was := k.fault
	k.fault = amiss
	k.mu.Unlock()
	if (was == nil) != (amiss == nil) || was != nil && was.Error() != amiss.Error() {
		k.Moved()
	}
}

// State is how the copies stand.
type State struct {
	Last  storage.BackupCopy // the newest; At is 0 without one
	Age   engine.Millis      // since it was made
	Fault error              // why the chosen place takes none now; nil: it does
	Whole bool               // nothing has been done since
}

// What is old, and what is too old.
const (
	old    = engine.Millis(4 * 3_600_000)
	tooOld = engine.Millis(24 * 3_600_000)
)

// State tells how the copies stand now.
func (k *Keeper) State(ctx context.Context) (s State, err error) {
	k.mu.Lock()
	s.Fault, s.Whole = k.fault, k.whole
	k.mu.Unlock()
	last, ok, err := k.desk.DB.LastBackup(ctx)
	if ok {
		s.Last, s.Age = last, k.desk.DB.Millis()-last.At
	}
	return s, err
}

// Mark is what the state comes to: good, wait or bad.
func (s State) Mark() string {
	switch {
	case s.Fault != nil:
		return "bad"
	case s.Last.At == 0 && s.Whole: // nothing has been done yet that could be lost
		return "wait"
	case s.Whole:
		return "good"
	case s.Last.At == 0, s.Age > tooOld:
		return "bad"
	case s.Age > old:
		return "wait"
	}
	return "good"
}
