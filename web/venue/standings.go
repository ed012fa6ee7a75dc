package venue

import (
	"context"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/format"
	"meldhall/tournament/naming"
)

// madeAt is what was made of an event by what counts before a moment, the one that was asked for last.
type madeAt[V any] struct {
	mu   sync.Mutex
	read bool
	at   engine.Millis
	made V
}

// keptAt is Kept for what is made by what counts before a moment.
func keptAt[V any](ctx context.Context, s *Venue, event int64, key string, at engine.Millis, read func(context.Context) (V, error)) (V, error) {
	one, err := Kept(ctx, s, event, key, func(context.Context) (*madeAt[V], error) { return new(madeAt[V]), nil })
	if err != nil {
		return *new(V), err
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.read && one.at == at {
		return one.made, nil
	}
	now, err := read(context.WithoutCancel(ctx))
	if err == nil {
		one.read, one.at, one.made = true, at, now
	}
	return now, err
}

// Standings are an event's standings by what counts before a moment, with the names that the reader of the context may see, read once until
// something changes in the event: when a round ends a whole hall looks at them with each result. They are shared, and not to be changed.
func (s *Venue) Standings(ctx context.Context, event int64, at engine.Millis) (tournament.Standings, error) {
	as, alike := naming.Alike(ctx, event)
	if !alike {
		return s.playersStandings(ctx, event, at)
	}
	return keptAt(ctx, s, event, "standings "+as, at, func(ctx context.Context) (tournament.Standings, error) {
		return tournament.StandingsAt(ctx, s.Store, event, at)
	})
}

// Listed is what a list of events says of an event's standings.
type Listed struct {
	Players int
	Stages  []format.Stage
	First   []string // who leads, or has won
}

// ListedAt is what a list of events says of an event by what counts before a moment. It is kept apart from the standings, as a list
// has hundreds of events that are long over, each with its players; the names are those that officials or else everybody may see.
func (s *Venue) ListedAt(ctx context.Context, event int64, at engine.Millis) (Listed, error) {
	as, alike := naming.Alike(ctx, event)
	if !alike {
		return s.ListedAt(naming.ForAll(ctx), event, at)
	}
	return keptAt(ctx, s, event, "listed "+as, at, func(ctx context.Context) (Listed, error) {
		standings, err := tournament.StandingsAt(ctx, s.Store, event, at)
		return Listed{Players: len(standings.Rows), Stages: standings.Stages, First: first(standings)}, err
	})
}

// first are who leads, or has won, in each division.
func first(standings tournament.Standings) (names []string) {
	for _, r := range standings.Champions() {
		names = append(names, r.Name)
	}
	for _, r := range standings.Rows {
		if len(standings.Titles) == 0 && r.Place == 1 && r.Games > 0 {
			names = append(names, r.Name)
		}
	}
	return names
}

// playersStandings are what everybody sees, with the whole names of those who sit or sat at a table with the reader.
func (s *Venue) playersStandings(ctx context.Context, event int64, at engine.Millis) (tournament.Standings, error) {
	out, err := s.Standings(naming.ForAll(ctx), event, at)
	if err != nil {
		return out, err
	}
	whole, err := KeptSeating(ctx, s, event, "whole names", func(ctx context.Context) (map[int64]string, error) { return tournament.WholeNames(ctx, s.Store, event) })
	if err != nil || len(whole) == 0 {
		return out, err
	}
	out.Rows, out.Titles = slices.Clone(out.Rows), slices.Clone(out.Titles)
	named := [][]tournament.StandingsRow{out.Rows}
	for i, t := range out.Titles {
		out.Titles[i].Champions = slices.Clone(t.Champions)
		named = append(named, out.Titles[i].Champions)
	}
	for _, rows := range named {
		for i, r := range rows {
			name, other := whole[r.Player]
			if !other {
				continue
			}
			met, err := naming.Met(s.Store.Read.WithContext(ctx), r.Player)
			if err != nil {
				return out, err
			}
			if met {
				rows[i].Name = name
			}
		}
	}
	return out, nil
}
