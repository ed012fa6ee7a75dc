package tournament

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

// dealOf gives a game its deal: one of its own, or in a duplicate round that of all tables, which the first of them
// makes.
func (g *Games) dealOf(ctx context.Context, ref GameRef) (engine.Deal, error) {
	var round Round
	err := g.store.Read.WithContext(ctx).Select("id, duplicate").Where("id = (SELECT round_id FROM tables WHERE id = ?)", ref.TableID).Take(&round).Error
	if errors.Is(err, gorm.ErrRecordNotFound) || err == nil && !round.Duplicate {
		return g.Deal(), nil
	}
	if err != nil {
		return engine.Deal{}, err
	}
	var deal engine.Deal
	err = g.store.Tx(ctx, func(tx *gorm.DB) error {
		var row roundDeal
		err := tx.Where("round_id = ? AND number = ?", round.ID, ref.Number).Take(&row).Error
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
		return tx.Create(&roundDeal{round.ID, ref.Number, string(data)}).Error
	})
	if err != nil {
		return engine.Deal{}, fmt.Errorf("deal of round %d: %w", round.ID, err)
	}
	return deal, nil
}
