package tournament

import (
	"context"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/standing"
)

// Sanctions gives an event's sanctions, the newest first, with what became of them; for officials.
func (s *Store) Sanctions(ctx context.Context, actor rights.Actor, event int64) ([]Sanction, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, rights.MaySeeDesk); err != nil {
		return nil, err
	}
	if _, err := s.TournamentByID(ctx, event); err != nil {
		return nil, err
	}
	db := s.Read.WithContext(ctx)
	return sanctionsOf(db, db.Where("tournament_id = ?", event))
}

// SanctionsOf gives a player's own sanctions, the newest first, without those that were only proposed: for the player's
// page.
func (s *Store) SanctionsOf(ctx context.Context, player int64) ([]Sanction, error) {
	db := s.Read.WithContext(ctx)
	all, err := sanctionsOf(db, db.Where("player_id = ?", player))
	var own []Sanction
	for _, one := range all {
		if one.Kind == SanctionPoints || one.Seconded != nil {
			own = append(own, one)
		}
	}
	return own, err
}

// GiveSanction gives a player points off the total, which count at once, or proposes to disqualify the player, which
// counts when a second official confirms it (SecondSanction).
func (s *Store) GiveSanction(ctx context.Context, actor rights.Actor, event int64, given NewSanction) (Sanction, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: event}, sanctionRight(given.Kind)); err != nil {
		return Sanction{}, err
	}
	given, err := given.clean()
	if err != nil {
		return Sanction{}, err
	}
	one := Sanction{TournamentID: event, PlayerID: given.Player, Kind: given.Kind, Points: engine.Whole(given.Points), Rule: given.Rule,
		Reason: given.Reason, Actor: actor.String(), AccountID: accountOf(actor), At: s.now()}
	err = s.Tx(ctx, func(tx *gorm.DB) error {
		if err := tx.Omit("email").Where("tournament_id = ?", event).Take(&one.Player, given.Player).Error; err != nil {
			return missing(err, "player", given.Player)
		}
		if err := one.place(tx, given.Game); err != nil {
			return err
		}
		if err := one.checkNews(tx, given.Seen); err != nil {
			return err
		}
		if err := tx.Create(&one).Error; err != nil {
			return err
		}
		return s.audit(tx, actor, change{tournament: event, action: "sanction.give", subject: one.subject(), after: one.String(), because: one.Reason})
	})
	return one, err
}

// place finds the round that a sanction belongs to: the game's, or the one that is on.
func (s *Sanction) place(tx *gorm.DB, game int64) error {
	if game == 0 {
		return tx.Model(&Round{}).Where("tournament_id = ? AND status <> ?", s.TournamentID, RoundDraft).
			Select("coalesce(max(number), 0)").Scan(&s.Round).Error
	}
	s.GameID = &game
	found := tx.Raw(`SELECT r.number FROM games g JOIN tables t ON t.id = g.table_id JOIN rounds r ON r.id = t.round_id
		JOIN seats e ON e.table_id = t.id WHERE g.id = ? AND r.tournament_id = ? AND e.player_id = ?`, game, s.TournamentID, s.PlayerID).Scan(&s.Round)
	if found.Error == nil && found.RowsAffected == 0 {
		return refuse.NotFound("err_game_not_found", "id", game)
	}
	return found.Error
}

// checkNews refuses a sanction that comes after another one which its official has not seen, and to disqualify twice.
func (s *Sanction) checkNews(tx *gorm.DB, seen int64) error {
	have, err := sanctionsOf(tx, tx.Where("player_id = ?", s.PlayerID))
	if err != nil {
		return err
	}
	for _, other := range have {
		if seen != 0 && other.ID > seen {
			return refuse.Conflict("err_sanction_since", "name", s.Player.Name, "by", nameOf(other.Actor))
		}
		if s.Kind == SanctionDisqualification && other.Kind == s.Kind && other.Cancelled == nil {
			return refuse.Conflict("err_sanction_twice", "name", s.Player.Name)
		}
	}
	return nil
}

