package venue

import (
	"context"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/naming"
)

// standingsAt are an event's standings by what counts before a moment, the one that was asked for last.
type standingsAt struct {
	mu   sync.Mutex
	read bool
	at   engine.Millis
	tournament.Standings
}

// Standings are an event's standings by what counts before a moment, with the names that the reader of the context may see, read once until
// something changes in the event: when a round ends a whole hall looks at them with each result. They are shared, and not to be changed.
func (s *Venue) Standings(ctx context.Context, event int64, at engine.Millis) (tournament.Standings, error) {
	as, alike := naming.Alike(ctx, event)
	if !alike {
		return s.playersStandings(ctx, event, at)
	}
	one, err := Kept(ctx, s, event, "standings "+as, func(context.Context) (*standingsAt, error) { return new(standingsAt), nil })
	if err != nil {
		return tournament.Standings{}, err
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.read && one.at == at {
		return one.Standings, nil
	}
	now, err := tournament.StandingsAt(context.WithoutCancel(ctx), s.Store, event, at)
	if err == nil {
		one.read, one.at, one.Standings = true, at, now
	}
	return now, err
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
