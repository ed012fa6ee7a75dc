package tournament

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/hosting"
	"meldhall/tournament/naming"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/staff"
	"meldhall/tournament/storage"
)

// Player is an entry in one tournament. Number is the start number, from 1. The device hash is that
// of the token of the device which plays for this player, in every round of the tournament.
type Player struct {
	ID           int64
	TournamentID int64
	Number       int
	Name         string `gorm:"->;column:shown"` // as people read it: with what tells the player from others of the name
	Written      string `gorm:"column:name"`     // as it was entered
	NameKey      string
	Country      string
	Apart        string // with NameKey, what no two entries of an event have in common
	Club         string
	Mark         string // what was given to tell the player from others of the name; empty: nothing
	Told         string // what stands after the name, see tellApart
	Rating       *int
	Email        string
	State        string  `gorm:"default:registered"` // StateRegistered, …
	Withdrawn    bool    `gorm:"->"`                 // follows from the state: no longer seated
	Gone         bool    // not at the table any more: games that begin are played without the player
	FixedTable   int     // where the player always sits, 0: anywhere
	Ticket       *string // what the player is checked in by
	For          string  `gorm:"-"` // the entry's name where Name is who stands in, see nameStandIns
	ExtraSeconds int     // that each own turn is longer, for a player who needs more time
	Drawn        int     // the number drawn in the hall, which the number chart seats by; 0: none
	Division     string  // ranked among itself as well, such as junior; empty: none
	Family       string  // relatives who are kept apart, for organizers only; empty: none
	Public       string  `gorm:"default:whole"` // how everybody is shown the name: naming.Whole, …
	DeviceHash   *string
	DeviceAt     engine.Millis
}

// AfterFind calls the player as the reader of the context may.
func (p *Player) AfterFind(db *gorm.DB) error {
	name, other, err := naming.Seen(db, naming.Person{Event: p.TournamentID, Player: p.ID, Number: p.Number, Way: p.Public, Written: p.Written, Mark: p.Told})
	if other {
		p.Name, p.Written, p.NameKey = name, name, spelling.Fold(name)
	}
	return err
}

// OtherName tells whether everybody may be shown another name than the roster's.
func (p Player) OtherName() bool { return p.For != "" || naming.Another(p.Public) }

// Joined tells whether a device plays for the player.
func (p Player) Joined() bool { return p.DeviceHash != nil }

// DeviceName is what people call the device that plays for the player; empty: none does.
func (p Player) DeviceName() string {
	if p.DeviceHash == nil {
		return ""
	}
	return secret.DeviceName(*p.DeviceHash)
}

func (p Player) about() door.About { return door.About{Player: p.Number, Name: p.Name} }

func (p Player) subject() string { return fmt.Sprintf("player %d (%s)", p.Number, p.Name) }

// EntriesOf is what a roster tells of players.
func EntriesOf(players []Player) []rosterfile.PlayerEntry {
	entries := make([]rosterfile.PlayerEntry, len(players))
	for i, p := range players {
		entries[i] = rosterfile.PlayerEntry{Name: p.Written, Country: p.Country, Club: p.Club, Rating: p.Rating, Email: p.Email, Division: p.Division, Family: p.Family, Drawn: p.Drawn,
			Mark: p.Mark}
	}
	return entries
}

// countedPlayers are the players of an event: neither who waits for a place nor who only stands in for another.
const countedPlayers = "state <> 'waiting' AND (state <> 'substituted' OR gone <> 0)"

// Players gives a tournament's players by start number, without those who wait for a place. E-mail addresses and
// families are for PlayersFull.
func Players(ctx context.Context, s *storage.DB, tournamentID int64) ([]Player, error) {
	return storage.All[Player](s.Read.WithContext(ctx).Omit("email", "ticket", "family").Where("tournament_id = ? AND "+countedPlayers, tournamentID).Order("number"))
}

// WholeNames are the names, as the roster has them, of the players of an event whom everybody is shown by another one.
func WholeNames(ctx context.Context, s *storage.DB, tournamentID int64) (map[int64]string, error) {
	players, err := Players(naming.InFull(ctx), s, tournamentID)
	return storage.MapOf(slices.DeleteFunc(players, func(p Player) bool { return !p.OtherName() }),
		func(p Player) (int64, string) { return p.ID, p.Name }), err
}

// Absent are the players of an event of whom nothing says that they are here: whom PeopleRemoveAbsent takes out.
func Absent(ctx context.Context, s *storage.DB, tournamentID int64) (map[int64]bool, error) {
	players, err := absentPlayers(s.Read.WithContext(ctx), tournamentID)
	return storage.MapOf(players, func(p Player) (int64, bool) { return p.ID, true }), err
}

// PlayersFull gives the players with all that was entered; for organizers.
func PlayersFull(ctx context.Context, s *storage.DB, actor rights.Actor, tournamentID int64) ([]Player, error) {
	if err := rights.Authorize(actor, rights.Place{Tournament: tournamentID}, rights.MaySeeRoster); err != nil {
		return nil, err
	}
	return storage.All[Player](s.Read.WithContext(ctx).Where("tournament_id = ?", tournamentID).Order("number"))
}

