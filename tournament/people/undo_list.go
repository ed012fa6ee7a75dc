package people

import (
	"slices"

	"gorm.io/gorm"

	"meldhall/tournament"
	"meldhall/tournament/draw"
	"meldhall/tournament/refuse"
	"meldhall/tournament/store"
)

// listed returns the players entered together by a change who are still on the roster, or nil if it entered fewer than
// two. Such a list is undone where possible, whatever happened to its players since; see takeListOut.
func listed(was, is, now tournament.PeopleState) (ids []int64) {
	entered := 0
	for id := range tournament.PartsOf[tournament.PlayerPart](is, "player") {
		if was.Player(id).Number != 0 {
			continue
		}
		if entered++; now.Player(id).Number != 0 {
			ids = append(ids, id)
		}
	}
	if entered < 2 {
		return nil
	}
	return ids
}

// listStays is a player of a list who stays when the list is undone, because of a seat in a published round or another
// record about the player.
type listStays struct {
	PlayerID int64
	Round    int // 0: another kind of record
	Number   int // table number
}

func stayOf(db *gorm.DB, ids []int64) (stays []listStays, err error) {
	if err = db.Raw(`SELECT s.player_id, r.number AS round, t.number FROM seats s JOIN rounds r ON r.id = s.round_id JOIN tables t ON t.id = s.table_id
		WHERE s.player_id IN ? AND r.number = (SELECT max(n.number) FROM seats e JOIN rounds n ON n.id = e.round_id WHERE e.player_id = s.player_id AND n.status <> ?)
		ORDER BY s.player_id`, ids, tournament.RoundDraft).Scan(&stays).Error; err != nil {
		return nil, err
	}
	var noted []int64
	err = db.Raw(`SELECT player_id FROM sanctions WHERE player_id IN @ids UNION SELECT player_id FROM stand_ins WHERE player_id IN @ids
		UNION SELECT player_id FROM qualifications WHERE player_id IN @ids`, map[string]any{"ids": ids}).Scan(&noted).Error
	for _, id := range noted {
		if !slices.ContainsFunc(stays, func(s listStays) bool { return s.PlayerID == id }) {
			stays = append(stays, listStays{PlayerID: id})
		}
	}
	return stays, err
}

// takeListOut removes the players of a list from the roster and the draft, and adds an effect for each one who stays.
// It reports whether all were removed.
func (tx *peopleTx) takeListOut(ids []int64) (whole bool, err error) {
	stays, err := stayOf(tx.DB, ids)
	if err != nil {
		return false, err
	}
	ids = slices.Clone(ids)
	for _, s := range stays {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return id == s.PlayerID })
		e := tournament.PeopleEffect{Key: "stays_noted", Player: s.PlayerID,
			Args: refuse.Args{"name": tx.before.Name(s.PlayerID)}}
		if s.Round > 0 {
			e.Key, e.Args["round"], e.Args["table"] = "stays_seated", s.Round, s.Number
		}
		tx.Notes = append(tx.Notes, e)
	}
	if len(ids) == 0 {
		return false, refuse.Conflict("err_undo_list", "n", len(stays))
	}
	if err := tx.Model(&tournament.Player{}).Where("id IN ?", ids).Update("state",
		tournament.StateWithdrawn).Error; err != nil {
		return false, err
	}
	if err := tx.leaveDraft(ids); err != nil {
		return false, err
	}
	for _, sql := range []string{`DELETE FROM missed_rounds WHERE player_id IN @ids`,
		`DELETE FROM keep_apart WHERE a IN @ids OR b IN @ids`, `DELETE FROM players WHERE id IN @ids`} {
		if err := tx.Exec(sql, map[string]any{"ids": ids}).Error; err != nil {
			return false, err
		}
	}
	return len(stays) == 0, tx.MoveUp()
}

// leaveDraft adapts the draft after players were removed, or deletes it if too few are left.
func (tx *peopleTx) leaveDraft(ids []int64) error {
	if tx.round == nil || tx.round.Status != tournament.RoundDraft {
		return nil
	}
	next, err := draw.NextRoundOf(tx.DB, tx.event.ID)
	if err == nil {
		_, err = next.Stage.Seat(len(next.Players), next.Rules.SeatsMin, next.Rules.SeatsMax)
	}
	if err == nil {
		return tx.mendDraft()
	}
	_, sits, err := store.First[tournament.Seat](tx.Where("round_id = ? AND player_id IN ?", tx.round.ID, ids))
	if err != nil || !sits {
		return err
	}
	if err := draw.PromiseAgain(tx.Tx, *tx.round, tx.Desk.Seeds()); err != nil {
		return err
	}
	tx.Notes = append(tx.Notes, tournament.PeopleEffect{Key: "draft_gone", Args: refuse.Args{"round": tx.round.Number}})
	round := tx.round.ID
	tx.round = nil
	return draw.DeleteRound(tx.DB, round)
}
