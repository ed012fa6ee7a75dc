package people

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// PeopleChange is a completed action about players. Blocked is the reason why it cannot be undone, or nil.
type PeopleChange struct {
	ID      int64
	Kind    string
	Subject string
	Actor   string
	At      engine.Millis
	Why     string
	Undone  engine.Millis // 0: not undone
	By      string        // the official who undid it
	Effects []tournament.PeopleEffect
	Blocked *refuse.Error
	List    []int64 // players it entered together who are still on the roster
}

// PeopleOutcome is the effect of an action about players, or of its preview. GivesUp lists the seats forfeited in
// running games.
type PeopleOutcome struct {
	Change  int64 // 0 in a preview
	Effects []tournament.PeopleEffect
	Players []tournament.Player // players entered
	GivesUp []playedSeat
}

// PeopleChanges returns at most limit actions about a tournament's players, newest first, except the kinds in without.
// Each includes its effects and whether it can be undone.
func PeopleChanges(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64, limit int,
	without ...string) ([]PeopleChange, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayEditRoster); err != nil {
		return nil, err
	}
	var list []PeopleChange
	err := s.Snapshot(ctx, func(db *gorm.DB) error {
		now, err := tournament.LoadPeople(db, tournamentID)
		if err != nil {
			return err
		}
		var rows []tournament.PeopleChangeRow
		asked := db.Where("tournament_id = ?", tournamentID)
		if len(without) > 0 {
			asked = asked.Where("kind NOT IN ?", without)
		}
		if err := asked.Order("id DESC").Limit(limit).Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			one, err := changeOf(db, row, now)
			if err != nil {
				return err
			}
			list = append(list, one)
		}
		return nil
	})
	return list, err
}

func changeOf(db *gorm.DB, r tournament.PeopleChangeRow, now tournament.PeopleState) (PeopleChange, error) {
	was, is, err := r.Parts()
	if err != nil {
		return PeopleChange{}, fmt.Errorf("people change %d: %w", r.ID, err)
	}
	whole := tournament.BothStates(now, tournament.BothStates(was, is))
	one := PeopleChange{ID: r.ID, Kind: r.Kind, Subject: r.Subject, Actor: r.Actor, At: r.At, Why: r.Why,
		Undone: r.UndoneAt, By: r.UndoneBy,
		Effects: Effects(was, is, whole)}
	if r.UndoneAt != 0 {
		one.Blocked = refuse.Conflict("err_undone_already", "by", tournament.NameOf(r.UndoneBy))
		return one, nil
	}
	if one.List = listed(was, is, now); one.List == nil {
		one.Blocked = now.Blocked(was, is, whole)
		return one, nil
	}
	stays, err := stayOf(db, one.List)
	if len(stays) == len(one.List) {
		one.Blocked = refuse.Conflict("err_undo_list", "n", len(stays))
	}
	return one, err
}

// ChangedTables returns the ids of the tables that differ between two states.
func ChangedTables(was, is tournament.PeopleState) (ids []int64) {
	for id := range tournament.PartsOf[tournament.TablePart](tournament.BothStates(was, is), "table") {
		ids = append(ids, id)
	}
	return ids
}
