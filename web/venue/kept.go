package venue

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/schedule"
)

// kept is what was read of events since they were changed last, so that a move is drawn without asking again who sits where, how they are
// written, what the format is or how the standings are. Whatever a commit has changed of an event, all that is kept of it is forgotten, and
// so it is when a game begins or ends: what is decided within a game is the game's, and is never kept here. What is only about who sits where
// and how they are written is kept apart, and longer: no result changes it.
type kept struct {
	mu     sync.Mutex
	events map[int64]*keptEvent
}

// keptEvent is dropped as a whole when something changes, along with what is being read for it.
type keptEvent struct{ values map[string]*keptValue }

// keptValue is read by one while the others wait for it.
type keptValue struct {
	mu    sync.Mutex
	read  bool
	value any
}

// valuesMost bounds what is kept of one event.
const valuesMost = 5000

func (k *kept) of(event int64, key string) *keptValue {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.events[event]
	if e == nil {
		if k.events == nil || len(k.events) >= keptMost {
			k.events = map[int64]*keptEvent{}
		}
		e = &keptEvent{values: map[string]*keptValue{}}
		k.events[event] = e
	}
	v := e.values[key]
	if v == nil {
		if len(e.values) >= valuesMost {
			clear(e.values)
		}
		v = &keptValue{}
		e.values[key] = v
	}
	return v
}

func (k *kept) forget(event int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if event == 0 { // what belongs to no event may be seen in all
		k.events = nil
		return
	}
	delete(k.events, event)
}

// Kept gives what read gives for a key of an event, read once until the event is changed. It is shared, and not to be changed. What it depends
// on besides the event's records must be in the key: the reader and the language, for one, and how far the reader sees.
func Kept[V any](ctx context.Context, s *Venue, event int64, key string, read func(context.Context) (V, error)) (V, error) {
	return keptIn(ctx, &s.kept, event, key, read)
}

// KeptSeating is Kept until the seats, the people or the settings of the event are changed.
func KeptSeating[V any](ctx context.Context, s *Venue, event int64, key string, read func(context.Context) (V, error)) (V, error) {
	return keptIn(ctx, &s.seating, event, key, read)
}

func keptIn[V any](ctx context.Context, k *kept, event int64, key string, read func(context.Context) (V, error)) (V, error) {
	v := k.of(event, key)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.read {
		return v.value.(V), nil
	}
	value, err := read(context.WithoutCancel(ctx)) // others wait for it, who must not fail when this reader goes
	if err == nil {
		v.value, v.read = value, true
	}
	return value, err
}

// Moved lets go what is remembered of an event one of whose games has begun or ended.
func (s *Venue) Moved(event int64) { s.kept.forget(event) }

// Rounds are the rounds of an event, in order.
func (s *Venue) Rounds(ctx context.Context, event int64) ([]tournament.Round, error) {
	return Kept(ctx, s, event, "rounds", func(ctx context.Context) ([]tournament.Round, error) { return tournament.Rounds(ctx, s.Store, event) })
}

// Slots are the lines of an event's plan.
func (s *Venue) Slots(ctx context.Context, event int64) ([]schedule.Slot, error) {
	return Kept(ctx, s, event, "slots", func(ctx context.Context) ([]schedule.Slot, error) { return schedule.Slots(ctx, s.Store, event) })
}

// eventFormat is an event with its format.
type eventFormat struct {
	event  tournament.Tournament
	format format.Format
}

// EventFormat is an event with its copy of its format.
func (s *Venue) EventFormat(ctx context.Context, event int64) (tournament.Tournament, format.Format, error) {
	one, err := Kept(ctx, s, event, "format", func(ctx context.Context) (one eventFormat, err error) {
		if one.event, err = tournament.TournamentByID(ctx, s.Store, event); err == nil {
			one.format, err = one.event.Format()
		}
		return one, err
	})
	return one.event, one.format, err
}

// CurrentInRound gives the current game of every table of a round of an event, by what came before a moment.
func (s *Venue) CurrentInRound(ctx context.Context, event, round int64, at engine.Millis) ([]game.CurrentGame, error) {
	if at != tournament.Always {
		return game.CurrentInRoundBefore(ctx, s.Store, round, at)
	}
	return Kept(ctx, s, event, "current "+strconv.FormatInt(round, 10), func(ctx context.Context) ([]game.CurrentGame, error) {
		return game.CurrentInRound(ctx, s.Store, round)
	})
}

// CurrentAtTable gives the current game of a table that is looked for in an event, by what came before a moment. It is found among those of
// its round, which are read once for all who look at one of them.
func (s *Venue) CurrentAtTable(ctx context.Context, event, table int64, at engine.Millis) (game.CurrentGame, error) {
	if at != tournament.Always {
		return game.CurrentAtTableBefore(ctx, s.Store, table, at)
	}
	round, err := KeptSeating(ctx, s, event, "round "+strconv.FormatInt(table, 10), func(ctx context.Context) (int64, error) {
		at, err := tournament.TableByID(ctx, s.Store, table)
		return at.RoundID, err
	})
	if err != nil {
		return game.CurrentGame{}, err
	}
	all, err := s.CurrentInRound(ctx, event, round, at)
	i := slices.IndexFunc(all, func(g game.CurrentGame) bool { return g.Table == table })
	if err == nil && i < 0 {
		err = refuse.NotFound("err_table_not_found", "id", table)
	}
	if err != nil {
		return game.CurrentGame{}, err
	}
	return all[i], nil
}

// gamePlace is where a game is played and by whom.
type gamePlace struct {
	at     templates.GamePlace
	people []templates.Person
}

// GamePlace says where a game is played, in the reader's language, and who sits there.
func (s *Venue) GamePlace(ctx context.Context, ref game.Ref) (templates.GamePlace, []templates.Person, error) {
	read := func(ctx context.Context) (gamePlace, error) { return s.readPlace(ctx, ref) }
	as, alike := naming.Alike(ctx, ref.TournamentID)
	if !alike {
		place, err := read(ctx)
		return place.at, place.people, err
	}
	key := "place " + strconv.FormatInt(ref.ID, 10) + " " + as + " " + templates.LanguageOf(ctx).Tag
	place, err := KeptSeating(ctx, s, ref.TournamentID, key, read)
	return place.at, place.people, err
}