// SecondSanction confirms a proposed disqualification: another official than the one who proposed it must. The player is
// out of the rounds to come and stands after everybody else. Confirming twice is confirming once.
func (s *Store) SecondSanction(ctx context.Context, actor rights.Actor, id int64) (Sanction, error) {
	return s.decide(ctx, actor, id, func(tx *gorm.DB, one *Sanction) error {
		switch {
		case one.Kind != SanctionDisqualification:
			return refuse.Conflict("err_sanction_not_seconded")
		case one.Cancelled != nil:
			return refuse.Conflict("err_sanction_cancelled", "by", nameOf(one.Cancelled.Actor))
		case one.Seconded != nil:
			return nil
		case one.ProposedBy(actor):
			return refuse.Forbidden("err_second_official")
		}
		seconded := SanctionDecision{Decision: decisionSeconded, Withdrew: !one.Player.Withdrawn}
		if err := s.insertDecision(tx, actor, one, &seconded); err != nil {
			return err
		}
		one.Seconded = &seconded
		return s.setOut(tx, actor, one, true)
	})
}

// CancelSanction takes a sanction back, with a reason: both stay in the record. A player who was disqualified plays on
// as before.
func (s *Store) CancelSanction(ctx context.Context, actor rights.Actor, id int64, why string) (Sanction, error) {
	why = cleanText(why)
	return s.decide(ctx, actor, id, func(tx *gorm.DB, one *Sanction) error {
		if one.Cancelled != nil {
			return refuse.Conflict("err_sanction_cancelled", "by", nameOf(one.Cancelled.Actor))
		}
		if err := checkWhy(why); err != nil {
			return err
		}
		cancelled := SanctionDecision{Decision: decisionCancelled, Why: why}
		if err := s.insertDecision(tx, actor, one, &cancelled); err != nil {
			return err
		}
		one.Cancelled = &cancelled
		if one.Seconded != nil && one.Seconded.Withdrew {
			return s.setOut(tx, actor, one, false)
		}
		return nil
	})
}

func (s *Store) decide(ctx context.Context, actor rights.Actor, id int64, do func(*gorm.DB, *Sanction) error) (Sanction, error) {
	var one Sanction
	if err := rights.Authorize(actor, rights.Place{}, rights.MayRule); err != nil { // who may decide nothing learns nothing
		return one, err
	}
	err := s.Tx(ctx, func(tx *gorm.DB) error {
		found, err := sanctionsOf(tx, tx.Where("id = ?", id))
		if err == nil && len(found) == 0 {
			err = refuse.NotFound("err_sanction_not_found", "id", id)
		}
		if err != nil {
			return err
		}
		one = found[0]
		if err := rights.Authorize(actor, rights.Place{Tournament: one.TournamentID}, sanctionRight(one.Kind)); err != nil {
			return err
		}
		return do(tx, &one)
	})
	return one, err
}

func (s *Store) insertDecision(tx *gorm.DB, actor rights.Actor, one *Sanction, d *SanctionDecision) error {
	d.SanctionID, d.Actor, d.AccountID, d.At = one.ID, actor.String(), accountOf(actor), s.now()
	before := one.State()
	if err := tx.Create(d).Error; err != nil {
		return err
	}
	return s.audit(tx, actor, change{tournament: one.TournamentID, action: "sanction." + d.Decision, subject: one.subject(),
		before: before + ": " + one.String(), after: d.Decision, because: d.Why})
}

// setOut takes the player of a disqualification out of the rounds to come, or back in.
func (s *Store) setOut(tx *gorm.DB, actor rights.Actor, one *Sanction, out bool) error {
	if one.Player.Withdrawn == out {
		return nil
	}
	one.Player.Withdrawn = out
	if err := tx.Model(&Player{}).Where("id = ?", one.PlayerID).Update("state", map[bool]string{true: StateWithdrawn, false: StateCheckedIn}[out]).Error; err != nil {
		return err
	}
	return s.audit(tx, actor, change{tournament: one.TournamentID, action: "player.withdraw", subject: one.Player.subject(),
		before: strconv.FormatBool(!out), after: strconv.FormatBool(out), because: one.subject()})
}

