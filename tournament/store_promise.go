package tournament

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"

	"gorm.io/gorm"

	"meldhall/engine"
)

// SeedPromise binds the seed of a round before it is drawn: Hash is SHA-256 of Text, which is told once the round is
// published.
type SeedPromise struct {
	TournamentID int64
	Round        int
	Seed         int64
	Salt         string
	Hash         string
	Actor        string
	At           engine.Millis
}

// TableName is seed_promises.
func (SeedPromise) TableName() string { return "seed_promises" }

// Text is what Hash is the hash of.
func (p SeedPromise) Text() string {
	return fmt.Sprintf("meldhall draw, round %d, seed %d, salt %s", p.Round, p.Seed, p.Salt)
}

// PromiseSeed makes up the seed of the next round, which must not be drawn yet, and binds it by a hash. Asked again it
// gives the promise that there is.
func (s *Store) PromiseSeed(ctx context.Context, actor Actor, tournamentID int64) (SeedPromise, error) {
	if err := Authorize(actor, Place{Tournament: tournamentID}, ActSeatRound); err != nil {
		return SeedPromise{}, err
	}
	var p SeedPromise
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		var rounds []Round
		if err := tx.Where("tournament_id = ?", tournamentID).Order("number").Find(&rounds).Error; err != nil {
			return err
		}
		next := len(rounds) + 1
		if n := len(rounds); n > 0 {
			next = rounds[n-1].Number + 1
			if rounds[n-1].Status == RoundDraft {
				return Refuse(Conflict, "err_promise_late", "round", rounds[n-1].Number)
			}
		}
		known, err := promiseOf(tx, tournamentID, next)
		if err != nil || known != nil {
			if known != nil {
				p = *known
			}
			return err
		}
		seed, err := rand.Int(rand.Reader, big.NewInt(1<<53-2))
		if err != nil {
			return err
		}
		salt := make([]byte, 16)
		rand.Read(salt) // never fails
		p = SeedPromise{TournamentID: tournamentID, Round: next, Seed: seed.Int64() + 1, Salt: hex.EncodeToString(salt), Actor: actor.String(), At: s.now()}
		sum := sha256.Sum256([]byte(p.Text()))
		p.Hash = hex.EncodeToString(sum[:])
		if err := tx.Create(&p).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: tournamentID, action: "round.promise", subject: fmt.Sprintf("round %d", next), after: p.Hash})
	})
	return p, err
}

// PromiseOf gives the promise of a round's seed, nil when there is none. The seed and its salt are for the staff until the
// round is published.
func (s *Store) PromiseOf(ctx context.Context, tournamentID int64, round int) (*SeedPromise, error) {
	return promiseOf(s.Read.WithContext(ctx), tournamentID, round)
}

func promiseOf(db *gorm.DB, tournamentID int64, round int) (*SeedPromise, error) {
	var p SeedPromise
	err := db.Where("tournament_id = ? AND round = ?", tournamentID, round).Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &p, err
}