// insertPlayers writes players with the next start numbers. A player who is entered already is a Conflict.
func insertPlayers(tx *gorm.DB, tournamentID int64, entries []rosterfile.PlayerEntry) ([]Player, error) {
	t, err := FindTournament(tx, tournamentID)
	if err != nil {
		return nil, err
	}
	var stage int
	if err := tx.Model(&Round{}).Where("tournament_id = ?", tournamentID).Select("coalesce(max(stage), 0)").Scan(&stage).Error; err != nil {
		return nil, err
	}
	if stage > 0 {
		return nil, refuse.Conflict("err_entries_closed")
	}
	var have struct{ Last, Count int }
	if err := tx.Model(&Player{}).Where("tournament_id = ?", tournamentID).Select("coalesce(max(number), 0) AS last, count(*) AS count").Scan(&have).Error; err != nil {
		return nil, err
	}
	if have.Count+len(entries) > rosterfile.Rows {
		return nil, refuse.Invalid("err_players_too_many", "players", have.Count+len(entries), "most", rosterfile.Rows)
	}
	if err := hosting.RoomForPlayers(tx, t.OrganizationID, t.ID, len(entries)); err != nil {
		return nil, err
	}
	if err := checkApart(tx, tournamentID, 0, entries...); err != nil {
		return nil, err
	}
	players := make([]Player, len(entries))
	for i, e := range entries {
		players[i] = Player{TournamentID: tournamentID, Number: have.Last + 1 + i, Name: e.Name, Written: e.Name, NameKey: spelling.Fold(e.Name),
			Country: e.Country, Apart: e.Apart(), Club: e.Club, Mark: e.Mark, Rating: e.Rating, Email: e.Email, Division: e.Division, Family: e.Family, Drawn: e.Drawn,
			State: StateRegistered}
		ticket := secret.NewToken()
		players[i].Ticket = &ticket
	}
	if err := tx.CreateInBatches(players, 100).Error; err != nil {
		return nil, err
	}
	return players, nil
}

func findPlayer(db *gorm.DB, id int64) (Player, error) {
	return storage.ByID[Player](db.Omit("email"), "player", id)
}

// PlayerByID gives a player without the e-mail address, or NotFound.
func PlayerByID(ctx context.Context, s *storage.DB, id int64) (Player, error) {
	return findPlayer(s.Read.WithContext(ctx), id)
}

// extraMost bounds the time that a player may be given on top of each turn, in seconds.
const extraMost = 600

// SetExtraTime gives a player more time in each own turn of the games that start from now on, in seconds: an
// accommodation that everybody at the table is told of (WCAG 2.2.1).
type SetExtraTime struct {
	Player  int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Seconds int    `json:"seconds" doc:"0 to 600"`
	Why     string `json:"why,omitempty" maxLength:"500"`
}

var _ = door.NewKind[SetExtraTime](door.Kind{Name: "player.extra_time", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople},
	Details: door.Keep[extraTime]})

// extraTime is seconds on top of each turn that became others.
type extraTime struct {
	Was int `json:"was"`
	Is  int `json:"is"`
}

// Before says how many it was.
func (e extraTime) Before() []door.Phrase {
	return []door.Phrase{door.Say("roster.time_is", "n", e.Was)}
}

// After says how many it is.
func (e extraTime) After() []door.Phrase { return []door.Phrase{door.Say("roster.time_is", "n", e.Is)} }

func (s SetExtraTime) Do(tx *door.Tx) (Player, error) {
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil {
		return player, err
	}
	if s.Seconds < 0 || s.Seconds > extraMost {
		return player, refuse.Invalid("err_extra_time", "seconds", s.Seconds, "most", extraMost)
	}
	if player.ExtraSeconds == s.Seconds {
		return player, nil
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: player.about(), Is: extraTime{player.ExtraSeconds, s.Seconds}, Why: s.Why})
	player.ExtraSeconds = s.Seconds
	return player, tx.Model(&player).Update("extra_seconds", s.Seconds).Error
}

// SetFamily writes down which family a player is of, or with an empty name that there is none. Draws from now on keep a family
// apart; rounds that are drawn stay. Officials read the log too: it says that a family was set, not which.
type SetFamily struct {
	Player int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Family string `json:"family" maxLength:"500" doc:"empty: none"`
}

var _ = door.NewKind[SetFamily](door.Kind{Name: "player.family", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople}, Details: door.Steps("log.is.")})

func (s SetFamily) Do(tx *door.Tx) (Player, error) {
	family, err := cleanField("family", s.Family, rosterfile.FamilyMost)
	if err != nil {
		return Player{}, err
	}
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil || player.Family == family {
		return player, err
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: player.about(), Is: door.Step{Was: staff.Has(player.Family), Is: staff.Has(family)}})
	player.Family = family
	return player, tx.Model(&player).Update("family", family).Error
}

// SetDivision puts a player into a division, or with an empty name into none.
type SetDivision struct {
	Player   int64  `json:"player,omitempty" path:"id" minimum:"1"`
	Division string `json:"division" maxLength:"200" doc:"empty: none"`
}

var _ = door.NewKind[SetDivision](door.Kind{Name: "player.division", Right: rights.MayEditRoster, Changes: []door.What{door.TopicPeople, door.TopicStandings},
	Details: door.Keep[door.Value]})

func (s SetDivision) Do(tx *door.Tx) (Player, error) {
	division, err := cleanField("division", s.Division, rosterfile.DivisionMost)
	if err != nil {
		return Player{}, err
	}
	player, err := findPlayer(tx.DB, s.Player)
	if err != nil || player.Division == division {
		return player, err
	}
	tx.Record(door.Entry{Event: player.TournamentID, On: player.about(), Is: door.Value{Was: player.Division, Is: division}})
	player.Division = division
	return player, tx.Model(&player).Update("division", division).Error
}

// cleanField is a text of a player as it is written.
func cleanField(field, text string, most int) (string, error) {
	text = spelling.Clean(text)
	if n := utf8.RuneCountInString(text); n > most {
		return "", refuse.Invalid("err_player_field_long", "field", field, "have", n, "most", most)
	}
	return text, nil
}
