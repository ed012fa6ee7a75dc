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
	"meldhall/tournament/store"
)

// NewGames returns the runner of a database's games. Games start without the seats of players who have left or are
// disqualified. Boot restores running games.
func NewGames(db *store.DB, log *game.Log) *game.Games {
	g := game.New(db, log)
	g.BeganWithout = func(ctx context.Context, ref game.Ref) error {
		return errors.Join(withoutDisqualified(ctx, g, ref), withoutGone(ctx, g, ref))
	}
	return g
}

// takeSeatBack cancels the forfeits that a change to a player caused in the player's running games. Referees' forfeits
// stay.
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

// leaveKey is the key of the command by which a change to a player forfeits a seat in a running game. goneKey is its
// counterpart for players who left before the game began.
func leaveKey(change int64, seat int) string { return fmt.Sprintf("people-%d-%d", change, seat) }

func goneKey(seat int) string { return fmt.Sprintf("people-gone-%d", seat) }

// withoutGone forfeits the seats of players who left before their game began, in the name of the official who recorded
// it. This is needed because a round is seated for several games.
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

// actorNamed parses a record's "role:name" into an official.
func actorNamed(text string) rights.Actor {
	role, name, _ := strings.Cut(text, ":")
	return rights.Staff(rights.Role(role), name)
}

// goneOf returns which of these players have left the table, with the official who recorded it.
func goneOf(ctx context.Context, s *store.DB, players []int64) (map[int64]rights.Actor, error) {
	db := s.Read.WithContext(ctx)
	var gone []Player
	if err := db.Select("id", "tournament_id").Where("id IN ? AND gone <> 0", players).Find(&gone).Error; err != nil ||
		len(gone) == 0 {
		return nil, err
	}
	var changes []peopleChangeRow
	if err := db.Where("tournament_id = ? AND undone_at = 0 AND after LIKE '%gone%'",
		gone[0].TournamentID).Order("id DESC").Find(&changes).Error; err != nil {
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
