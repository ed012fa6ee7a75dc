package view

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/play"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/draw"
	"meldhall/tournament/format"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/schedule"
	"meldhall/tournament/store"
)

// Tournaments reads and caches what many pages show of tournaments.
type Tournaments struct {
	store   *store.DB
	kept    kept // until anything of a tournament changes
	seating kept // until its seats, people or settings change
}

// kept caches data of tournaments until they change, so that rendering a move does not query seats, names, formats or
// standings again. A commit drops everything cached for the tournament it changes, and so does the beginning or end of
// a game. Decisions within a game belong to the game and are never cached here. Data that depends only on seats and
// names is cached separately and for longer, because no result changes it.
type kept struct {
	mu     sync.Mutex
	events map[int64]*keptEvent
}

// keptEvent is dropped as a whole when something changes, including values that are still being read.
type keptEvent struct{ values map[string]*keptValue }

// keptValue is read by one goroutine while others wait for it.
type keptValue struct {
	mu    sync.Mutex
	read  bool
	value any
}

// valuesMost limits the cached values of one tournament.
const valuesMost = 5000

func (k *kept) of(tournamentID int64, key string) *keptValue {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.events[tournamentID]
	if e == nil {
		if k.events == nil || len(k.events) >= keptMost {
			k.events = map[int64]*keptEvent{}
		}
		e = &keptEvent{values: map[string]*keptValue{}}
		k.events[tournamentID] = e
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

func (k *kept) forget(tournamentID int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if tournamentID == 0 { // changes outside any tournament may affect all
		k.events = nil
		return
	}
	delete(k.events, tournamentID)
}

// Kept returns the result of read for a key of a tournament. It calls read only once until the tournament changes. The
// value is shared and must not be modified. Everything that it depends on besides the tournament's records must be in
// the key, such as the reader, the language, and what the reader may see.
func Kept[V any](ctx context.Context, t *Tournaments, tournamentID int64, key string,
	read func(context.Context) (V, error)) (V, error) {
	return keptIn(ctx, &t.kept, tournamentID, key, read)
}

// keptSeating is like Kept, but until the tournament's seats, people or settings change.
func keptSeating[V any](ctx context.Context, t *Tournaments, tournamentID int64, key string,
	read func(context.Context) (V, error)) (V, error) {
	return keptIn(ctx, &t.seating, tournamentID, key, read)
}

func keptIn[V any](ctx context.Context, k *kept, tournamentID int64, key string,
	read func(context.Context) (V, error)) (V, error) {
	v := k.of(tournamentID, key)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.read {
		return v.value.(V), nil
	}
	value, err := read(context.WithoutCancel(ctx)) // others wait for it and must not fail if this reader disconnects
	if err == nil {
		v.value, v.read = value, true
	}
	return value, err
}

// Moved drops the cached data of a tournament. It must be called when one of the tournament's games begins or ends.
func (t *Tournaments) Moved(tournamentID int64) { t.kept.forget(tournamentID) }

// Rounds returns the rounds of a tournament, in order.
func (t *Tournaments) Rounds(ctx context.Context, tournamentID int64) ([]tournament.Round, error) {
	return Kept(ctx, t, tournamentID, "rounds", func(ctx context.Context) ([]tournament.Round, error) {
		return draw.Rounds(ctx, t.store, tournamentID)
	})
}

// Slots returns the entries of a tournament's schedule.
func (t *Tournaments) Slots(ctx context.Context, tournamentID int64) ([]schedule.Slot, error) {
	return Kept(ctx, t, tournamentID, "slots", func(ctx context.Context) ([]schedule.Slot, error) {
		return schedule.Slots(ctx, t.store, tournamentID)
	})
}

// eventFormat is a tournament with its format and its time zone.
type eventFormat struct {
	event  tournament.Tournament
	format format.Format
	zone   *time.Location
}

// WithFormat returns a tournament and its format, which is the tournament's own copy.
func (t *Tournaments) WithFormat(ctx context.Context, tournamentID int64) (tournament.Tournament, format.Format,
	error) {
	one, err := t.eventFormat(ctx, tournamentID)
	return one.event, one.format, err
}

func (t *Tournaments) eventFormat(ctx context.Context, tournamentID int64) (eventFormat, error) {
	return Kept(ctx, t, tournamentID, "format", func(ctx context.Context) (one eventFormat, err error) {
		if one.event, err = tournament.TournamentByID(ctx, t.store, tournamentID); err == nil {
			one.zone = one.event.Zone()
			one.format, err = one.event.Format()
		}
		return one, err
	})
}

// InZone returns a context in which times are shown in a tournament's time zone.
func (t *Tournaments) InZone(ctx context.Context, tournamentID int64) context.Context {
	return locale.InZone(ctx, sync.OnceValue(func() *time.Location {
		one, err := t.eventFormat(ctx, tournamentID)
		if err != nil {
			return nil // the handler reports the error
		}
		return one.zone
	}))
}

// CurrentInRound returns the current game of every table of a tournament's round, as of a moment.
func (t *Tournaments) CurrentInRound(ctx context.Context, tournamentID, round int64,
	at engine.Millis) ([]game.CurrentGame, error) {
	if at != tournament.Always {
		return game.CurrentInRoundBefore(ctx, t.store, round, at)
	}
	return Kept(ctx, t, tournamentID, "current "+strconv.FormatInt(round, 10),
		func(ctx context.Context) ([]game.CurrentGame, error) {
			return game.CurrentInRound(ctx, t.store, round)
		})
}

// CurrentAtTable returns the current game of a tournament's table, as of a moment. It takes the game from those of the
// round, which are read once for all readers.
func (t *Tournaments) CurrentAtTable(ctx context.Context, tournamentID, table int64,
	at engine.Millis) (game.CurrentGame, error) {
	if at != tournament.Always {
		return game.CurrentAtTableBefore(ctx, t.store, table, at)
	}
	round, err := keptSeating(ctx, t, tournamentID, "round "+strconv.FormatInt(table, 10),
		func(ctx context.Context) (int64, error) {
			at, err := tournament.TableByID(ctx, t.store, table)
			return at.RoundID, err
		})
	if err != nil {
		return game.CurrentGame{}, err
	}
	all, err := t.CurrentInRound(ctx, tournamentID, round, at)
	i := slices.IndexFunc(all, func(g game.CurrentGame) bool { return g.Table == table })
	if err == nil && i < 0 {
		err = refuse.NotFound("err_table_not_found", "id", table)
	}
	if err != nil {
		return game.CurrentGame{}, err
	}
	return all[i], nil
}

// gamePlace is the place of a game and its players.
type gamePlace struct {
	at     play.GamePlace
	people []play.Person
}

// GamePlace returns the place of a game, in the reader's language, and its players.
func (t *Tournaments) GamePlace(ctx context.Context, ref game.Ref) (play.GamePlace, []play.Person, error) {
	read := func(ctx context.Context) (gamePlace, error) { return t.readPlace(ctx, ref) }
	as, alike := displayname.Alike(ctx, ref.TournamentID)
	if !alike {
		place, err := read(ctx)
		return place.at, place.people, err
	}
	key := "place " + strconv.FormatInt(ref.ID, 10) + " " + as + " " + locale.LanguageOf(ctx).Tag
	place, err := keptSeating(ctx, t, ref.TournamentID, key, read)
	return place.at, place.people, err
}

func (t *Tournaments) readPlace(ctx context.Context, ref game.Ref) (place gamePlace, err error) {
	one, f, err := t.WithFormat(ctx, ref.TournamentID)
	if err != nil {
		return place, err
	}
	round, err := draw.RoundByID(ctx, t.store, ref.RoundID)
	if err != nil {
		return place, err
	}
	table, err := tournament.TableByID(ctx, t.store, ref.TableID)
	if err != nil {
		return place, err
	}
	place.people = make([]play.Person, len(table.Seats))
	for i, seat := range table.Seats {
		place.people[i] = play.Person{Name: seat.Player.Name, Country: seat.Player.Country}
		if ref.Practice == "" {
			place.people[i].Profile = templates.PlayerPath(ref.TournamentID, seat.PlayerID)
		}
	}
	place.at = play.GamePlace{Event: one.Name, Stage: StageName(ctx, f.Stages, round.Stage), Round: round.Number,
		Table:  ref.TableNumber,
		Number: ref.Number, Of: ref.Of, Practice: ref.Practice}
	return place, nil
}
