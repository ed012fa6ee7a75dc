package tournament

import (
	"cmp"

	"meldhall/engine"
	"meldhall/tournament/refuse"
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
func standInAt(all []StandIn, player int64, round, game int) string {
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
