package game

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"meldhall/engine"
)

// owe records the time since which a game's clock could not be settled, because the log could not be written or the
// program was held up. Players never lose time to a slow or failed disk. The caller must hold r.mu.
func (r *runningGame) owe(since engine.Millis) {
	if owed := r.owed.Load(); owed == 0 || int64(since) < owed {
		r.owed.Store(int64(since))
	}
}

// paidUntil returns the latest moment, at most now, before which no running game is owed time. If this program dies,
// the next start uses that moment.
func (g *Games) paidUntil(now engine.Millis) engine.Millis {
	for _, since := range g.Owed(now) {
		now = min(now, since)
	}
	return now
}

// Owed returns, by game, the time since which running games are owed time. It omits games that are owed none.
func (g *Games) Owed(now engine.Millis) map[int64]engine.Millis {
	gaps, owed := g.stalls.noticed(now, false), map[int64]engine.Millis{}
	for _, r := range g.cache.all() {
		snap := r.now.Load()
		if phase := snap.State.Phase; phase == engine.PhaseNew || phase == engine.PhaseOver {
			continue
		}
		// Read stalls before owed: a gap that is recorded between the two reads is then in owed.
		since, short := g.stalls.costs(gaps[min(int(r.stalls.Load()), len(gaps)):], &snap.State)
		own := engine.Millis(r.owed.Load())
		at := min(now, cmp.Or(since, now), cmp.Or(own, now)) - short - r.lost.of(snap.State.Turn)
		if since != 0 || own != 0 || at < now {
			owed[snap.Ref.ID] = at
		}
	}
	return owed
}

