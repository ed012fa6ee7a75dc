package tournament

import (
	"context"
	"errors"
	"reflect"

	"meldhall/engine"
)

// lookElsewhere takes over what another process on the same database has done about people and rounds: what is remembered of the
// seating is asked again, games that wait are read anew where others sit there now, and who watches looks again. After an error
// the next call looks once more.
func (g *Games) lookElsewhere(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			g.store.dataVersion.Store(-1)
			g.store.lastAction.Store(-1)
		}
	}()
	acted, err := g.store.actedElsewhere(ctx)
	if err != nil || !acted {
		return err
	}
	g.store.seatings.Add(1)
	for _, was := range g.waiting() {
		now, err := g.store.gameRef(ctx, was.ID)
		if err != nil && !errors.Is(err, ErrNotFound) { // its table may be gone
			return err
		}
		if !reflect.DeepEqual(now, was) {
			g.forget(was.ID)
			g.Moved(was)
		}
	}
	if g.store.Reseated != nil {
		g.store.Reseated()
	}
	return nil
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
