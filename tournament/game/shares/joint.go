package shares

import (
	"context"
	"time"

	"gorm.io/gorm"

	"meldhall/engine/shuffle"
)

// Joint returns the shuffle of a deal. It asks the devices that have sent a hash for their nonces, waits for them at
// most for k.Patience, and notes the devices that stayed silent. before is the shuffle of the game's first deal, nil
// for that deal.
func (k *Keeper) Joint(ctx context.Context, t Table, deal int, before *shuffle.Joint) (j shuffle.Joint, err error) {
	e, err := k.collect(ctx, t, deal)
	if err != nil {
		return j, err
	}
	j = shuffle.Joint{Game: t.Game, Deal: deal, Secret: e.secret, Shares: make([]shuffle.Share, len(e.seats))}
	switch {
	case before != nil: // its game has another number if it was imported
		j.Game, j.Secret = before.Game, before.Secret
	case !e.begun:
		j.Secret = k.Secret(t.Game)
	}
	var missed []int
	for at, s := range e.seats {
		switch {
		case s.hash == nil:
		case s.deal < deal:
			missed = append(missed, at)
			j.Shares[at] = shuffle.Share{Hash: s.hash}
		default:
			nonce := s.nonce
			for n := s.deal; n > deal; n-- {
				nonce = shuffle.Before(t.Game, at, nonce)
			}
			j.Shares[at] = shuffle.Share{Hash: s.hash, Nonce: &nonce}
		}
	}
	if len(missed) == 0 {
		return j, nil
	}
	return j, k.together(ctx, func(tx *gorm.DB) error {
		return tx.Model(&share{}).Where("game_id = ? AND seat IN ?", t.Game, missed).Update("missed", deal).Error
	})
}

// collect asks for the nonces of a deal and waits for them.
func (k *Keeper) collect(ctx context.Context, t Table, deal int) (e exchange, err error) {
	if e, err = read(ctx, k.db.ReadSQL, t); err != nil || e.complete(deal) {
		return e, err
	}
	if e.asked < deal {
		err := k.together(ctx, func(tx *gorm.DB) error {
			return tx.Model(&row{}).Where("game_id = ? AND asked < ?", t.Game, deal).Update("asked", deal).Error
		})
		if err != nil {
			return e, err
		}
		k.Asked(t)
	}
	late := time.NewTimer(k.Patience)
	defer late.Stop()
	look := time.NewTicker(reread)
	defer look.Stop()
	defer k.Heard(t.Game) // forgets the last channel
	for waits := true; ; {
		wake := k.woken(t.Game)
		if e, err = read(ctx, k.db.ReadSQL, t); err != nil || e.complete(deal) || !waits {
			return e, err
		}
		select {
		case <-wake:
		case <-look.C:
		case <-late.C:
			waits = false
		case <-ctx.Done():
			return e, ctx.Err()
		}
	}
}

// Missed returns how often the devices of each player of a tournament withheld a nonce after its hash, for those that
// did.
func (k *Keeper) Missed(ctx context.Context, tournamentID int64) (map[int64]int, error) {
	var rows []struct {
		PlayerID int64
		Times    int
	}
	err := k.db.Read.WithContext(ctx).Raw(`SELECT h.player_id, count(*) AS times FROM shares h
		JOIN games g ON g.id = h.game_id WHERE g.tournament_id = ? AND h.missed > 0 GROUP BY h.player_id`,
		tournamentID).Scan(&rows).Error
	missed := map[int64]int{}
	for _, r := range rows {
		missed[r.PlayerID] = r.Times
	}
	return missed, err
}
