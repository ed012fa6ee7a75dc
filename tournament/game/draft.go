package game

import (
	"context"

	"meldhall/engine"
	"meldhall/engine/judge"
	"meldhall/engine/tile"
	"meldhall/tournament/rights"
)

// Draft is the working table of a turn: what a player has moved but not submitted. It is not an event. It is shown live
// to the table and discarded when the turn ends.
type Draft struct {
	Turn      int              `json:"turn"`
	Seat      int              `json:"seat"`
	Table     []tile.LaidFaces `json:"table"`
	Disturbed bool             `json:"disturbed"`
	Number    int              `json:"number"` // increases with every change, over the whole game
	From      Sender           `json:"-"`
}

// Sender is the device that a draft comes from, with that device's increasing count. Of two drafts of one device, the
// one with the higher count is newer, in whatever order the network delivers them. The zero Sender always counts as
// newest.
type Sender struct {
	Device string `json:"device,omitempty" maxLength:"64" doc:"a name the device chose for itself"`
	Count  int64  `json:"count,omitempty" doc:"increases with each draft of the device"`
}

func (s Sender) before(newest *Draft, turn int) bool {
	return s.Device != "" && newest != nil && newest.Turn == turn && newest.From.Device == s.Device &&
		s.Count < newest.From.Count
}

// DraftAnswer is the engine's verdict on a draft, with the game at that time. With a refusal, the snapshot is the one
// that the refusal was based on.
type DraftAnswer struct {
	judge.Verdict
	Snapshot *Snapshot
}

// SetDraft stores a player's draft of the current turn and returns the engine's verdict on it. A draft that arrives
// after a newer one of the same device is judged but not stored. Viewers see drafts, so one with a tile that is neither
// on the table nor on the player's rack is refused and the draft before it stays.
func (g *Games) SetDraft(ctx context.Context, actor rights.Actor, game int64, turn int, table []tile.LaidFaces,
	from Sender) (DraftAnswer, error) {
	r, err := g.cache.find(ctx, game)
	if err != nil {
		return DraftAnswer{}, err
	}
	play := engine.Play{Seat: actor.Seat, Turn: turn, Table: table}
	if err := authorizeCommand(actor, &r.now.Load().Ref, play); err != nil {
		return DraftAnswer{}, err
	}
	if err := checkSize(table); err != nil {
		return DraftAnswer{}, err
	}
	for {
		old := r.now.Load()
		snap := *old
		if snap.State.Phase != engine.PhasePlaying || snap.State.Turn.Seat != play.Seat ||
			snap.State.Turn.Number != turn {
			if moved, err := r.newest(ctx); err != nil {
				return DraftAnswer{}, err
			} else if moved {
				continue
			}
			return DraftAnswer{Snapshot: old}, &engine.Refusal{Code: engine.RefusedStaleTurn, Set: -1}
		}
		if set := snap.State.Strange(table); set >= 0 {
			return DraftAnswer{Snapshot: old}, &engine.Refusal{Code: judge.CodeNotOnRack, Set: set}
		}
		if from.before(old.Draft, turn) {
			return DraftAnswer{engine.JudgePlay(old.State, play), old}, nil
		}
		snap.DraftNumber++
		snap.Draft = &Draft{Turn: turn, Seat: play.Seat, Table: table, Number: snap.DraftNumber, From: from}
		snap.Draft.Disturbed = !tile.SameSets(snap.State.Table, table)
		if r.now.CompareAndSwap(old, &snap) {
			g.Notes.draft(old, &snap)
			g.Owner.Drafted(old, &snap)
			g.Moved(snap.Ref, StepDraft)
			return DraftAnswer{engine.JudgePlay(snap.State, play), &snap}, nil
		}
	}
}

// Disturbed reports whether the draft of the current turn disturbs the table.
func (s *Snapshot) Disturbed() bool {
	return s.Draft != nil && s.Draft.Turn == s.State.Turn.Number && s.Draft.Disturbed
}

// Effect is the effect of a command on a game: the events that it causes, and the states before and after them. The
// states contain racks and the order of the pool, so only statements derived from them may leave the server.
type Effect struct {
	Before, After engine.State
	Events        []engine.Event
}

// Preview decides commands one after the other on the current game and writes nothing: an official sees the result
// before confirming. If the turn is overdue, it expires first, as it will when the commands are submitted. Errors are
// those of Submit.
func (g *Games) Preview(ctx context.Context, actor rights.Actor, game int64, commands ...engine.Command) (effect Effect,
	err error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return effect, err
	}
	at := *snap
	for i, c := range commands {
		if err := authorizeCommand(actor, &snap.Ref, c); err != nil {
			return effect, err
		}
		if c, err = g.Log.rewinding(ctx, game, c); err != nil {
			return effect, err
		}
		if again, ok := c.(engine.GrantRedeal); ok {
			again.Deal = ShuffledDeal() // its tiles are not shown
			c = again
		}
		events, err := engine.Decide(&at.State, c, at.Disturbed(), g.now())
		if err == nil && engine.ByClock(events) {
			at.State = applyAll(at.State, events)
			events, err = engine.Decide(&at.State, c, at.Disturbed(), g.now())
		}
		if err != nil {
			return Effect{Before: at.State, After: at.State}, err
		}
		if i == 0 {
			effect.Before = at.State
		}
		at.State = applyAll(at.State, events)
		effect.After, effect.Events = at.State, append(effect.Events, events...)
	}
	return effect, nil
}

// EffectAt returns the effect of the command whose first event has this seq, for officials.
func (g *Games) EffectAt(ctx context.Context, actor rights.Actor, game int64, seq int) (Effect, error) {
	snap, err := g.Look(ctx, game)
	if err != nil {
		return Effect{}, err
	}
	if err := rights.Authorize(actor, rights.Place{Tournament: snap.Ref.TournamentID, Table: snap.Ref.TableID,
		Number: snap.Ref.TableNumber, Seat: -1}, rights.MayRule); err != nil {
		return Effect{}, err
	}
	log, err := g.Log.Tail(ctx, game, 0)
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
		s.Follow(e)
	}
	return s
}
