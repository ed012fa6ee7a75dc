package tournament

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/displayname"
	"meldhall/tournament/organization"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// A Player is an entry in one tournament. Number is the start number, from 1. DeviceHash is the hash of the token of
// the player's device, which is the same in every round.
type Player struct {
	ID           int64
	TournamentID int64
	Number       int
	Name         string `gorm:"->;column:shown"` // displayed name, with what distinguishes equal names
	Written      string `gorm:"column:name"`     // as entered
	NameKey      string
	Country      string
	Apart        string // country and mark; with NameKey, unique in the tournament
	Club         string
	Mark         string // given to distinguish equal names; empty: none
	Told         string // suffix that distinguishes equal names, stored by package people
	Rating       *int
	Email        string
	State        string  `gorm:"default:registered"` // StateRegistered, …
	Withdrawn    bool    `gorm:"->"`                 // derived from State: gets no more seats
	Gone         bool    // has left the table: new games are played without the player
	FixedTable   int     // the player's fixed table, 0: none
	Ticket       *string // secret of the player's ticket, used to check in
	For          string  `gorm:"-"` // entry's name if Name is a stand-in's, see nameStandIns
	ExtraSeconds int     // added to each of the player's turns, for players who need more time
	Drawn        int     // number drawn in the hall for the number chart; 0: none
	Division     string  // also ranked separately, such as junior; empty: none
	Family       string  // relatives seated apart, for organizers only; empty: none
	Public       string  `gorm:"default:whole"` // form of the public name: displayname.Whole, …
	// FederationNumber is the player's number in a federation's register; empty if unknown or hidden with the name.
	FederationNumber string
	DeviceHash       *string
	DeviceKey        string // see rights.Actor.Key
	DeviceAt         engine.Millis
}

// AfterFind sets the player's name as the context's reader may see it.
func (p *Player) AfterFind(db *gorm.DB) error {
	name, other, err := displayname.Seen(db, displayname.Person{Event: p.TournamentID, Player: p.ID, Number: p.Number,
		Way: p.Public, Written: p.Written, Mark: p.Told})
	if other {
		p.Name, p.Written, p.NameKey, p.FederationNumber = name, name, spelling.Fold(name), ""
	}
	return err
}

// OtherName reports whether the public may see a name other than the roster's.
func (p Player) OtherName() bool { return p.For != "" || displayname.Another(p.Public) }

// Joined reports whether a device plays for the player.
func (p Player) Joined() bool { return p.DeviceHash != nil }

// DeviceName returns the readable name of the player's device, or "" if there is none.
func (p Player) DeviceName() string {
	if p.DeviceHash == nil {
		return ""
	}
	return secret.DeviceName(*p.DeviceHash)
}

// About names the player in a record.
func (p Player) About() action.About { return action.About{Player: p.Number, Name: p.Name} }

// Subject names the player in a stored change.
func (p Player) Subject() string { return fmt.Sprintf("player %d (%s)", p.Number, p.Name) }

// EntriesOf returns players as roster entries.
func EntriesOf(players []Player) []rosterfile.PlayerEntry {
	entries := make([]rosterfile.PlayerEntry, len(players))
	for i, p := range players {
		entries[i] = rosterfile.PlayerEntry{Name: p.Written, Country: p.Country, Club: p.Club, Rating: p.Rating,
			Email: p.Email, Division: p.Division, Family: p.Family, Drawn: p.Drawn,
			Mark: p.Mark, FederationNumber: p.FederationNumber}
	}
	return entries
}

// CountedPlayers is the SQL condition that selects players other than those on the waiting list and those who only
// substitute for an entry.
const CountedPlayers = "state <> 'waiting' AND (state <> 'substituted' OR gone <> 0)"

// Players returns a tournament's players by start number, without the waiting list and without players who only
// substitute for an entry. E-mail addresses and families are left out; see PlayersFull.
func Players(ctx context.Context, s *store.DB, tournamentID int64) ([]Player, error) {
	return store.All[Player](s.Read.WithContext(ctx).Omit("email", "ticket",
		"family").Where("tournament_id = ? AND "+CountedPlayers, tournamentID).Order("number"))
}

