package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// peopleChangeRow is an action about people as it is stored, with the parts that it changed.
type peopleChangeRow struct {
	ID           int64
	TournamentID int64
	Kind         string
	Subject      string
	Actor        string
	At           engine.Millis
	Why          string
	Before       string
	After        string
	UndoneAt     engine.Millis
	UndoneBy     string
}

// TableName is people_changes.
func (peopleChangeRow) TableName() string { return "people_changes" }

func (r peopleChangeRow) parts() (was, is peopleState, err error) {
	err = errors.Join(json.Unmarshal([]byte(r.Before), &was), json.Unmarshal([]byte(r.After), &is))
	return was, is, err
}

// PeopleChanges gives the actions about people of an event, the newest first, at most limit, each with what it did and
// whether it can be taken back.
func PeopleChanges(ctx context.Context, s *storage.DB, actor rights.Actor, tournamentID int64, limit int, without ...string) ([]PeopleChange, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MayEditRoster); err != nil {
		return nil, err
	}
	var list []PeopleChange
	err := s.Snapshot(ctx, func(db *gorm.DB) error {
		now, err := loadPeople(db, tournamentID)
		if err != nil {
			return err
		}
		var rows []peopleChangeRow
		asked := db.Where("tournament_id = ?", tournamentID)
		if len(without) > 0 {
			asked = asked.Where("kind NOT IN ?", without)
		}
		if err := asked.Order("id DESC").Limit(limit).Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			one, err := row.change(now)
			if err != nil {
				return err
			}
			list = append(list, one)
		}
		return nil
	})
	return list, err
}

func (r peopleChangeRow) change(now peopleState) (PeopleChange, error) {
	was, is, err := r.parts()
	if err != nil {
		return PeopleChange{}, fmt.Errorf("people change %d: %w", r.ID, err)
	}
	whole := bothStates(now, bothStates(was, is))
	one := PeopleChange{ID: r.ID, Kind: r.Kind, Subject: r.Subject, Actor: r.Actor, At: r.At, Why: r.Why, Undone: r.UndoneAt, By: r.UndoneBy,
		Effects: effects(was, is, whole)}
	if r.UndoneAt != 0 {
		one.Blocked = refuse.Conflict("err_undone_already", "by", nameOf(r.UndoneBy))
	} else {
		one.Blocked = now.blocked(was, is, whole)
	}
	return one, nil
}

func bothStates(a, b peopleState) peopleState {
	whole := peopleState{}
	for _, p := range []peopleState{a, b} {
		for key, text := range p {
			whole[key] = text
		}
	}
	return whole
}

func changedTables(was, is peopleState) (ids []int64) {
	for _, key := range keysOf(was, is) {
		if len(key) > 6 && key[:6] == "table/" {
			ids = append(ids, keyID(key))
		}
	}
	return ids
}

// goneIn are the players who left their table by a change.
func goneIn(was, is peopleState) (ids []int64) {
	for _, key := range keysOf(was, is) {
		var before, after playerPart
		if strings.HasPrefix(key, "player/") && is.read(key, &after) && after.Gone && (!was.read(key, &before) || !before.Gone) {
			ids = append(ids, keyID(key))
		}
	}
	return ids
}

func (p peopleState) pack() string {
	text, err := json.Marshal(map[string]string(p))
	if err != nil {
		panic(err) // a map of texts
	}
	return string(text)
}

// about is whom or which table of these states a change was about.
func (r peopleChangeRow) about(states ...peopleState) door.About {
	for _, p := range states {
		for key := range p {
			var one playerPart
			kind, _, _ := strings.Cut(key, "/")
			switch {
			case kind == "player" && p.read(key, &one):
				if q := (Player{Number: one.Number, Name: one.Name}); q.subject() == r.Subject {
					return q.about()
				}
			case kind == "closed" && r.Subject == tableSubject(int(keyID(key))):
				return door.About{Table: int(keyID(key))}
			}
		}
	}
	return door.About{}
}

func tableSubject(number int) string { return fmt.Sprintf("table %d", number) }
