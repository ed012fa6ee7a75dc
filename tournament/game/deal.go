package game

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/refuse"
	"meldhall/tournament/storage"
)

// ShuffledDeal makes a deal with the operating system's generator: every order of the 106 tiles is
// equally likely, and nobody can foretell it.
func ShuffledDeal() engine.Deal {
	salt := make([]byte, 32)
	rand.Read(salt) // never fails
	return engine.Deal{Pool: shuffled(), Draws: shuffled(), Salt: hex.EncodeToString(salt)}
}

func shuffled() tile.List {
	order := tile.List(tile.All())
	for i := len(order) - 1; i > 0; i-- {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(i+1)))
		if err != nil {
			panic("the operating system's generator failed: " + err.Error())
		}
		j := int(n.Int64())
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// roundDeal is the deal of a duplicate round's nth games: all its tables get the same order of tiles.
type roundDeal struct {
	RoundID int64
	Number  int
	Deal    string
}

// dealAt makes a deal for a game: its first, or that of a new start in a turn.
func (g *Games) dealAt(ref Ref, turn int) engine.Deal {
	if g.DealAt != nil {
		return g.DealAt(ref, turn)
	}
	return g.Deal()
}

// dealOf gives a game its deal: one of its own, or that of all the round's tables, which the first of them makes.
func (g *Games) dealOf(ctx context.Context, ref Ref, same bool) (engine.Deal, error) {
	if !same {
		return g.dealAt(ref, 0), nil
	}
	var deal engine.Deal
	err := g.DB.Tx(ctx, func(tx *gorm.DB) error {
		row, ok, err := storage.First[roundDeal](tx.Where("round_id = ? AND number = ?", ref.RoundID, ref.Number))
		if ok {
			return json.Unmarshal([]byte(row.Deal), &deal)
		}
		if err != nil {
			return err
		}
		deal = g.dealAt(ref, 0)
		data, err := json.Marshal(deal)
		if err != nil {
			return err
		}
		return tx.Create(&roundDeal{ref.RoundID, ref.Number, string(data)}).Error
	})
	if err != nil {
		return engine.Deal{}, fmt.Errorf("deal of round %d: %w", ref.RoundID, err)
	}
	return deal, nil
}

// preparedStart is what a game's start takes from its event, round and table. Every game of a hall asks for it at once,
// so it is read in two statements.
type preparedStart struct {
	ruling
	sameDeal bool  // all tables of the round get the same deal
	physical bool  // with real tiles: as the table's first game, or as is set for it
	extra    []int // seconds more by seat, nil when nobody has any
}

func readStart(ctx context.Context, s *storage.DB, ref Ref) (p preparedStart, err error) {
	var most int
	err = s.ReadSQL.QueryRowContext(ctx, `
		SELECT e.format, e.rules, e.rule_changes, r.stage, r.number, r.duplicate, coalesce(
			(SELECT coalesce(json_extract(v.data, '$.physical'), '0') FROM games f JOIN game_events v ON v.game_id = f.id AND v.seq = 1
				WHERE f.table_id = t.id AND f.number = 1),
			CASE WHEN t.tiles = 'real' OR t.tiles = '' AND e.tiles = 'real' THEN '1' ELSE '0' END),
			coalesce((SELECT max(p.extra_seconds) FROM seats s JOIN players p ON p.id = s.player_id WHERE s.table_id = t.id), 0)
		FROM tables t JOIN rounds r ON r.id = t.round_id JOIN tournaments e ON e.id = r.tournament_id
		WHERE t.id = ? AND e.removed_at = 0`, ref.TableID).
		Scan(&p.format, &p.rules, &p.changes, &p.stage, &p.round, &p.sameDeal, &p.physical, &most)
	if errors.Is(err, sql.ErrNoRows) {
		return p, refuse.NotFound("err_tournament_not_found", "id", ref.TournamentID)
	}
	if err != nil {
		return p, fmt.Errorf("prepare game %d: %w", ref.ID, err)
	}
	if most == 0 { // as nearly everywhere
		return p, nil
	}
	extra, err := s.IDs(ctx, `SELECT p.extra_seconds FROM seats e JOIN players p ON p.id = e.player_id WHERE e.table_id = ? ORDER BY e.seat`, ref.TableID)
	for _, seconds := range extra {
		p.extra = append(p.extra, int(seconds))
	}
	return p, err
}