// WholeNames returns the roster names of players whose public name may differ.
func WholeNames(ctx context.Context, s *store.DB, tournamentID int64) (map[int64]string, error) {
	players, err := Players(displayname.InFull(ctx), s, tournamentID)
	return store.MapOf(slices.DeleteFunc(players, func(p Player) bool { return !p.OtherName() }),
		func(p Player) (int64, string) { return p.ID, p.Name }), err
}

// Absent returns a tournament's players with no sign of presence, whom PeopleRemoveAbsent would remove.
func Absent(ctx context.Context, s *store.DB, tournamentID int64) (map[int64]bool, error) {
	players, err := AbsentPlayers(s.Read.WithContext(ctx), tournamentID)
	return store.MapOf(players, func(p Player) (int64, bool) { return p.ID, true }), err
}

// PlayersFull returns all entries with all their fields; for organizers.
func PlayersFull(ctx context.Context, s *store.DB, actor rights.Actor, tournamentID int64) ([]Player, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeRoster); err != nil {
		return nil, err
	}
	return store.All[Player](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number"))
}

// InsertPlayers adds players with the next start numbers. A duplicate entry is a Conflict.
func InsertPlayers(tx *gorm.DB, tournamentID int64, entries []rosterfile.PlayerEntry) ([]Player, error) {
	t, err := FindTournament(tx, tournamentID)
	if err != nil {
		return nil, err
	}
	var stage int
	if err := tx.Model(&Round{}).Where("tournament_id = ?",
		tournamentID).Select("coalesce(max(stage), 0)").Scan(&stage).Error; err != nil {
		return nil, err
	}
	if stage > 0 {
		return nil, refuse.Conflict("err_entries_closed")
	}
	var have struct{ Last, Count int }
	if err := tx.Model(&Player{}).Where("tournament_id = ?",
		tournamentID).Select("coalesce(max(number), 0) AS last, count(*) AS count").Scan(&have).Error; err != nil {
		return nil, err
	}
	if have.Count+len(entries) > rosterfile.Rows {
		return nil, refuse.Invalid("err_players_too_many", "players", have.Count+len(entries), "most", rosterfile.Rows)
	}
	if err := organization.RoomForPlayers(tx, t.OrganizationID, t.ID, len(entries)); err != nil {
		return nil, err
	}
	if err := CheckApart(tx, tournamentID, 0, entries...); err != nil {
		return nil, err
	}
	players := make([]Player, len(entries))
	for i, e := range entries {
		players[i] = Player{TournamentID: tournamentID, Number: have.Last + 1 + i, Name: e.Name, Written: e.Name,
			NameKey: spelling.Fold(e.Name),
			Country: e.Country, Apart: e.Apart(), Club: e.Club, Mark: e.Mark, Rating: e.Rating, Email: e.Email,
			Division: e.Division, Family: e.Family, Drawn: e.Drawn,
			FederationNumber: e.FederationNumber, State: StateRegistered}
		ticket := secret.NewToken()
		players[i].Ticket = &ticket
	}
	if err := tx.CreateInBatches(players, 100).Error; err != nil {
		return nil, err
	}
	return players, nil
}

// FindPlayer returns a player without the e-mail address, or NotFound.
func FindPlayer(db *gorm.DB, id int64) (Player, error) {
	return store.ByID[Player](db.Omit("email"), "player", id)
}

// PlayerByID returns a player without the e-mail address, or NotFound.
func PlayerByID(ctx context.Context, s *store.DB, id int64) (Player, error) {
	return FindPlayer(s.Read.WithContext(ctx), id)
}

// extraMost is the maximum extra time per turn, in seconds.
const extraMost = 600

