package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// The states of a player in an event. Those who wait, and those who have left, are seated nowhere.
const (
	StateWaiting     = "waiting"
	StateRegistered  = "registered"
	StateCheckedIn   = "checked_in"
	StateWithdrawn   = "withdrawn"
	StateNoShow      = "no_show"
	StateSubstituted = "substituted" // another entry has taken the place
)

// PlayerStates are all states.
var PlayerStates = []string{StateWaiting, StateRegistered, StateCheckedIn, StateWithdrawn, StateNoShow, StateSubstituted}

// Plays tells whether the player is seated in rounds to come.
func (p Player) Plays() bool { return p.State == StateRegistered || p.State == StateCheckedIn }

// PeopleEffect is one consequence of an action about people, of what was or will be changed. Key is that of a text
// (people.effect.KEY) and Args its arguments; Player is whom it concerns, 0 for the event.
type PeopleEffect struct {
	Key    string
	Args   refuse.Args
	Player int64
}

// PeopleChange is an action about people that was done. Blocked says why it cannot be taken back, nil when it can.
type PeopleChange struct {
	ID      int64
	Kind    string
	Subject string
	Actor   string
	At      engine.Millis
	Why     string
	Undone  engine.Millis // 0: not
	By      string        // who took it back
	Effects []PeopleEffect
	Blocked *refuse.Error
	List    []int64 // who of those that it entered together are still on the roster
}

// PeopleOutcome is what an action about people does, or would do. GivesUp are seats in games that are on.
type PeopleOutcome struct {
	Change  int64 // 0 in a preview
	Effects []PeopleEffect
	Players []Player // who was entered
	GivesUp []playedSeat
}

// StandIn is who plays in an entry's place from a game of a round on; an empty name is the entry's own player.
type StandIn struct {
	ID           int64
	TournamentID int64
	PlayerID     int64
	Name         string
	Round        int
	Game         int
}

// standInAt is who plays for a player at a game: the newest of the stand-ins, given in any order, that began before it.
func StandInAt(all []StandIn, player int64, round, game int) string {
	var last StandIn
	for _, s := range all {
		if s.PlayerID == player && (s.Round < round || s.Round == round && s.Game <= game) &&
			cmp.Or(cmp.Compare(s.Round, last.Round), cmp.Compare(s.Game, last.Game)) >= 0 {
			last = s
		}
	}
	return last.Name
}

// MissedRound is the explicit result of a round that a player did not play.
type MissedRound struct {
	TournamentID int64
	PlayerID     int64
	Round        int
	Stage        int
	Games        int
	Charge       engine.Twelfth
	Reason       string // late, left or no_show
}

// The reasons of a missed round.
const (
	MissedLate   = "late"
	MissedLeft   = "left"
	MissedNoShow = "no_show"
)

// ClosedTable is a table of the hall that nobody may be seated at.
type ClosedTable struct {
	TournamentID int64
	Number       int
	Reason       string
}

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
	Codes        string // laidCodes
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
			one, err := row.change(db, now)
			if err != nil {
				return err
			}
			list = append(list, one)
		}
		return nil
	})
	return list, err
}

func (r peopleChangeRow) change(db *gorm.DB, now peopleState) (PeopleChange, error) {
	was, is, err := r.parts()
	if err != nil {
		return PeopleChange{}, fmt.Errorf("people change %d: %w", r.ID, err)
	}
	whole := bothStates(now, bothStates(was, is))
	one := PeopleChange{ID: r.ID, Kind: r.Kind, Subject: r.Subject, Actor: r.Actor, At: r.At, Why: r.Why, Undone: r.UndoneAt, By: r.UndoneBy,
		Effects: effects(was, is, whole)}
	if r.UndoneAt != 0 {
		one.Blocked = refuse.Conflict("err_undone_already", "by", nameOf(r.UndoneBy))
		return one, nil
	}
	if one.List = listed(was, is, now); one.List == nil {
		one.Blocked = now.blocked(was, is, whole)
		return one, nil
	}
	stays, err := stayOf(db, one.List)
	if len(stays) == len(one.List) {
		one.Blocked = refuse.Conflict("err_undo_list", "n", len(stays))
	}
	return one, err
}

func bothStates(a, b peopleState) peopleState {
	whole := peopleState{}
	maps.Copy(whole, a)
	maps.Copy(whole, b)
	return whole
}

func changedTables(was, is peopleState) (ids []int64) {
	for id := range partsOf[tablePart](bothStates(was, is), "table") {
		ids = append(ids, id)
	}
	return ids
}

// goneIn are the players who left their table by a change.
func goneIn(was, is peopleState) (ids []int64) {
	for id, after := range partsOf[playerPart](is, "player") {
		if after.Gone && !was.player(id).Gone {
			ids = append(ids, id)
		}
	}
	return ids
}

// about is whom or which table of these states a change was about.
func (r peopleChangeRow) about(states ...peopleState) door.About {
	for _, p := range states {
		for id, one := range partsOf[playerPart](p, "player") {
			if strings.HasPrefix(r.Subject, fmt.Sprintf("player %d (", one.Number)) {
				return door.About{Player: one.Number, Name: p.name(id)}
			}
		}
		for number := range partsOf[string](p, "closed") {
			if r.Subject == tableSubject(int(number)) {
				return door.About{Table: int(number)}
			}
		}
	}
	return door.About{}
}

func tableSubject(number int) string { return fmt.Sprintf("table %d", number) }
