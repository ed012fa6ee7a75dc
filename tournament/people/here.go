package people

import (
	"cmp"
	"slices"

	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
	"meldhall/tournament/ranking"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// CheckIn records that a player is present.
type CheckIn aboutPlayer

var _ = peopleKind[CheckIn](tournament.PeopleCheckIn, rights.MayCheckIn, action.Keep[tournament.PeopleChanged])

func (c CheckIn) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(c).do(tx, tournament.PeopleCheckIn, func(tx *peopleTx,
		p tournament.Player) error {
		return tx.checkIn(p, true)
	})
}

// CheckOut records that a player is not present after all.
type CheckOut aboutPlayer

var _ = peopleKind[CheckOut](tournament.PeopleCheckOut, rights.MayCheckIn, action.Keep[tournament.PeopleChanged])

func (c CheckOut) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(c).do(tx, tournament.PeopleCheckOut, func(tx *peopleTx,
		p tournament.Player) error {
		return tx.checkIn(p, false)
	})
}

// EverybodyHere checks in all absent players (see tournament.AbsentPlayers).
type EverybodyHere struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[EverybodyHere](tournament.PeopleAllHere, rights.MayCheckIn, action.Keep[tournament.PeopleChanged])

func (e EverybodyHere) Do(tx *action.Tx) (PeopleOutcome, error) {
	return changePeople(tx, peopleWork{tournamentID: e.Tournament, name: tournament.PeopleAllHere, why: e.Why},
		func(tx *peopleTx) error {
			return tx.ofAbsent(func(p []tournament.Player) error {
				return tx.Model(&p).Update("state", tournament.StateCheckedIn).Error
			})
		})
}

