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
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// Keeper makes the copies of the plan and monitors their place. A full or removed USB stick is reported at once, and
// not only when the next copy is due. Meanwhile the copies go beside the database.
type Keeper struct {
	desk *action.Desk
	// Moved is called when the result of State has changed. It must not block.
	Moved func()

	mu     sync.Mutex
	fault  error // why the chosen place takes no copies
	failed error // the error of the last attempt there
	away   bool  // the place was missing at the last check
	of     Plan  // the plan of the last attempt
	copied mark  // state of the database at the newest copy
	looked bool
	whole  bool // nothing has changed since that copy
	last   engine.Millis
	tried  engine.Millis
}

// mark identifies the state of a database.
type mark struct{ events, records, rounds int64 }

const (
	lookEvery = 5 * time.Second
	tryEvery  = engine.Millis(60_000) // after a failed copy
	roomTimes = 2                     // multiples of the database's size that must be free
)

// NewKeeper returns a keeper for a desk. It acts only when Keep or Look is called.
func NewKeeper(d *action.Desk) *Keeper { return &Keeper{desk: d, Moved: func() {}} }

// Keep calls Look every few seconds until ctx ends.
func (k *Keeper) Keep(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := k.Look(ctx); err != nil && ctx.Err() == nil {
			slog.Error("checking whether a copy is due failed", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look checks once whether the place of the copies is available, and makes a copy that is due.
func (k *Keeper) Look(ctx context.Context) error {
	if !k.desk.Games.Owns(0) { // only one node makes copies and reports problems
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
	if gone == nil && k.away { // it is back and gets a copy at once
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
	slog.Error("writing a copy to the chosen place failed", "folder", plan.Folder, "err", k.failed)
	return k.copy(ctx, plan, "", now)
}

// now reads the state of the database.
func (k *Keeper) now(ctx context.Context) (m mark, err error) {
	err = k.desk.DB.ReadSQL.QueryRowContext(ctx, `SELECT coalesce((SELECT max(id) FROM game_events), 0), coalesce((SELECT max(id) FROM audit), 0),
		(SELECT count(*) FROM rounds
			WHERE status = $1)`, tournament.RoundFinished).Scan(&m.events, &m.records, &m.rounds)
	if err != nil {
		return m, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.looked { // rounds that ended before the start need no copy
		last, _, err := k.desk.DB.LastBackup(ctx)
		if err != nil {
			return m, err
		}
		k.looked, k.copied.rounds, k.last = true, m.rounds, last.At
	}
	k.whole = m == k.copied
	return m, nil
}

// due reports whether to make a copy. Nothing is copied twice, and a place that failed is retried every minute.
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

// amiss returns why the chosen place would take no copy, or nil.
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

// copy makes a copy in a place and removes the oldest beyond the plan's number.
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
	old := slices.DeleteFunc(inFolder(k.desk, folder), func(c Copy) bool {
		return c.Made != MadeByItself ||
			!strings.HasPrefix(c.File, s.Name()+auto)
	})
	slices.SortFunc(old, func(a, b Copy) int { return strings.Compare(b.File, a.File) }) // the names contain the time
	for _, c := range old[min(plan.Keep, len(old)):] {
		if err := os.Remove(c.Path(k.desk)); err != nil {
			return fmt.Errorf("remove an old copy: %w", err)
		}
	}
	return nil
}

// rootOf returns the USB stick, or the operator's folder, that contains a folder of copies.
func rootOf(s *store.DB, folder string) string {
	if folder == "" {
		return s.FolderOf("")
	}
	return filepath.Dir(folder)
}

// rest forgets the noted changes, because another node makes the copies for now.
func (k *Keeper) rest() {
	k.failed, k.away, k.tried = nil, false, 0
	k.mu.Lock()
	k.looked = false
	k.mu.Unlock()
	k.tell(nil)
}

// tell stores the present problem and calls Moved if it has changed.
func (k *Keeper) tell(amiss error) {
	k.mu.Lock()
	was := k.fault
	k.fault = amiss
	k.mu.Unlock()
	if (was == nil) != (amiss == nil) || was != nil && was.Error() != amiss.Error() {
		k.Moved()
	}
}

// State is the state of the copies.
type State struct {
	Last  store.BackupCopy // the newest copy; At is 0 if there is none
	Age   engine.Millis    // age of that copy
	Fault error            // why the chosen place takes no copies now; nil: it does
	Whole bool             // nothing has changed since that copy
}

// The ages from which a copy is old and too old.
const (
	old    = engine.Millis(4 * 3_600_000)
	tooOld = engine.Millis(24 * 3_600_000)
)

// State returns the present state of the copies.
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

// Mark rates the state: good, wait or bad.
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
