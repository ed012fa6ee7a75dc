package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/storage"
)

// promiseLot binds the seed of an event's next lot, long before anybody knows whether there is one, where its
// format can come to a lot. A seed that is bound already stays.
func promiseLot(tx *door.Tx, tournamentID int64) error {
	t, err := FindTournament(tx.DB, tournamentID)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil || t.Status == StatusFinished || len(f.Stages) == 1 && !f.ScoringOf(0).Has(format.TieLot) {
		return err
	}
	p, ok, err := promisedLot(tx.DB, tournamentID)
	if ok || err != nil {
		return err
	}
	p.bind(tx, tx.Desk.Seeds())
	return tx.Create(&p).Error
}

// promisedLot is the promise for an event's next lot; where there is none, not ok, it names the lot alone.
func promisedLot(db *gorm.DB, tournamentID int64) (p SeedPromise, ok bool, err error) {
	var drawn int64
	if err := db.Model(&Lot{}).Where("tournament_id = ?", tournamentID).Count(&drawn).Error; err != nil {
		return p, false, err
	}
	next := SeedPromise{TournamentID: tournamentID, Lot: int(drawn) + 1}
	if p, ok, err = storage.First[SeedPromise](db.Where("tournament_id = ? AND lot = ?", tournamentID, next.Lot)); ok || err != nil {
		return p, ok, err
	}
	return next, false, nil
}
