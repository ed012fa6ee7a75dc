package tournament

import (
	"cmp"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// CheckIn records that a player is present.
type CheckIn aboutPlayer

var _ = peopleKind[CheckIn](PeopleCheckIn, rights.MayCheckIn, action.Keep[peopleChanged])

func (c CheckIn) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(c).do(tx, PeopleCheckIn, func(tx *peopleTx, p Player) error { return tx.checkIn(p, true) })
}

// CheckOut records that a player is not present after all.
type CheckOut aboutPlayer

var _ = peopleKind[CheckOut](PeopleCheckOut, rights.MayCheckIn, action.Keep[peopleChanged])

func (c CheckOut) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(c).do(tx, PeopleCheckOut, func(tx *peopleTx, p Player) error { return tx.checkIn(p, false) })
}

// EverybodyHere checks in all absent players (see absentPlayers).
type EverybodyHere struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[EverybodyHere](PeopleAllHere, rights.MayCheckIn, action.Keep[peopleChanged])

func (e EverybodyHere) Do(tx *action.Tx) (PeopleOutcome, error) {
	return changePeople(tx, peopleWork{tournamentID: e.Tournament, name: PeopleAllHere, why: e.Why},
		func(tx *peopleTx) error {
			return tx.ofAbsent(func(p []Player) error { return tx.Model(&p).Update("state", StateCheckedIn).Error })
		})
}

// RemoveAbsent makes all absent players no-shows (see absentPlayers).
type RemoveAbsent struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[RemoveAbsent](PeopleRemoveAbsent, rights.MayEditRoster, action.Keep[peopleChanged])

func (r RemoveAbsent) Do(tx *action.Tx) (PeopleOutcome, error) {
	return changePeople(tx, peopleWork{tournamentID: r.Tournament, name: PeopleRemoveAbsent, why: r.Why},
		(*peopleTx).removeAbsent)
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

// absentPlayers returns the active players with no sign of presence: not checked in, no device joined and no game
// finished.
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
	return tx.ofAbsent(func(p []Player) error { return tx.leave(p, StateNoShow, MissedNoShow, true) })
}

func (tx *peopleTx) ofAbsent(do func([]Player) error) error {
	absent, err := absentPlayers(tx.DB, tx.event.ID)
	if err == nil && len(absent) == 0 {
		err = refuse.Conflict("err_nobody_absent")
	}
	if err != nil {
		return err
	}
	return do(absent)
}

