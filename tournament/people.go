package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/engine/score"
	"meldhall/tournament/action"
	"meldhall/tournament/game"
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

// StandIn names the person who plays for an entry from a certain game on; an empty name means the entry's own player.
type StandIn struct {
	ID           int64
	TournamentID int64
	PlayerID     int64
	Name         string
	Round        int
	Game         int
}

// StandInAt returns the name of the person who plays for a player in a game: the newest stand-in that began by then. It
// returns "" if that is the player. all may be in any order.
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
	Charge       score.Twelfth
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

// PeopleChangeRow is a stored action about players, with the parts of the state that it changed.
type PeopleChangeRow struct {
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
	Codes        string // JSON of the codes that the change removed
}

// TableName returns "people_changes".
func (PeopleChangeRow) TableName() string { return "people_changes" }

// Parts decodes the parts of the state before and after the change.
func (r PeopleChangeRow) Parts() (was, is PeopleState, err error) {
	err = errors.Join(json.Unmarshal([]byte(r.Before), &was), json.Unmarshal([]byte(r.After), &is))
	return was, is, err
}

// BothStates merges two states; b takes precedence.
func BothStates(a, b PeopleState) PeopleState {
	whole := PeopleState{}
	maps.Copy(whole, a)
	maps.Copy(whole, b)
	return whole
}

// GoneIn returns the players who left their table by a change.
func GoneIn(was, is PeopleState) (ids []int64) {
	for id, after := range PartsOf[PlayerPart](is, "player") {
		if after.Gone && !was.Player(id).Gone {
			ids = append(ids, id)
		}
	}
	return ids
}

// About returns the player or closed table that a change was about, with the data from states. It is empty if states
// contain neither.
func (r PeopleChangeRow) About(states ...PeopleState) action.About {
	for _, p := range states {
		for id, one := range PartsOf[PlayerPart](p, "player") {
			if strings.HasPrefix(r.Subject, fmt.Sprintf("player %d (", one.Number)) {
				return action.About{Player: one.Number, Name: p.Name(id)}
			}
		}
		for number := range PartsOf[string](p, "closed") {
			if r.Subject == TableSubject(int(number)) {
				return action.About{Table: int(number)}
			}
		}
	}
	return action.About{}
}

// TableSubject names a table in a stored change.
func TableSubject(number int) string { return fmt.Sprintf("table %d", number) }

// The names of the actions about players in the API and in stored changes. Each can be previewed and undone; its record
// kind is people.NAME.
const (
	PeopleEnter        = "enter"
	PeopleCheckIn      = "check_in"
	PeopleCheckOut     = "check_out"
	PeopleAllHere      = "all_here"
	PeopleRemoveAbsent = "remove_absent"
	PeopleLeave        = "leave"
	PeopleNoShow       = "no_show"
	PeopleBack         = "back"
	PeopleMoveUp       = "move_up"
	PeopleSubstitute   = "substitute"
	PeopleReturn       = "return"
	PeopleFixTable     = "fix_table"
	PeopleCloseTable   = "close_table"
	PeopleOpenTable    = "open_table"
	PeopleMissed       = "missed"
	PeopleCorrect      = "correct"
	PeopleSettings     = "settings"
)

// nameStandIns sets the names of stand-ins on the seats of tables, as of the current game or the last one. There must
// be at least one table, and all must belong to one tournament.
func nameStandIns(db *gorm.DB, tables []Table) error {
	var all []StandIn
	if err := db.Where("tournament_id = ?", tables[0].TournamentID).Find(&all).Error; err != nil || len(all) == 0 {
		return err
	}
	var rounds []Round
	if err := db.Select("id", "number").Where("tournament_id = ?",
		tables[0].TournamentID).Find(&rounds).Error; err != nil {
		return err
	}
	numbers := store.MapOf(rounds, func(r Round) (int64, int) { return r.ID, r.Number })
	for i, t := range tables {
		gameID := 1
		for _, g := range t.Games {
			if gameID = g.Number; g.Status != game.Finished {
				break
			}
		}
		for j := range t.Seats {
			p := &tables[i].Seats[j].Player
			if person := StandInAt(all, p.ID, numbers[t.RoundID], gameID); person != "" {
				p.Name, p.For = person, p.Name
			}
		}
	}
	return nil
}

// AbsentPlayers returns the active players with no sign of presence: not checked in, no device joined and no game
// finished.
func AbsentPlayers(db *gorm.DB, tournamentID int64) ([]Player, error) {
	var absent []Player
	err := db.Where(`tournament_id = ? AND state = ? AND device_hash IS NULL AND NOT EXISTS (SELECT 1 FROM seats e JOIN games g ON g.table_id = e.table_id
		WHERE e.player_id = players.id AND g.status = ?)`, tournamentID, StateRegistered, game.Finished).Order("number").Find(&absent).Error
	return absent, err
}

// LeaveKey returns the key of the command by which a change to a player forfeits a seat in a running game. Package
// people has another key for players who left before the game began.
func LeaveKey(change int64, seat int) string { return fmt.Sprintf("people-%d-%d", change, seat) }

// ActorNamed parses a record's "role:name" into an official.
func ActorNamed(text string) rights.Actor {
	role, name, _ := strings.Cut(text, ":")
	return rights.Staff(rights.Role(role), name)
}

// GoneOf maps those of the players who have left their table to the official who recorded it. All players must belong
// to one tournament.
func GoneOf(ctx context.Context, s *store.DB, players []int64) (map[int64]rights.Actor, error) {
	db := s.Read.WithContext(ctx)
	var gone []Player
	if err := db.Select("id", "tournament_id").Where("id IN ? AND gone <> 0", players).Find(&gone).Error; err != nil ||
		len(gone) == 0 {
		return nil, err
	}
	var changes []PeopleChangeRow
	if err := db.Where("tournament_id = ? AND undone_at = 0 AND after LIKE '%gone%'",
		gone[0].TournamentID).Order("id DESC").Find(&changes).Error; err != nil {
		return nil, err
	}
	by := make(map[int64]rights.Actor, len(gone))
	for _, row := range changes {
		was, is, err := row.Parts()
		if err != nil {
			return nil, err
		}
		for _, id := range GoneIn(was, is) {
			if _, known := by[id]; !known {
				by[id] = ActorNamed(row.Actor)
			}
		}
	}
	maps.DeleteFunc(by, func(id int64, _ rights.Actor) bool {
		return !slices.ContainsFunc(gone, func(p Player) bool { return p.ID == id })
	})
	return by, nil
}
