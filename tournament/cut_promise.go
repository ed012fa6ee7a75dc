package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/format"
	"meldhall/tournament/store"
)

// promiseLot binds the seed of a tournament's next lot if the format can lead to one. It does so early, before it is
// clear whether a lot will be needed. An existing promise stays.
func promiseLot(tx *action.Tx, tournamentID int64) error {
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

// promisedLot returns the promise for a tournament's next lot. If there is none, ok is false and p only identifies the
// lot.
func promisedLot(db *gorm.DB, tournamentID int64) (p SeedPromise, ok bool, err error) {
	var drawn int64
	if err := db.Model(&Lot{}).Where("tournament_id = ?", tournamentID).Count(&drawn).Error; err != nil {
		return p, false, err
	}
	next := SeedPromise{TournamentID: tournamentID, Lot: int(drawn) + 1}
	if p, ok, err = store.First[SeedPromise](db.Where("tournament_id = ? AND lot = ?", tournamentID, next.Lot)); ok ||
		err != nil {
		return p, ok, err
	}
	return next, false, nil
}