// payBack stops the clock of a game that is owed time, as after an outage, before anything else is decided. The caller
// must hold r.mu. A program that does not run the clock owes nothing if the game has gone on since, because it was
// played on other programs.
func (r *runningGame) payBack(ctx context.Context) error {
	for began := time.Now(); r.owed.Load() != 0; {
		if err := r.catchUp(ctx); err != nil { // a write reported as failed may have been made
			return err
		}
		if snap := r.now.Load(); !r.games.Owner.Keeps(snap.Ref.ID) && int64(snap.State.At) > r.owed.Load() {
			r.owed.Store(0)
			return nil
		}
		before, since := &r.now.Load().State, r.owedSince()
		_, err := r.try(ctx, &submission{actor: clockName}, engine.Outage{Since: since - r.lost.of(before.Turn)})
		if err == nil && before.Paused == nil {
			r.repaid(before.Turn, before.Turn.Due-since)
		}
		var refusal *engine.Refusal
		switch {
		case errors.Is(err, ErrClash):
			err = r.catchUp(ctx)
		case errors.Is(err, ErrClockHeld) && !r.games.Owner.Keeps(r.now.Load().Ref.ID): // it has just been lost
			err = nil
		case errors.Is(err, ErrClockHeld): // it is just being written
			_, err = r.awaitClock(ctx, began, err)
		case err == nil, errors.As(err, &refusal): // refused: no clock was running
			r.owed.Store(0)
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// owedSince returns the start of the time that the current turn of a game is owed. Events that other programs have
// written in the meantime, such as a referee call, do not change that.
func (r *runningGame) owedSince() engine.Millis {
	s := &r.now.Load().State
	if r.games.Owner.Alone() {
		return max(engine.Millis(r.owed.Load()), s.At)
	}
	return max(engine.Millis(r.owed.Load()), s.Turn.Started)
}

// lostTime is the time that short gaps took from a turn. The turn gets it back when it would otherwise run out. A
// negative value means that the turn has been given back more than it lost.
type lostTime struct{ turn, ms atomic.Int64 } // the turn is identified by its start

func (l *lostTime) set(turn engine.Turn, ms engine.Millis) {
	l.ms.Store(int64(ms))
	l.turn.Store(int64(turn.Started))
}

func (l *lostTime) balance(turn engine.Turn) engine.Millis {
	if l.turn.Load() != int64(turn.Started) {
		return 0
	}
	return engine.Millis(l.ms.Load())
}

// of returns the time that is still owed to a turn.
func (l *lostTime) of(turn engine.Turn) engine.Millis { return max(0, l.balance(turn)) }

// paidUp reports whether events of the clock are allowed now. They are not allowed after a gap that has not been
// accounted for, or after a time when the clock's owner was uncertain. Nor are they if short gaps took time from the
// turn; paidUp then records that the turn is owed time from now on. The caller must hold r.mu.
func (r *runningGame) paidUp() bool {
	if int(r.stalls.Load()) < len(r.games.stalls.noticed(r.games.DB.Millis(), false)) {
		return false
	}
	if s := &r.now.Load().State; s.Paused == nil && r.lost.of(s.Turn) != 0 {
		r.owe(r.games.DB.Millis())
		return false
	}
	return true
}

// repaid records that an outage gave a turn back the time that it lost to short gaps. own is the time that the turn had
// left anyway. The turn gets at least fifteen seconds. Any surplus is set against later gaps, or a gap every fifteen
// seconds would make the turn last forever.
func (r *runningGame) repaid(turn engine.Turn, own engine.Millis) {
	if paused := r.now.Load().State.Paused; paused != nil {
		r.lost.set(turn, min(0, r.lost.balance(turn)+max(0, own)-paused.Left))
	}
}

// noteTaken records what a game is owed for the time in which no program ran its clock, once per takeover. The caller
// must hold r.mu.
func (r *runningGame) noteTaken(ctx context.Context) error {
	taken := r.games.Owner.Taken(r.now.Load().Ref.ID)
	if taken.Number == 0 || taken.Number == r.taken {
		return nil
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	r.taken = taken.Number
	if taken.Since != 0 && r.now.Load().State.Turn.Started <= taken.At {
		r.owe(taken.Since)
	}
	return nil
}

// creditAll gives back the time of gaps at all tables that have had no request since.
func (g *Games) creditAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, r := range g.cache.all() {
		snap := r.now.Load()
		if phase := snap.State.Phase; phase == engine.PhaseNew || phase == engine.PhaseOver ||
			!g.Owner.Keeps(snap.Ref.ID) {
			continue
		}
		all.Go(func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.gone || g.closed.Load() {
				return
			}
			if !r.noteStall() {
				r.retry(time.Second)
				return
			}
			if err := r.payBack(ctx); err != nil {
				slog.Error("crediting the time of a stall failed; retrying", "game", r.now.Load().Ref.ID, "err", err)
				r.retry(time.Second)
			}
		})
	}
	all.Wait()
}

// noteStall records the time owed to a game for gaps that have not been paid back. The caller must hold r.mu. While the
// owner of the clock is uncertain, noteStall leaves the gaps for later and returns false.
func (r *runningGame) noteStall() bool {
	if gaps := r.games.stalls.noticed(r.games.DB.Millis(), false); int(r.stalls.Load()) < len(gaps) {
		ours := r.games.Owner.Owns(r.now.Load().Ref.ID)
		if !ours && r.games.Owner.Keeps(r.now.Load().Ref.ID) {
			return false
		}
		state := &r.now.Load().State
		if since, short := r.games.stalls.costs(gaps[r.stalls.Load():], state); ours {
			if since != 0 {
				r.owe(since)
			}
			if short != 0 {
				r.lost.set(state.Turn, r.lost.balance(state.Turn)+short)
			}
		}
		r.stalls.Store(int64(len(gaps)))
	}
	return true
}

// noteSlow gives a turn that began with a slow write its time back, once, because no one could see that it had begun.
// The caller must hold r.mu.
func (r *runningGame) noteSlow(began engine.Millis) {
	s := &r.now.Load().State
	if s.Paused != nil || s.Turn.Due == 0 || s.Turn.Number == r.slow || s.Phase != engine.PhaseDealt &&
		s.Phase != engine.PhasePlaying {
		return
	}
	slog.Warn("a slow write; crediting the time to the turn", "game", r.now.Load().Ref.ID, "ms",
		r.games.DB.Millis()-began)
	r.slow = s.Turn.Number
	r.owe(began)
	r.retry(0)
}
