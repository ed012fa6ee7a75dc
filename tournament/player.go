package tournament

import (
	"fmt"

	"meldhall/engine"
	"meldhall/tournament/door"
	"meldhall/tournament/rosterfile"
	"meldhall/tournament/secret"
)

// Player is an entry in one tournament. Number is the start number, from 1. The device hash is that
// of the token of the device which plays for this player, in every round of the tournament.
type Player struct {
	ID           int64
	TournamentID int64
	Number       int
	Name         string
	NameKey      string
	Country      string
	CountryKey   string
	Club         string
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
	DeviceHash   *string
	DeviceAt     engine.Millis
}

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
		entries[i] = rosterfile.PlayerEntry{Name: p.Name, Country: p.Country, Club: p.Club, Rating: p.Rating, Email: p.Email, Division: p.Division, Family: p.Family, Drawn: p.Drawn}
	}
	return entries
}
