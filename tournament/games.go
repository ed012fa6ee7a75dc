package tournament

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// NewGames gives the runner of the games in a store: none begins with the seats of people who are out. Boot brings running games
// back to life.
func NewGames(store *storage.DB, log *game.Log) *game.Games {
	g := game.New(store, log)
	g.BeganWithout = func(ctx context.Context, ref game.Ref) error {
		return errors.Join(withoutDisqualified(ctx, g, ref), withoutGone(ctx, g, ref))
	}
	return g
}

// takeSeatBack cancels the forfeits that a change about people made in a player's game that is on; those of referees stay.
func takeSeatBack(ctx context.Context, g *game.Games, actor, by rights.Actor, player, change int64) error {
	games, err := runningGamesOf(ctx, g.DB, player)
	if err != nil {
		return err
	}
	for _, at := range games {
		for _, key := range []string{leaveKey(change, at.Seat), goneKey(at.Seat)} {
			seq, err := g.SeqOf(ctx, by, at.Game, key)
			if err != nil {
				return err
			}
			if seq == 0 {
				continue
			}
			_, err = g.Submit(ctx, actor, at.Game, fmt.Sprintf("people-back-%d-%d", change, at.Seat),
				engine.CancelRuling{Grounds: engine.Grounds{Reason: "taken back", By: actor.Name}, Of: seq})
			if err := unlessRefused(err); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaveKey is the key of the command by which a change about people gives up a seat in a game that is on, goneKey of that for
// who had gone before the game began.
func leaveKey(change int64, seat int) string { return fmt.Sprintf("people-%d-%d", change, seat) }

func goneKey(seat int) string { return fmt.Sprintf("people-gone-%d", seat) }

// withoutGone gives up the seats of those who had left before their game began, in the name of who said so: a round is
// seated for several games.
func withoutGone(ctx context.Context, g *game.Games, ref game.Ref) error {
	gone, err := goneOf(ctx, g.DB, ref.Players)
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
		if err := unlessRefused(err); err != nil {
			return err
		}
	}
	return nil
}

// actorNamed is the official of a record's "role:name".
func actorNamed(text string) rights.Actor {
	role, name, _ := strings.Cut(text, ":")
	return rights.Staff(rights.Role(role), name)
}

// goneOf are those of some players who are not at the table any more, with the official who said so.
func goneOf(ctx context.Context, s *storage.DB, players []int64) (map[int64]rights.Actor, error) {
	db := s.Read.WithContext(ctx)
	var gone []Player
	if err := db.Select("id", "tournament_id").Where("id IN ? AND gone <> 0", players).Find(&gone).Error; err != nil || len(gone) == 0 {
		return nil, err
	}
	var changes []peopleChangeRow
	if err := db.Where("tournament_id = ? AND undone_at = 0 AND after LIKE '%gone%'", gone[0].TournamentID).Order("id DESC").Find(&changes).Error; err != nil {
		return nil, err
	}
	by := make(map[int64]rights.Actor, len(gone))
	for _, row := range changes {
		was, is, err := row.parts()
		if err != nil {
			return nil, err
		}
		for _, id := range goneIn(was, is) {
			if _, known := by[id]; !known {
				by[id] = actorNamed(row.Actor)
			}
		}
	}
	maps.DeleteFunc(by, func(id int64, _ rights.Actor) bool {
		return !slices.ContainsFunc(gone, func(p Player) bool { return p.ID == id })
	})
	return by, nil
}
