package tournament

import (
	"fmt"

	"meldhall/engine"
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
	Withdrawn    bool
	Division     string // ranked among itself as well, such as junior; empty: none
	ExtraSeconds int    // that each own turn is longer, for a player who needs more time
	DeviceHash   *string
	DeviceAt     engine.Millis
}

// Joined tells whether a device plays for the player.
func (p Player) Joined() bool { return p.DeviceHash != nil }

func (p Player) subject() string { return fmt.Sprintf("player %d (%s)", p.Number, p.Name) }