// sanctionsOf reads the sanctions that where finds, the newest first, with their players and decisions.
func sanctionsOf(db, where *gorm.DB) ([]Sanction, error) {
	var all []Sanction
	if err := where.Order("id DESC").Find(&all).Error; err != nil || len(all) == 0 {
		return nil, err
	}
	ids, players := make([]int64, len(all)), map[int64]Player{}
	for i, one := range all {
		ids[i], players[one.PlayerID] = one.ID, Player{}
	}
	var decisions []SanctionDecision
	if err := db.Where("sanction_id IN ?", ids).Find(&decisions).Error; err != nil {
		return nil, err
	}
	var people []Player
	if err := db.Omit("email").Where("tournament_id = ?", all[0].TournamentID).Find(&people).Error; err != nil {
		return nil, err
	}
	for _, p := range people {
		players[p.ID] = p
	}
	for i := range all {
		all[i].Player = players[all[i].PlayerID]
		for d := range decisions {
			switch {
			case decisions[d].SanctionID != all[i].ID:
			case decisions[d].Decision == decisionSeconded:
				all[i].Seconded = &decisions[d]
			default:
				all[i].Cancelled = &decisions[d]
			}
		}
	}
	return all, nil
}

// playedSeat is a seat in a game that is on.
type playedSeat struct {
	Game int64
	Seat int
}

// runningGames are the games that a player sits in and that are on.
const runningGames = `SELECT g.id AS game, e.seat FROM seats e JOIN games g ON g.table_id = e.table_id WHERE e.player_id = ? AND g.status = ?`

// runningGamesOf are the games that a player sits in and that are on.
func (s *Store) runningGamesOf(ctx context.Context, player int64) (games []playedSeat, err error) {
	err = s.Read.WithContext(ctx).Raw(runningGames, player, GameRunning).Scan(&games).Error
	return games, err
}

// disqualifications are those of an event that are in force.
func (s *Store) disqualifications(ctx context.Context, event int64) ([]Sanction, error) {
	db := s.Read.WithContext(ctx)
	all, err := sanctionsOf(db, db.Where("tournament_id = ? AND kind = ?", event, SanctionDisqualification))
	return slices.DeleteFunc(all, func(one Sanction) bool { return one.State() != SanctionInForce }), err
}

// disqualified are the players of an event who are, in force.
func disqualified(db *gorm.DB, event int64) (map[int64]bool, error) {
	var ids []int64
	err := db.Raw(`SELECT s.player_id FROM sanctions s JOIN sanction_decisions d ON d.sanction_id = s.id AND d.decision = 'seconded'
		WHERE s.tournament_id = ? AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled')`, event).
		Scan(&ids).Error
	out := make(map[int64]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

// penaltiesOf are the points off totals that count in an event.
func penaltiesOf(db *gorm.DB, event int64) (penalties []standing.Penalty, err error) {
	err = db.Raw(`SELECT s.player_id AS player, s.round AS round, coalesce(r.stage, 0) AS stage, s.points AS points
		FROM sanctions s LEFT JOIN rounds r ON r.tournament_id = s.tournament_id AND r.number = s.round
		WHERE s.tournament_id = ? AND s.kind = 'points'
		AND NOT EXISTS (SELECT 1 FROM sanction_decisions c WHERE c.sanction_id = s.id AND c.decision = 'cancelled')
		UNION ALL SELECT player_id, round, stage, charge FROM missed_rounds WHERE tournament_id = ? AND charge > 0`, event, event).Scan(&penalties).Error
	return penalties, err
}
