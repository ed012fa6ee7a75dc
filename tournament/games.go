package tournament

import (
	"context"
	"errors"

	"meldhall/tournament/game"
	"meldhall/tournament/storage"
)

// NewGames gives the runner of the games in a store: none begins with the seats of people who are out. Boot brings running games
// back to life.
func NewGames(store *storage.DB, log *game.Log) *game.Games {
	g := game.New(store, log)
	g.Began = func(ctx context.Context, ref game.Ref) error { return withoutThoseOut(ctx, g, ref) }
	return g
}

// withoutThoseOut gives up the seats in a game that has begun of those who have gone or are disqualified. It is seldom so, and
// who and why is asked only then.
func withoutThoseOut(ctx context.Context, g *game.Games, ref game.Ref) error {
	var out bool
	err := g.DB.ReadSQL.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM seats e JOIN players p ON p.id = e.player_id WHERE e.table_id = ?
		AND (p.gone <> 0 OR EXISTS (SELECT 1 FROM sanctions d WHERE d.tournament_id = p.tournament_id AND d.player_id = p.id AND d.kind = ?)))`,
		ref.TableID, Disqualification).Scan(&out)
	if err != nil || !out {
		return err
	}
	return errors.Join(withoutDisqualified(ctx, g, ref), withoutGone(ctx, g, ref))
}
