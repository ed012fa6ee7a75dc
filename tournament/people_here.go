package tournament

import (
	"cmp"
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament/door"
	"meldhall/tournament/game"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// CheckIn says that a player is here.
type CheckIn aboutPlayer

var _ = peopleKind[CheckIn](PeopleCheckIn, rights.MayCheckIn, door.Keep[peopleChanged])

func (c CheckIn) Do(tx *door.Tx) (PeopleOutcome, error) {
	return aboutPlayer(c).do(tx, PeopleCheckIn, func(tx *peopleTx, p Player) error { return tx.checkIn(p, true) })
}

// CheckOut says that a player is not here after all.
type CheckOut aboutPlayer

var _ = peopleKind[CheckOut](PeopleCheckOut, rights.MayCheckIn, door.Keep[peopleChanged])

func (c CheckOut) Do(tx *door.Tx) (PeopleOutcome, error) {
	return aboutPlayer(c).do(tx, PeopleCheckOut, func(tx *peopleTx, p Player) error { return tx.checkIn(p, false) })
}

// EverybodyHere says of all players that they are here of whom nothing says so yet (Store.Absent).
type EverybodyHere struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[EverybodyHere](PeopleAllHere, rights.MayCheckIn, door.Keep[peopleChanged])

func (e EverybodyHere) Do(tx *door.Tx) (PeopleOutcome, error) {
	return changePeople(tx, peopleWork{event: e.Tournament, name: PeopleAllHere, why: e.Why}, func(tx *peopleTx) error {
		return tx.ofAbsent(func(p []Player) error { return tx.Model(&p).Update("state", StateCheckedIn).Error })
	})
}

// RemoveAbsent makes no-shows of all players of whom nothing says that they are here (Store.Absent).
type RemoveAbsent struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[RemoveAbsent](PeopleRemoveAbsent, rights.MayEditRoster, door.Keep[peopleChanged])

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

// LeaveEvent takes a player out of the event: when the round that is on is over, or with Now at once.
type LeaveEvent struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Now        bool   `json:"now,omitempty"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[LeaveEvent](PeopleLeave, rights.MayEditRoster, door.Keep[peopleChanged])

func (l LeaveEvent) Do(tx *door.Tx) (PeopleOutcome, error) {
	w := peopleWork{event: l.Tournament, name: PeopleLeave, player: l.Player, why: l.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p Player) error { return tx.leave([]Player{p}, StateWithdrawn, MissedLeft, l.Now) })
}

// NoShow takes a player out of the event who did not come.
type NoShow aboutPlayer

var _ = peopleKind[NoShow](PeopleNoShow, rights.MayEditRoster, door.Keep[peopleChanged])

func (n NoShow) Do(tx *door.Tx) (PeopleOutcome, error) {
	return aboutPlayer(n).do(tx, PeopleNoShow, func(tx *peopleTx, p Player) error { return tx.leave([]Player{p}, StateNoShow, MissedNoShow, true) })
}

// PlayAgain brings a player back who had left, unless disqualified.
type PlayAgain aboutPlayer

var _ = peopleKind[PlayAgain](PeopleBack, rights.MayEditRoster, door.Keep[peopleChanged])

func (a PlayAgain) Do(tx *door.Tx) (PeopleOutcome, error) {
	return aboutPlayer(a).do(tx, PeopleBack, (*peopleTx).back)
}

// leave takes players out of the rounds to come. Their chairs at tables that nobody plays at yet are given up with them, and
// when they go at once also their seats in the games that are on. What they have played stays.
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
			err = tx.setState(p, state, true) // whose chair stays does not play there
		}
		if err != nil {
			return err
		}
	}
	return tx.inGame(players, true)
}

// inGame notes the seats that players who leave now give up in the games that are on, and says so.
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
		tx.notes = append(tx.notes, PeopleEffect{Key: key, Player: p.ID, Args: refuse.Args{"name": p.Name, "round": tx.round.Number, "table": at.Number}})
	}
	return nil
}

// back lets a player play again who had left.
func (tx *peopleTx) back(p Player) error {
	if p.Plays() || p.State == StateWaiting {
		return refuse.Conflict("err_plays_already", "name", p.Name)
	}
	if out, err := disqualified(tx.DB, tx.event.ID); err != nil || out[p.ID] {
		return cmp.Or(err, error(refuse.Conflict("err_player_disqualified", "name", p.Name)))
	}
	return tx.backIn(p)
}

// backIn lets a player play again, from a free chair where there is one.
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

// reinstate lets a player play again whose disqualification was cancelled: in a later stage, too, from the chair of the open round that it
// took, where one is free there. Who misses that round all the same is told so.
func (tx *peopleTx) reinstate(p Player) error {
	if err := tx.backIn(p); err != nil || tx.round == nil {
		return err
	}
	missed, ok, err := storage.First[MissedRound](tx.Where("player_id = ? AND round = ?", p.ID, tx.round.Number))
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
	tx.notes = append(tx.notes, PeopleEffect{Key: "misses_" + missed.Reason, Player: p.ID, Args: refuse.Args{"name": p.Name, "round": missed.Round, "points": missed.Charge}})
	return nil
}