// SetExtraTime sets a player's extra time per turn, in seconds, for games that start from now on. Everybody at the
// table sees this accommodation (WCAG 2.2.1).
type SetExtraTime struct {
	Player  int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Seconds int    `json:"seconds" doc:"0 to 600"`
	Why     string `json:"why,omitempty" maxLength:"500"`
}

var _ = action.NewKind[SetExtraTime](action.Kind{Name: "player.extra_time", Right: rights.MayEditRoster,
	Changes: []action.What{action.TopicPeople},
	Details: action.Keep[extraTime]})

// extraTime is the audit record of changed extra time, in seconds.
type extraTime struct {
	Was int `json:"was"`
	Is  int `json:"is"`
}

// Before returns the old extra time.
func (e extraTime) Before() []action.Phrase {
	return []action.Phrase{action.Say("roster.time_is", "n", e.Was)}
}

// After returns the new extra time.
func (e extraTime) After() []action.Phrase {
	return []action.Phrase{action.Say("roster.time_is", "n", e.Is)}
}

func (s SetExtraTime) Do(tx *action.Tx) (Player, error) {
	player, err := FindPlayer(tx.DB, s.Player)
	if err != nil {
		return player, err
	}
	if s.Seconds < 0 || s.Seconds > extraMost {
		return player, refuse.Invalid("err_extra_time", "seconds", s.Seconds, "most", extraMost)
	}
	if player.ExtraSeconds == s.Seconds {
		return player, nil
	}
	tx.Record(action.Entry{Event: player.TournamentID, On: player.About(),
		Is: extraTime{player.ExtraSeconds, s.Seconds}, Why: s.Why})
	player.ExtraSeconds = s.Seconds
	return player, tx.Model(&player).Update("extra_seconds", s.Seconds).Error
}

// SetFamily sets a player's family; an empty name means none. Later draws keep families apart; rounds already drawn do
// not change. The log, which officials can read, says that a family was set, but not which.
type SetFamily struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Family string `json:"family" maxLength:"500" doc:"empty: none"`
}

var _ = action.NewKind[SetFamily](action.Kind{Name: "player.family", Right: rights.MayEditRoster,
	Changes: []action.What{action.TopicPeople}, Details: action.Steps("log.is.")})

func (s SetFamily) Do(tx *action.Tx) (Player, error) {
	family, err := cleanField("family", s.Family, rosterfile.FamilyMost)
	if err != nil {
		return Player{}, err
	}
	player, err := FindPlayer(tx.DB, s.Player)
	if err != nil || player.Family == family {
		return player, err
	}
	tx.Record(action.Entry{Event: player.TournamentID, On: player.About(),
		Is: action.Step{Was: account.Has(player.Family), Is: account.Has(family)}})
	player.Family = family
	return player, tx.Model(&player).Update("family", family).Error
}

// SetDivision sets a player's division; an empty name means none.
type SetDivision struct {
	Player   int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Division string `json:"division" maxLength:"200" doc:"empty: none"`
}

var _ = action.NewKind[SetDivision](action.Kind{Name: "player.division", Right: rights.MayEditRoster,
	Changes: []action.What{action.TopicPeople, action.TopicStandings},
	Details: action.Keep[action.Value]})

func (s SetDivision) Do(tx *action.Tx) (Player, error) {
	division, err := cleanField("division", s.Division, rosterfile.DivisionMost)
	if err != nil {
		return Player{}, err
	}
	player, err := FindPlayer(tx.DB, s.Player)
	if err != nil || player.Division == division {
		return player, err
	}
	tx.Record(action.Entry{Event: player.TournamentID, On: player.About(),
		Is: action.Value{Was: player.Division, Is: division}})
	player.Division = division
	return player, tx.Model(&player).Update("division", division).Error
}

// cleanField returns a cleaned text field of a player, or an error if it is too long.
func cleanField(field, text string, most int) (string, error) {
	text = spelling.Clean(text)
	if n := utf8.RuneCountInString(text); n > most {
		return "", refuse.Invalid("err_player_field_long", "field", field, "have", n, "most", most)
	}
	return text, nil
}
