package game

import (
	"context"
	"fmt"
	"time"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// Told is a command that somebody gave at a moment of the past, in a game that is told and not played: a training's. Disturbed is
// whether tiles were moved in the running turn by then.
type Told struct {
	Actor     rights.Actor
	At        engine.Millis
	Command   engine.Command
	Disturbed bool
}

// Tell brings a game that has not begun to where its commands lead, one after the other: each is authorized, decided by the engine at
// its moment and kept in the log, as if it had been given then.
func (g *Games) Tell(ctx context.Context, game int64, commands []Told) error {
	r, err := g.find(ctx, game)
	if err != nil {
		return err
	}
	if r, err = g.hold(ctx, r, game); err != nil {
		return err
	}
	defer r.mu.Unlock()
	if phase := r.now.Load().State.Phase; phase != engine.PhaseNew {
		return fmt.Errorf("tell game %d: it has begun (%s)", game, phase)
	}
	for _, c := range commands {
		snap := r.now.Load()
		if err := authorizeCommand(c.Actor, snap.Ref, c.Command); err != nil {
			return err
		}
		events, err := engine.Decide(snap.State, c.Command, c.Disturbed, time.UnixMilli(int64(c.At)))
		if err != nil {
			return fmt.Errorf("tell %T of game %d: %w", c.Command, game, err)
		}
		answer, err := g.commit(ctx, r, snap, events, c.Actor.String(), "")
		if err != nil {
			return err
		}
		if ofPlayer(c.Command) {
			g.noteSubmission(snap.Ref, c.At, c.Command, answer, nil)
		}
	}
	return nil
}
