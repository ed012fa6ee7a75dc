package game

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
)

// roundDeal is the deal of a duplicate round's nth games: all its tables get the same order of tiles.
type roundDeal struct {
	RoundID int64
	Number  int
	Deal    string
}

// dealOf gives a game its deal: one of its own, or that of all the round's tables, which the first of them makes.
func (g *Games) dealOf(ctx context.Context, ref Ref, same bool) (engine.Deal, error) {
	if !same {
		return g.Deal(), nil
	}
	var deal engine.Deal
	err := g.DB.Tx(ctx, func(tx *gorm.DB) error {
		var row roundDeal
		err := tx.Where("round_id = ? AND number = ?", ref.RoundID, ref.Number).Take(&row).Error
		if err == nil {
			return json.Unmarshal([]byte(row.Deal), &deal)
		}
		if !errors.Is(err, gorm.ErrRecordNotFound) {
			return err
		}
		deal = g.Deal()
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
