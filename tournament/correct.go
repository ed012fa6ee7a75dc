package tournament

import "context"

// Correct replaces a game's result by what an official rules, which confirms it, and starts what waited
// for that. The rounds returned were seated by the result as it was.
func (g *Games) Correct(ctx context.Context, actor Actor, game int64, rev int, c Correction) ([]Round, error) {
	seated, err := g.store.CorrectResult(ctx, actor, game, rev, c)
	if err != nil {
		return nil, err
	}
	if err := g.startWaiting(context.WithoutCancel(ctx), 0); err != nil {
		return nil, err
	}
	g.Moved(game)
	return seated, nil
}

// OrderReplay lets a game be played again: it counts for nobody, and the table plays one more.
func (g *Games) OrderReplay(ctx context.Context, actor Actor, game int64, rev int, why string) error {
	if err := g.store.OrderReplay(ctx, actor, game, rev, why); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	ref, err := g.store.gameRef(ctx, game)
	if err != nil {
		return err
	}
	if err := g.startWaiting(ctx, ref.TableID); err != nil {
		return err
	}
	g.Moved(game)
	return nil
}
