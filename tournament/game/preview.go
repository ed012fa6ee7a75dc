package game

import (
	"context"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// Effect is what a command does to a game: the events that it brings about, with the state before and after them.
// The states hold racks and the pool's order: only what is said of them may leave the server.
type Effect struct {
	Before, After engine.State
	Events        []engine.Event
}

// Preview decides a command on the game as it stands and writes nothing: what an official sees before confirming.
// An overdue turn has expired in it, as it will have when the command comes. Errors are those of Submit.
func (g *Games) Preview(ctx context.Context, actor rights.Actor, game int64, c engine.Command) (Effect, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return Effect{}, err
	}
	if err := authorizeCommand(actor, snap.Ref, c); err != nil {
		return Effect{}, err
	}
	at := *snap
	events, err := g.decide(ctx, &at, c)
	if err == nil && engine.ByClock(events) {
		at.State = applyAll(at.State, events)
		events, err = g.decide(ctx, &at, c)
	}
	if err != nil {
		return Effect{Before: at.State, After: at.State}, err
	}
	return Effect{Before: at.State, After: applyAll(at.State, events), Events: events}, nil
}

// EffectAt tells what the command whose first event has this seq has done, for the officials.
func (g *Games) EffectAt(ctx context.Context, actor rights.Actor, game int64, seq int) (Effect, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return Effect{}, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID, Seat: -1}, rights.MayRule); err != nil {
		return Effect{}, err
	}
	log, err := g.log.Tail(ctx, game, 0)
	if err != nil {
		return Effect{}, err
	}
	var e Effect
	for _, entry := range log {
		switch {
		case entry.Seq < seq:
			e.Before = engine.Apply(e.Before, entry.Event)
			e.After = e.Before
		case entry.Seq == seq || len(e.Events) > 0 && entry.Cmd == "" && entry.Actor == log[seq-1].Actor:
			e.After, e.Events = engine.Apply(e.After, entry.Event), append(e.Events, entry.Event)
		default:
			return e, nil
		}
	}
	return e, nil
}

func applyAll(s engine.State, events []engine.Event) engine.State {
	for _, e := range events {
		s = engine.Apply(s, e)
	}
	return s
}
