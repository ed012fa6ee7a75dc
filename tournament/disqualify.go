package tournament

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/rights"
)

// SecondSanction confirms a proposed disqualification (Store.SecondSanction) and gives up the player's seat in the game
// that is on. Done again it does what is missing.
func (g *Games) SecondSanction(ctx context.Context, actor rights.Actor, id int64) (Sanction, error) {
	one, err := g.store.SecondSanction(ctx, actor, id)
	if err != nil {
		return one, err
	}
	return one, g.inRunningGames(ctx, one, func(ctx context.Context, game int64, seat int) error {
		return g.giveUp(ctx, one, game, seat)
	})
}

// CancelSanction takes a sanction back (Store.CancelSanction). The seat that a disqualification gave up in a game that is
// still on plays again, unless the game has gone too far: then a referee rewinds.
func (g *Games) CancelSanction(ctx context.Context, actor rights.Actor, id int64, why string) (Sanction, error) {
	one, err := g.store.CancelSanction(ctx, actor, id, why)
	if err != nil || one.Seconded == nil {
		return one, err
	}
	return one, g.inRunningGames(ctx, one, func(ctx context.Context, game int64, seat int) error {
		snap, err := g.Look(ctx, game)
		if err != nil {
			return err
		}
		for _, r := range engine.ViewFor(snap.State, engine.Referee).Rulings {
			if r.Kind != (engine.SeatForfeited{}).Kind() || r.Seat != seat || r.Cancelled != 0 || r.Reason != one.Reason || r.By != nameOf(one.Seconded.Actor) {
				continue
			}
			_, err := g.Submit(ctx, actor, game, fmt.Sprintf("sanction-back-%d", one.ID),
				engine.CancelRuling{Grounds: engine.Grounds{Reason: one.Cancelled.Why, By: actor.Name}, Of: r.Seq})
			return unlessRefused(err)
		}
		return nil
	})
}

// inRunningGames does something with the player's seat in every game of the player's that is on. It is done even if
// nobody waits for the answer.
func (g *Games) inRunningGames(ctx context.Context, one Sanction, do func(ctx context.Context, game int64, seat int) error) error {
	ctx = context.WithoutCancel(ctx)
	games, err := g.store.runningGamesOf(ctx, one.PlayerID)
	if err != nil {
		return err
	}
	var errs []error
	for _, at := range games {
		errs = append(errs, do(ctx, at.Game, at.Seat))
	}
	return errors.Join(errs...)
}

// giveUp forfeits a disqualified player's seat, in the name of who confirmed it.
func (g *Games) giveUp(ctx context.Context, one Sanction, game int64, seat int) error {
	role, name, _ := strings.Cut(one.Seconded.Actor, ":")
	_, err := g.Submit(ctx, rights.Staff(rights.Role(role), name), game, fmt.Sprintf("sanction-out-%d", one.ID),
		engine.ForfeitSeat{Grounds: engine.Grounds{Rule: one.Rule, Reason: one.Reason, By: name}, Seat: seat, Disqualified: true})
	return unlessRefused(err)
}

// withoutDisqualified gives up the seats of those who were disqualified before their game began: a round is seated for
// several games.
func (g *Games) withoutDisqualified(ctx context.Context, ref GameRef) error {
	out, err := g.store.disqualifications(ctx, ref.TournamentID)
	if err != nil {
		return err
	}
	for _, one := range out {
		for seat, player := range ref.Players {
			if player == one.PlayerID {
				err = errors.Join(err, g.giveUp(ctx, one, ref.ID, seat))
			}
		}
	}
	return err
}

// unlessRefused makes a refusal of the rules no error: the seat is out already, or the game is over.
func unlessRefused(err error) error {
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}
