package tournament

import "meldhall/engine"

// Display is a screen that shows a table of a tournament by its number, in whatever round. It is known by a token
// that it keeps; Settings are those of its address, for the edge to read.
type Display struct {
	ID           int64
	TournamentID int64
	TokenHash    string
	Number       int
	Settings     string
	CreatedAt    engine.Millis `gorm:"autoCreateTime:false"`
	SeenAt       engine.Millis
}

// NewDisplaySecrets makes the token that a fresh screen keeps, and the one-time code that it shows until staff
// choose its table.
func NewDisplaySecrets() (token, code string) { return newToken(), newCode() }

// The bounds of a display: the highest number of a table, and how often its being there is written down.
const (
	DisplayNumberMost = 1000
	displayTouch      = engine.Millis(30_000)
	displaySettings   = 200
)
