package tournament

import (
	"context"
	"errors"
	"reflect"

	"meldhall/engine"
	"meldhall/tournament/refuse"
)

// lookElsewhere takes over what another process on the same database has done: what its records say has changed is announced here
// as well, what is remembered of the seating is asked again, and games that wait are read again where others sit there now.
// After an error the next call looks once more.
func (g *Games) lookElsewhere(ctx context.Context) (err error) {
	changes, last, err := g.store.changedElsewhere(ctx)
	if err != nil || len(changes) == 0 {
		return err
	}
	defer func() {
		if err != nil {
			g.store.dataVersion.Store(-1)
		}
	}()
	for _, was := range g.waiting() {
		now, err := gameRef(ctx, g.store, was.ID)
		if err != nil && !errors.Is(err, refuse.ErrNotFound) { // its table may be gone
			return err
		}
		if !reflect.DeepEqual(now, was) {
			g.forget(was.ID)
			g.Moved(was)
		}
	}
	g.store.lastRecord.Store(last)
	for _, c := range changes {
		g.store.reseat(c)
		g.store.say(c)
	}
	return nil
}

// changedElsewhere is what records say that were written since it was last asked, and the newest one, when another process has
// written to the database. This process writes by one connection, which does not count its own commits; another one's
// heartbeats leave no records.
func (s *Store) changedElsewhere(ctx context.Context) (changes []Changed, last int64, err error) {
	var version int64
	if err := s.writeSQL.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version); err != nil {
		return nil, 0, err
	}
	if s.dataVersion.Swap(version) == version {
		return nil, 0, nil
	}
	last = s.lastRecord.Load()
	var records []Record
	if err := s.Write.WithContext(ctx).Select("id", "tournament_id", "topics").Where("id > ?", last).Order("id").Find(&records).Error; err != nil {
		s.dataVersion.Store(-1)
		return nil, 0, err
	}
	for _, r := range records {
		last = r.ID
		changes = unite(changes, r.changed())
	}
	return changes, last, nil
}

// lookFrom makes the records that there are the ones that need no look.
func (s *Store) lookFrom() error {
	var version, last int64
	if err := s.writeSQL.QueryRow(`PRAGMA data_version`).Scan(&version); err != nil {
		return err
	}
	err := s.writeSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM audit`).Scan(&last)
	s.dataVersion.Store(version)
	s.lastRecord.Store(last)
	return err
}

// waiting are the known games that have not begun.
func (g *Games) waiting() (refs []GameRef) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.known {
		if snap := r.now.Load(); snap.State.Phase == engine.PhaseNew {
			refs = append(refs, snap.Ref)
		}
	}
	return refs
}
