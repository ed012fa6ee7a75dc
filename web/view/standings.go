package view

import (
	"context"
	"slices"
	"sync"

	"meldhall/engine"
	"meldhall/templates/public"
	"meldhall/tournament"
	"meldhall/tournament/displayname"
	"meldhall/tournament/format"
	"meldhall/tournament/ranking"
)

// madeAt caches a value computed as of a moment, for the last requested moment.
type madeAt[V any] struct {
	mu   sync.Mutex
	read bool
	at   engine.Millis
	made V
}

// keptAt is like Kept for values computed as of a moment.
func keptAt[V any](ctx context.Context, t *Tournaments, tournamentID int64, key string, at engine.Millis,
	read func(context.Context) (V, error)) (V, error) {
	one, err := Kept(ctx, t, tournamentID, key, func(context.Context) (*madeAt[V], error) {
		return new(madeAt[V]), nil
	})
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

// Standings returns a tournament's standings as of a moment, with the names that the context's reader may see. They are
// cached until the tournament changes: at the end of a round, a whole hall views them after each result. The value is
// shared and must not be modified.
func (t *Tournaments) Standings(ctx context.Context, tournamentID int64, at engine.Millis) (ranking.Standings, error) {
	as, alike := displayname.Alike(ctx, tournamentID)
	if !alike {
		return t.playersStandings(ctx, tournamentID, at)
	}
	return keptAt(ctx, t, tournamentID, "standings "+as, at, func(ctx context.Context) (ranking.Standings, error) {
		return ranking.StandingsAt(ctx, t.store, tournamentID, at)
	})
}

// Listed is the summary of a tournament's standings in a list.
type Listed struct {
	Players int
	Stages  []format.Stage
	First   []public.PastName // the leaders or winners
}

// listedAt returns the summary of a tournament as of a moment. It is cached separately from the standings, because a
// list may contain hundreds of finished tournaments with all their players. Officials get the full names, and all other
// readers the public ones.
func (t *Tournaments) ListedAt(ctx context.Context, tournamentID int64, at engine.Millis) (Listed, error) {
	as, alike := displayname.Alike(ctx, tournamentID)
	if !alike {
		return t.ListedAt(displayname.ForAll(ctx), tournamentID, at)
	}
	return keptAt(ctx, t, tournamentID, "listed "+as, at, func(ctx context.Context) (Listed, error) {
		standings, err := ranking.StandingsAt(ctx, t.store, tournamentID, at)
		return Listed{Players: len(standings.Rows), Stages: standings.Stages, First: first(standings)}, err
	})
}

// first returns the leaders or winners, in each division.
func first(standings ranking.Standings) (players []public.PastName) {
	add := func(r ranking.StandingsRow) {
		players = append(players, public.PastName{ID: r.Player, Name: r.Name, Country: r.Country})
	}
	for _, r := range standings.Champions() {
		add(r)
	}
	for _, r := range standings.Rows {
		if len(standings.Titles) == 0 && r.Place == 1 && r.Games > 0 {
			add(r)
		}
	}
	return players
}

// playersStandings returns the public standings, with full names for players who share or shared a table with the
// reader.
func (t *Tournaments) playersStandings(ctx context.Context, tournamentID int64, at engine.Millis) (ranking.Standings,
	error) {
	out, err := t.Standings(displayname.ForAll(ctx), tournamentID, at)
	if err != nil {
		return out, err
	}
	whole, err := keptSeating(ctx, t, tournamentID, "whole names", func(ctx context.Context) (map[int64]string, error) {
		return tournament.WholeNames(ctx, t.store, tournamentID)
	})
	if err != nil || len(whole) == 0 {
		return out, err
	}
	out.Rows, out.Titles = slices.Clone(out.Rows), slices.Clone(out.Titles)
	named := [][]ranking.StandingsRow{out.Rows}
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
			met, err := displayname.Met(t.store.Read.WithContext(ctx), r.Player)
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

// RowNames returns the names of the rows.
func RowNames(rows []ranking.StandingsRow) []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Name
	}
	return names
}
