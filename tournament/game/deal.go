package game

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/tile"
	"meldhall/tournament/store"
)

// ShuffledDeal makes a deal with the operating system's random generator: every order of the 106 tiles is equally
// likely and unpredictable.
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

// roundDeal is the deal of the nth games of a duplicate round: all its tables get the same order of tiles.
type roundDeal struct {
	RoundID int64
	Number  int
	Deal    string
}

// dealAt makes a deal for a game: its first one, or that of a restart in a turn.
func (s *starter) dealAt(ref Ref, turn int) engine.Deal {
	if s.games.DealAt != nil {
		return s.games.DealAt(ref, turn)
	}
	return s.games.Deal()
}

// dealOf returns a game's deal: its own or, if same is set, the common one of all the round's tables, which the first
// of them makes.
func (s *starter) dealOf(ctx context.Context, ref Ref, same bool) (engine.Deal, error) {
	if !same {
		return s.dealAt(ref, 0), nil
	}
	var deal engine.Deal
	err := s.games.DB.Tx(ctx, func(tx *gorm.DB) error {
		row, ok, err := store.First[roundDeal](tx.Where("round_id = ? AND number = ?", ref.RoundID, ref.Number))
		if ok {
			return json.Unmarshal([]byte(row.Deal), &deal)
		}
		if err != nil {
			return err
		}
		deal = s.dealAt(ref, 0)
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
