package game

import (
	"context"
	"fmt"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// PastCommand is a command given at a past moment, in a game that is reenacted instead of played, for training.
// Disturbed reports whether tiles had been moved in the current turn by then.
type PastCommand struct {
	Actor     rights.Actor
	At        engine.Millis
	Command   engine.Command
	Disturbed bool
}

// Reenact applies commands to a game that has not begun. Each one is authorized, decided by the engine at its own time,
// and logged as if it had been given then.
func (g *Games) Reenact(ctx context.Context, game int64, commands []PastCommand) error {
	r, err := g.cache.find(ctx, game)
	if err != nil {
		return err
	}
	if r, err = g.cache.hold(ctx, r, game); err != nil {
		return err
	}
	defer r.mu.Unlock()
	if phase := r.now.Load().State.Phase; phase != engine.PhaseNew {
		return fmt.Errorf("reenact game %d: it has begun (%s)", game, phase)
	}
	for _, c := range commands {
		snap := r.now.Load()
		if err := authorizeCommand(c.Actor, &snap.Ref, c.Command); err != nil {
			return err
		}
		events, err := engine.Decide(&snap.State, c.Command, c.Disturbed, time.UnixMilli(int64(c.At)))
		if err != nil {
			return fmt.Errorf("reenact %T of game %d: %w", c.Command, game, err)
		}
		answer, err := r.commit(ctx, snap, events, By{Actor: c.Actor.String()})
		if err != nil {
			return err
		}
		if ofPlayer(c.Command) {
			g.Notes.submission(&snap.Ref, c.At, c.Command, answer, nil)
		}
	}
	return nil
}
