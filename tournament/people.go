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
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// The states of a player in a tournament. Players on the waiting list and players who have left get no seats.
const (
	StateWaiting     = "waiting"
	StateRegistered  = "registered"
	StateCheckedIn   = "checked_in"
	StateWithdrawn   = "withdrawn"
	StateNoShow      = "no_show"
	StateSubstituted = "substituted" // another entry has the place
)

// PlayerStates lists all states.
var PlayerStates = []string{StateWaiting, StateRegistered, StateCheckedIn, StateWithdrawn, StateNoShow,
	StateSubstituted}

// Plays reports whether the player gets a seat in later rounds.
func (p Player) Plays() bool { return p.State == StateRegistered || p.State == StateCheckedIn }

// PeopleEffect is one consequence of an action about players, past or previewed. Key selects the text people.effect.KEY
// and Args are its arguments. Player is the player concerned, 0 for the tournament.
type PeopleEffect struct {
	Key    string
	Args   refuse.Args
	Player int64
}

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
	Effects []PeopleEffect
	Blocked *refuse.Error
	List    []int64 // players it entered together who are still on the roster
}

// PeopleOutcome is the effect of an action about players, or of its preview. GivesUp lists the seats forfeited in
// running games.
type PeopleOutcome struct {
	Change  int64 // 0 in a preview
	Effects []PeopleEffect
	Players []Player // players entered
	GivesUp []playedSeat
}

// StandIn names the person who plays for an entry from a certain game on; an empty name means the entry's own player.
type StandIn struct {
	ID           int64
	TournamentID int64
	PlayerID     int64
	Name         string
	Round        int
	Game         int
}

// StandInAt returns who plays for a player in a game: the newest stand-in that began by then. all may be in any order.
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

// MissedRound is the explicit result of a round that a player missed.
type MissedRound struct {
	TournamentID int64
	PlayerID     int64
	Round        int
	Stage        int
	Games        int
	Charge       engine.Twelfth
	Reason       string // late, left or no_show
}

// The reasons for a missed round.
const (
	MissedLate   = "late"
	MissedLeft   = "left"
	MissedNoShow = "no_show"
)

// ClosedTable is a table of the hall that is out of service.
type ClosedTable struct {
	TournamentID int64
	Number       int
	Reason       string
}

// peopleChangeRow is a stored action about players, with the parts of the state that it changed.
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
	Codes        string // a laidCodes
}

// TableName returns "people_changes".
func (peopleChangeRow) TableName() string { return "people_changes" }

func (r peopleChangeRow) parts() (was, is peopleState, err error) {
	err = errors.Join(json.Unmarshal([]byte(r.Before), &was), json.Unmarshal([]byte(r.After), &is))
	return was, is, err
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

func changeOf(db *gorm.DB, r peopleChangeRow, now peopleState) (PeopleChange, error) {
	was, is, err := r.parts()
	if err != nil {
		return PeopleChange{}, fmt.Errorf("people change %d: %w", r.ID, err)
	}
	whole := bothStates(now, bothStates(was, is))
	one := PeopleChange{ID: r.ID, Kind: r.Kind, Subject: r.Subject, Actor: r.Actor, At: r.At, Why: r.Why,
		Undone: r.UndoneAt, By: r.UndoneBy,
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

// goneIn returns the players who left their table by a change.
func goneIn(was, is peopleState) (ids []int64) {
	for id, after := range partsOf[playerPart](is, "player") {
		if after.Gone && !was.player(id).Gone {
			ids = append(ids, id)
		}
	}
	return ids
}

// about returns the player or table of these states that a change was about.
func (r peopleChangeRow) about(states ...peopleState) action.About {
	for _, p := range states {
		for id, one := range partsOf[playerPart](p, "player") {
			if strings.HasPrefix(r.Subject, fmt.Sprintf("player %d (", one.Number)) {
				return action.About{Player: one.Number, Name: p.name(id)}
			}
		}
		for number := range partsOf[string](p, "closed") {
			if r.Subject == tableSubject(int(number)) {
				return action.About{Table: int(number)}
			}
		}
	}
	return action.About{}
}

func tableSubject(number int) string { return fmt.Sprintf("table %d", number) }
