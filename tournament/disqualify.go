package tournament

import "context"

// SecondSanction confirms a proposed disqualification (Store.SecondSanction) and gives up the player's seat in the game
// that is on.
func (g *Games) SecondSanction(ctx context.Context, actor Actor, id int64) (Sanction, error) {
	one, err := g.store.SecondSanction(ctx, actor, id)
	if err != nil {
		return one, err
	}
	// TODO(forfeit): engine.ForfeitSeat{Disqualified: true} in the running game.
	return one, nil
}