// LeaveEvent withdraws a player from the tournament: after the current round, or at once with Now.
type LeaveEvent struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Now        bool   `json:"now,omitempty"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[LeaveEvent](PeopleLeave, rights.MayEditRoster, action.Keep[peopleChanged])

func (l LeaveEvent) Do(tx *action.Tx) (PeopleOutcome, error) {
	w := peopleWork{tournamentID: l.Tournament, name: PeopleLeave, player: l.Player, why: l.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error {
		return tx.leave([]Player{p}, StateWithdrawn,
			MissedLeft, l.Now)
	})
}

// NoShow withdraws a player who did not appear.
type NoShow aboutPlayer

var _ = peopleKind[NoShow](PeopleNoShow, rights.MayEditRoster, action.Keep[peopleChanged])

func (n NoShow) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(n).do(tx, PeopleNoShow, func(tx *peopleTx,
		p Player) error {
		return tx.leave([]Player{p}, StateNoShow, MissedNoShow, true)
	})
}

// PlayAgain reinstates a player who had left, unless disqualified.
type PlayAgain aboutPlayer

var _ = peopleKind[PlayAgain](PeopleBack, rights.MayEditRoster, action.Keep[peopleChanged])

func (a PlayAgain) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(a).do(tx, PeopleBack, (*peopleTx).back)
}

// leave withdraws players from later rounds. Their chairs at waiting tables are given up too, and if they leave at once
// also their seats in running games. Their results stay.
func (tx *peopleTx) leave(players []Player, state, reason string, now bool) error {
	for _, p := range players {
		if !p.Plays() && p.State != StateWaiting {
			return refuse.Conflict("err_plays_not", "name", p.Name)
		}
		if err := tx.setState(p, state, now); err != nil {
			return err
		}
	}
	switch {
	case tx.round == nil:
		return nil
	case tx.round.Status == RoundDraft:
		return tx.mendDraft()
	case tx.round.Status == RoundRunning && !now: // they play it to its end
		return tx.inGame(players, false)
	}
	freed, err := tx.giveUpChairs(players)
	if err != nil {
		return err
	}
	for _, p := range players {
		if slices.Contains(freed, p.ID) {
			err = tx.misses(p.ID, *tx.round, reason)
		} else {
			err = tx.setState(p, state, true) // the chair stays, but its player does not play
		}
		if err != nil {
			return err
		}
	}
	return tx.inGame(players, true)
}

// inGame adds the effects for players at a table. If they leave now, it collects their seats in running games to be
// forfeited.
func (tx *peopleTx) inGame(players []Player, now bool) error {
	for _, p := range players {
		var at struct{ Number, Others int }
		if err := tx.Raw(`SELECT t.number, (SELECT count(*) FROM seats o JOIN players x ON x.id = o.player_id WHERE o.table_id = t.id AND x.id <> e.player_id AND x.withdrawn = 0) AS others
			FROM seats e JOIN tables t ON t.id = e.table_id WHERE e.round_id = ? AND e.player_id = ?`, tx.round.ID, p.ID).Scan(&at).Error; err != nil {
			return err
		}
		if at.Number == 0 {
			continue
		}
		key := "plays_round_out"
		if now {
			if key = "gives_up"; at.Others == 0 {
				key = "gives_up_last"
			}
			var games []playedSeat
			if err := tx.Raw(runningGames, p.ID, game.Running).Scan(&games).Error; err != nil {
				return err
			}
			tx.givesUp = append(tx.givesUp, games...)
		}
		tx.notes = append(tx.notes, PeopleEffect{Key: key, Player: p.ID,
			Args: refuse.Args{"name": p.Name, "round": tx.round.Number, "table": at.Number}})
	}
	return nil
}

// back reinstates a player who had left.
func (tx *peopleTx) back(p Player) error {
	if p.Plays() || p.State == StateWaiting {
		return refuse.Conflict("err_plays_already", "name", p.Name)
	}
	if out, err := disqualified(tx.DB, tx.event.ID); err != nil || out[p.ID] {
		return cmp.Or(err, error(refuse.Conflict("err_player_disqualified", "name", p.Name)))
	}
	return tx.backIn(p)
}

// backIn reinstates a player and takes a free chair if there is one.
func (tx *peopleTx) backIn(p Player) error {
	if err := tx.setState(p, StateCheckedIn, false); err != nil {
		return err
	}
	seated, err := tx.sitDown([]Player{p})
	if err == nil && slices.Contains(seated, p.ID) {
		err = tx.Where("player_id = ? AND round = ?", p.ID, tx.round.Number).Delete(&MissedRound{}).Error
	}
	return err
}

// reinstate reinstates a player whose disqualification was cancelled. In a later stage it takes a free chair of the
// open round if the disqualification had cost the player that round. If the player still misses the round, it adds that
// effect.
func (tx *peopleTx) reinstate(p Player) error {
	if err := tx.backIn(p); err != nil || tx.round == nil {
		return err
	}
	missed, ok, err := store.First[MissedRound](tx.Where("player_id = ? AND round = ?", p.ID, tx.round.Number))
	if err != nil || !ok {
		return err
	}
	if tx.round.Stage > 0 {
		seated, err := tx.takeChairs([]Player{p})
		if err != nil {
			return err
		}
		if slices.Contains(seated, p.ID) {
			return tx.Where("player_id = ? AND round = ?", p.ID, tx.round.Number).Delete(&MissedRound{}).Error
		}
	}
	tx.notes = append(tx.notes, PeopleEffect{Key: "misses_" + missed.Reason, Player: p.ID,
		Args: refuse.Args{"name": p.Name, "round": missed.Round, "points": missed.Charge}})
	return nil
}
