package result

import (
	"context"
	"errors"

	"meldhall/tournament/game"
	"meldhall/tournament/people"
	"meldhall/tournament/store"
)

// NewGames returns the runner of a database's games. Games start without the seats of players who have left or are
// disqualified. Boot restores running games.
func NewGames(db *store.DB, log *game.Log) *game.Games {
	g := game.New(db, log)
	g.BeganWithout = func(ctx context.Context, ref game.Ref) error {
		return errors.Join(withoutDisqualified(ctx, g, ref), people.WithoutGone(ctx, g, ref))
	}
	return g
}