// RemoveAbsent makes all absent players no-shows (see tournament.AbsentPlayers).
type RemoveAbsent struct {
	Tournament int64  `json:"tournament"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[RemoveAbsent](tournament.PeopleRemoveAbsent, rights.MayEditRoster,
	action.Keep[tournament.PeopleChanged])

func (r RemoveAbsent) Do(tx *action.Tx) (PeopleOutcome, error) {
	return changePeople(tx, peopleWork{tournamentID: r.Tournament, name: tournament.PeopleRemoveAbsent, why: r.Why},
		(*peopleTx).removeAbsent)
}

func (tx *peopleTx) checkIn(p tournament.Player, here bool) error {
	switch {
	case here && p.State == tournament.StateCheckedIn, !here && p.State == tournament.StateRegistered:
		return nil
	case here && p.State == tournament.StateRegistered:
		return tx.setState(p, tournament.StateCheckedIn, false)
	case !here && p.State == tournament.StateCheckedIn:
		return tx.setState(p, tournament.StateRegistered, false)
	}
	return refuse.Conflict("err_check_in_state", "name", p.Name)
}

func (tx *peopleTx) removeAbsent() error {
	if tx.round != nil && tx.round.Status == tournament.RoundRunning {
		return refuse.Conflict("err_remove_absent_running", "round", tx.round.Number)
	}
	return tx.ofAbsent(func(p []tournament.Player) error {
		return tx.Leave(p, tournament.StateNoShow, tournament.MissedNoShow, true)
	})
}

func (tx *peopleTx) ofAbsent(do func([]tournament.Player) error) error {
	absent, err := tournament.AbsentPlayers(tx.DB, tx.event.ID)
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

var _ = peopleKind[LeaveEvent](tournament.PeopleLeave, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (l LeaveEvent) Do(tx *action.Tx) (PeopleOutcome, error) {
	w := peopleWork{tournamentID: l.Tournament, name: tournament.PeopleLeave, player: l.Player, why: l.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p tournament.Player) error {
		return tx.Leave([]tournament.Player{p}, tournament.StateWithdrawn,
			tournament.MissedLeft, l.Now)
	})
}

// NoShow withdraws a player who did not appear.
type NoShow aboutPlayer

var _ = peopleKind[NoShow](tournament.PeopleNoShow, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (n NoShow) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(n).do(tx, tournament.PeopleNoShow, func(tx *peopleTx,
		p tournament.Player) error {
		return tx.Leave([]tournament.Player{p}, tournament.StateNoShow, tournament.MissedNoShow, true)
	})
}

// PlayAgain reinstates a player who had left, unless disqualified.
type PlayAgain aboutPlayer

var _ = peopleKind[PlayAgain](tournament.PeopleBack, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (a PlayAgain) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(a).do(tx, tournament.PeopleBack, (*peopleTx).back)
}

// Leave withdraws players from later rounds; their results stay. A draft is seated without them. In a published round,
// or if now is set, they give up their chairs at waiting tables and their seats in running games. Otherwise they play a
// running round to its end.
func (tx *peopleTx) Leave(players []tournament.Player, state, reason string, now bool) error {
	for _, p := range players {
		if !p.Plays() && p.State != tournament.StateWaiting {
			return refuse.Conflict("err_plays_not", "name", p.Name)
		}
		if err := tx.setState(p, state, now); err != nil {
			return err
		}
	}
	switch {
	case tx.round == nil:
		return nil
	case tx.round.Status == tournament.RoundDraft:
		return tx.mendDraft()
	case tx.round.Status == tournament.RoundRunning && !now: // they play it to its end
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

// inGame adds an effect for each of the players who has a seat in the unfinished round. If now is set, it also collects
// the seats in running games that they forfeit.
func (tx *peopleTx) inGame(players []tournament.Player, now bool) error {
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
		tx.Notes = append(tx.Notes, tournament.PeopleEffect{Key: key, Player: p.ID,
			Args: refuse.Args{"name": p.Name, "round": tx.round.Number, "table": at.Number}})
	}
	return nil
}

// back reinstates a player who had left.
func (tx *peopleTx) back(p tournament.Player) error {
	if p.Plays() || p.State == tournament.StateWaiting {
		return refuse.Conflict("err_plays_already", "name", p.Name)
	}
	if out, err := ranking.DisqualifiedAt(tx.DB, tx.event.ID, tournament.Always); err != nil || out[p.ID] {
		return cmp.Or(err, error(refuse.Conflict("err_player_disqualified", "name", p.Name)))
	}
	return tx.backIn(p)
}

// backIn reinstates a player, who gets a free chair if there is one.
func (tx *peopleTx) backIn(p tournament.Player) error {
	if err := tx.setState(p, tournament.StateCheckedIn, false); err != nil {
		return err
	}
	seated, err := tx.sitDown([]tournament.Player{p})
	if err == nil && slices.Contains(seated, p.ID) {
		err = tx.Where("player_id = ? AND round = ?", p.ID, tx.round.Number).Delete(&tournament.MissedRound{}).Error
	}
	return err
}

// Reinstate reinstates a player whose disqualification was cancelled. In a later stage, a player who missed the open
// round because of the disqualification gets a free chair in it. If the player still misses the round, Reinstate adds
// an effect that says so.
func (tx *peopleTx) Reinstate(p tournament.Player) error {
	if err := tx.backIn(p); err != nil || tx.round == nil {
		return err
	}
	missed, ok, err := store.First[tournament.MissedRound](tx.Where("player_id = ? AND round = ?", p.ID,
		tx.round.Number))
	if err != nil || !ok {
		return err
	}
	if tx.round.Stage > 0 {
		seated, err := tx.takeChairs([]tournament.Player{p})
		if err != nil {
			return err
		}
		if slices.Contains(seated, p.ID) {
			return tx.Where("player_id = ? AND round = ?", p.ID,
				tx.round.Number).Delete(&tournament.MissedRound{}).Error
		}
	}
	tx.Notes = append(tx.Notes, tournament.PeopleEffect{Key: "misses_" + missed.Reason, Player: p.ID,
		Args: refuse.Args{"name": p.Name, "round": missed.Round, "points": missed.Charge}})
	return nil
}
