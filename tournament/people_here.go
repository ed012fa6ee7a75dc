package tournament

import (
	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
)

// CheckIn says that a player is here.
type CheckIn struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Why        string `json:"why,omitempty"`
}

var checkInKind = peopleKind[CheckIn](PeopleCheckIn, rights.MayCheckIn, peopleDetails)

func (CheckIn) Kind() *door.Kind { return checkInKind }

func (c CheckIn) Do(tx *door.Tx) (PeopleOutcome, error) {
	w := peopleWork{event: c.Tournament, name: PeopleCheckIn, player: c.Player, why: c.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.checkIn(p, true) })
}

// CheckOut says that a player is not here after all.
type CheckOut struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Why        string `json:"why,omitempty"`
}

var checkOutKind = peopleKind[CheckOut](PeopleCheckOut, rights.MayCheckIn, peopleDetails)

func (CheckOut) Kind() *door.Kind { return checkOutKind }

func (c CheckOut) Do(tx *door.Tx) (PeopleOutcome, error) {
	w := peopleWork{event: c.Tournament, name: PeopleCheckOut, player: c.Player, why: c.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.checkIn(p, false) })
}

// RemoveAbsent makes no-shows of all players of whom nothing says that they are here (Store.Absent).
type RemoveAbsent struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var removeAbsentKind = peopleKind[RemoveAbsent](PeopleRemoveAbsent, rights.MayEditRoster, peopleDetails)

func (RemoveAbsent) Kind() *door.Kind { return removeAbsentKind }

func (r RemoveAbsent) Do(tx *door.Tx) (PeopleOutcome, error) {
	return changePeople(tx, peopleWork{event: r.Tournament, name: PeopleRemoveAbsent, why: r.Why}, (*peopleTx).removeAbsent)
}

func (tx *peopleTx) checkIn(p Player, here bool) error {
	switch {
	case here && p.State == StateCheckedIn, !here && p.State == StateRegistered:
		return nil
	case here && p.State == StateRegistered:
		return tx.setState(p, StateCheckedIn, false)
	case !here && p.State == StateCheckedIn:
		return tx.setState(p, StateRegistered, false)
	}
	return refuse.Conflict("err_check_in_state", "name", p.Name)
}

// absentPlayers are those of an event who play and of whom nothing says that they are here: not checked in, no device of theirs
// at a table, no game played.
func absentPlayers(db *gorm.DB, tournamentID int64) ([]Player, error) {
	var absent []Player
	err := db.Where(`tournament_id = ? AND state = ? AND device_hash IS NULL AND NOT EXISTS (SELECT 1 FROM seats e JOIN games g ON g.table_id = e.table_id
		WHERE e.player_id = players.id AND g.status = ?)`, tournamentID, StateRegistered, game.Finished).Order("number").Find(&absent).Error
	return absent, err
}

func (tx *peopleTx) removeAbsent() error {
	if tx.round != nil && tx.round.Status == RoundRunning {
		return refuse.Conflict("err_remove_absent_running", "round", tx.round.Number)
	}
	absent, err := absentPlayers(tx.DB, tx.event.ID)
	if err != nil {
		return err
	}
	if len(absent) == 0 {
		return refuse.Conflict("err_nobody_absent")
	}
	return tx.leave(absent, StateNoShow, MissedNoShow, true)
}
