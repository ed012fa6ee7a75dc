package people

import (
	"cmp"
	"context"
	"slices"

	"meldhall/engine/score"
	"meldhall/tournament"
	"meldhall/tournament/action"
	"meldhall/tournament/pairing"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// The values of Substitute.Keep: the results belong to the entry, with the person named for each game, or to the
// substitute from the next round on.
const (
	KeepEntry  = "entry"
	KeepPerson = "person"
)

// Substitute replaces a player by the person in Entries, or by Other from the waiting list. Keep determines to whom the
// results belong; empty means the entry.
type Substitute struct {
	Tournament int64                    `json:"tournament"`
	Player     int64                    `json:"player"`
	Other      int64                    `json:"other,omitempty"`
	Entries    []rosterfile.PlayerEntry `json:"entries,omitempty"`
	Keep       string                   `json:"keep,omitempty"`
	Why        string                   `json:"why,omitempty"`
}

var _ = peopleKind[Substitute](tournament.PeopleSubstitute, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (s Substitute) Do(tx *action.Tx) (out PeopleOutcome, err error) {
	if s.Entries, err = cleanEntries(s.Entries); err != nil {
		return out, err
	}
	if s.Keep = cmp.Or(s.Keep, KeepEntry); s.Keep != KeepEntry && s.Keep != KeepPerson {
		return out, refuse.Invalid("err_substitute_keep", "keep", s.Keep)
	}
	if (len(s.Entries) == 1) == (s.Other != 0) {
		return out, refuse.Invalid("err_substitute_who")
	}
	w := peopleWork{tournamentID: s.Tournament, name: tournament.PeopleSubstitute, player: s.Player, why: s.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p tournament.Player) error { return tx.substitute(p, s) })
}

// ReturnInPerson lets an entry's own player return after a substitute.
type ReturnInPerson aboutPlayer

var _ = peopleKind[ReturnInPerson](tournament.PeopleReturn, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (r ReturnInPerson) Do(tx *action.Tx) (PeopleOutcome, error) {
	return aboutPlayer(r).do(tx, tournament.PeopleReturn, func(tx *peopleTx,
		p tournament.Player) error {
		return tx.standIn(p, "")
	})
}

// substitute replaces a player. Either the results stay the entry's, and the person is named from the next game on; or
// a new entry takes the seat from the next round on, and each keeps their own results.
func (tx *peopleTx) substitute(p tournament.Player, a Substitute) error {
	if !p.Plays() {
		return refuse.Conflict("err_plays_not", "name", p.Name)
	}
	var other tournament.Player
	if a.Other != 0 {
		var err error
		if other, err = tx.player(a.Other); err != nil {
			return err
		}
		if other.State != tournament.StateWaiting {
			return refuse.Conflict("err_not_waiting", "name", other.Name)
		}
	}
	if a.Keep == KeepEntry {
		name := other.Name
		if a.Other == 0 {
			if err := tx.mustBeFree(p, a.Entries[0]); err != nil {
				return err
			}
			name = a.Entries[0].Name
		} else if err := tx.setState(other, tournament.StateSubstituted,
			false); err != nil { // plays, but not under their own entry
			return err
		}
		return tx.standIn(p, name)
	}
	if tx.round != nil && tx.round.Status == tournament.RoundRunning {
		return refuse.Conflict("err_substitute_running", "round", tx.round.Number)
	}
	if a.Other == 0 {
		entered, err := tournament.InsertPlayers(tx.DB, tx.event.ID, a.Entries)
		if err != nil {
			return err
		}
		other, tx.entered = entered[0], entered
	}
	return tx.takeOver(p, other)
}

// mustBeFree rejects a substitute who already has another seat, in person or for another player, even when players
// substitute for each other in a circle. A substitute with a mark is a different person of that name.
func (tx *peopleTx) mustBeFree(p tournament.Player, person rosterfile.PlayerEntry) error {
	if person.Mark != "" {
		return nil
	}
	players, err := store.All[tournament.Player](tx.Where("tournament_id = ? AND id <> ?", tx.event.ID, p.ID))
	if err != nil {
		return err
	}
	standIns, err := store.All[tournament.StandIn](tx.Where("tournament_id = ?", tx.event.ID))
	for _, other := range players {
		plays := cmp.Or(tournament.StandInAt(standIns, other.ID, 1<<30, 1), other.Written)
		if other.Plays() && spelling.Fold(plays) == spelling.Fold(person.Name) {
			return refuse.Conflict("err_substitute_plays", "name", person.Name)
		}
	}
	return err
}

// takeOver gives a player's place to another entry: the seat in the coming round, the fixed table and the drawn number.
func (tx *peopleTx) takeOver(p, other tournament.Player) error {
	if err := tx.setState(p, tournament.StateSubstituted, true); err != nil {
		return err
	}
	if err := tx.setPlayer(other.ID, tournament.StateCheckedIn, false, p.FixedTable); err != nil {
		return err
	}
	if p.Drawn != 0 && other.Drawn == 0 { // the chart number belongs to the place
		if err := tx.setDrawn(p.ID, 0); err != nil {
			return err
		}
		if err := tx.setDrawn(other.ID, p.Drawn); err != nil {
			return err
		}
	}
	if tx.round != nil {
		tables, _, err := tournament.Placings(tx.DB, tx.round.ID)
		if err != nil {
			return err
		}
		for _, t := range tables {
			if i := slices.Index(t.Players, p.ID); i >= 0 {
				t.Players[i] = other.ID
				if err := tx.reseat([]pairing.Placing{t}, nil); err != nil {
					return err
				}
			}
		}
	}
	return tx.missedBefore(other)
}

// standIn records that the named person plays for an entry, from the next game that has not begun. An empty name means
// the entry's own player.
func (tx *peopleTx) standIn(p tournament.Player, person string) error {
	var have []tournament.StandIn
	if err := tx.Where("player_id = ?", p.ID).Find(&have).Error; err != nil {
		return err
	}
	if tournament.StandInAt(have, p.ID, 1<<30, 1) == person {
		return refuse.Conflict("err_stand_in_same", "name", cmp.Or(person, p.Name))
	}
	var next struct{ Round, Game int }
	if err := tx.Raw(`SELECT r.number AS round, g.number AS game FROM rounds r JOIN seats e ON e.round_id = r.id AND e.player_id = ?
		JOIN games g ON g.table_id = e.table_id WHERE r.tournament_id = ? AND r.status IN ('published', 'running') AND g.status = 'waiting'
		ORDER BY r.number, g.number LIMIT 1`, p.ID, tx.event.ID).Scan(&next).Error; err != nil {
		return err
	}
	if next.Round == 0 {
		if err := tx.Raw(`SELECT coalesce(max(number), 0) + 1 AS round, 1 AS game FROM rounds WHERE tournament_id = ? AND status <> 'draft'`, tx.event.ID).
			Scan(&next).Error; err != nil {
			return err
		}
	}
	for _, s := range have {
		if s.Round == next.Round && s.Game == next.Game { // not played yet, so drop it
			if err := tx.Delete(&tournament.StandIn{}, s.ID).Error; err != nil {
				return err
			}
			have = slices.DeleteFunc(have, func(o tournament.StandIn) bool { return o.ID == s.ID })
			break
		}
	}
	if tournament.StandInAt(have, p.ID, next.Round, next.Game) != person {
		one := tournament.StandIn{TournamentID: tx.event.ID, PlayerID: p.ID, Name: person, Round: next.Round,
			Game: next.Game}
		if err := tx.Create(&one).Error; err != nil {
			return err
		}
	}
	return tx.newSeatCode(p.ID)
}

// SetMissed sets the whole points that a missed round costs. Number is the round's number.
type SetMissed struct {
	Tournament int64  `json:"tournament"`
	Player     int64  `json:"player"`
	Number     int    `json:"number"`
	Points     int    `json:"points"`
	Why        string `json:"why,omitempty"`
}

var _ = peopleKind[SetMissed](tournament.PeopleMissed, rights.MayEditRoster, action.Keep[tournament.PeopleChanged])

func (m SetMissed) Do(tx *action.Tx) (PeopleOutcome, error) {
	if m.Points < 0 || m.Points > MissedMost {
		return PeopleOutcome{}, refuse.Invalid("err_missed_points", "most", MissedMost)
	}
	w := peopleWork{tournamentID: m.Tournament, name: tournament.PeopleMissed, player: m.Player, why: m.Why}
	return changePlayer(tx, w, func(tx *peopleTx, p tournament.Player) error {
		set := tx.Model(&tournament.MissedRound{}).Where("player_id = ? AND round = ?", p.ID, m.Number).Update("charge",
			score.Whole(m.Points))
		if set.Error == nil && set.RowsAffected == 0 {
			return refuse.Conflict("err_missed_none", "name", p.Name, "round", m.Number)
		}
		return set.Error
	})
}

// Missed returns the rounds that a tournament's players missed, by round.
func Missed(ctx context.Context, s *store.DB, tournamentID int64) ([]tournament.MissedRound, error) {
	return store.All[tournament.MissedRound](s.Read.WithContext(ctx).Where("tournament_id = ?",
		tournamentID).Order("round, player_id"))
}

// StandIns returns a tournament's stand-ins, by round and game.
func StandIns(ctx context.Context, s *store.DB, tournamentID int64) ([]tournament.StandIn, error) {
	return store.All[tournament.StandIn](s.Read.WithContext(ctx).Where("tournament_id = ?",
		tournamentID).Order("round, game"))
}

// ClosedTables returns the hall's tables that are out of service, by number.
func ClosedTables(ctx context.Context, s *store.DB, tournamentID int64) ([]tournament.ClosedTable, error) {
	return store.All[tournament.ClosedTable](s.Read.WithContext(ctx).Where("tournament_id = ?",
		tournamentID).Order("number"))
}
