package people

import (
	"context"
	"errors"
	"fmt"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// takeSeatBack cancels the forfeits that a change to a player caused in the player's running games. Referees' forfeits
// stay.
func takeSeatBack(ctx context.Context, g *game.Games, actor, by rights.Actor, player, change int64) error {
	games, err := RunningGamesOf(ctx, g.DB, player)
	if err != nil {
		return err
	}
	for _, at := range games {
		for _, key := range []string{tournament.LeaveKey(change, at.Seat), goneKey(at.Seat)} {
			seq, err := g.SeqOf(ctx, by, at.Game, key)
			if err != nil {
				return err
			}
			if seq == 0 {
				continue
			}
			_, err = g.Submit(ctx, actor, at.Game, fmt.Sprintf("people-back-%d-%d", change, at.Seat),
				engine.CancelRuling{Grounds: engine.Grounds{Reason: "taken back", By: actor.Name}, Of: seq})
			if err := UnlessRefused(err); err != nil {
				return err
			}
		}
	}
	return nil
}

func goneKey(seat int) string { return fmt.Sprintf("people-gone-%d", seat) }

// WithoutGone forfeits the seats of players who left before their game began, in the name of the official who recorded
// their leaving. A round is seated for several games, so players can leave between them.
func WithoutGone(ctx context.Context, g *game.Games, ref game.Ref) error {
	gone, err := tournament.GoneOf(ctx, g.DB, ref.Players)
	if err != nil {
		return err
	}
	for seat, player := range ref.Players {
		by, ok := gone[player]
		if !ok {
			continue
		}
		_, err = g.Submit(ctx, by, ref.ID, goneKey(seat),
			engine.ForfeitSeat{Grounds: engine.Grounds{Reason: peopleWork{}.reason(), By: by.Name}, Seat: seat})
		if err := UnlessRefused(err); err != nil {
			return err
		}
	}
	return nil
}

// UnlessRefused returns err, or nil if err is a refusal by the rules: the seat is already out, or the game is over.
func UnlessRefused(err error) error {
	var refusal *engine.Refusal
	if errors.As(err, &refusal) {
		return nil
	}
	return err
}

// playedSeat is a seat in a running game.
type playedSeat struct {
	Game int64
	Seat int
}

// runningGames selects the games with a given status at the tables where a player sits, with the player's seat.
const runningGames = `SELECT g.id AS game, e.seat FROM seats e JOIN games g ON g.table_id = e.table_id WHERE e.player_id = ? AND g.status = ?`

// RunningGamesOf returns the player's seats in running games.
func RunningGamesOf(ctx context.Context, s *store.DB, player int64) (games []playedSeat, err error) {
	err = s.Read.WithContext(ctx).Raw(runningGames, player, game.Running).Scan(&games).Error
	return games, err
}
