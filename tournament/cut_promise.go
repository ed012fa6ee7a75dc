package tournament

import (
	"meldhall/tournament/door"
	"meldhall/tournament/format"
	"meldhall/tournament/storage"
)

// promiseLot binds the seed of an event's next lot, long before anybody knows whether there is one, where its format can come to a
// lot. A seed that is bound already stays.
func promiseLot(tx *door.Tx, tournamentID int64) error {
	t, err := FindTournament(tx.DB, tournamentID)
	if err != nil {
		return err
	}
	f, err := t.Format()
	if err != nil || t.Status == StatusFinished || len(f.Stages) == 1 && !f.ScoringOf(0).Has(format.TieLot) {
		return err
	}
	_, err = promisedLot(tx, tournamentID)
	return err
}

// promisedLot is the promise for an event's next lot. It is made now where there is none: the event is older than such promises.
func promisedLot(tx *door.Tx, tournamentID int64) (SeedPromise, error) {
	var drawn int64
	if err := tx.Model(&Lot{}).Where("tournament_id = ?", tournamentID).Count(&drawn).Error; err != nil {
		return SeedPromise{}, err
	}
	number := int(drawn) + 1
	p, ok, err := storage.First[SeedPromise](tx.Where("tournament_id = ? AND lot = ?", tournamentID, number))
	if ok || err != nil {
		return p, err
	}
	p = SeedPromise{TournamentID: tournamentID, Lot: number}
	p.bind(tx)
	return p, tx.Create(&p).Error
}
