package tournament

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"meldhall/engine"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
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

// What an organizer can do about people, each as one action that is looked at before it is done and can be taken back.
const (
	PeopleEnter        = "enter"         // Entry, or Entries: new players; late ones too
	PeopleCheckIn      = "check_in"      // Player is here
	PeopleCheckOut     = "check_out"     // Player is not here after all
	PeopleRemoveAbsent = "remove_absent" // all of whom nothing says that they are here: no-shows
	PeopleLeave        = "leave"         // Player plays no more: after this round, or with Now at once
	PeopleNoShow       = "no_show"       // Player did not come: plays no more from this moment
	PeopleBack         = "back"          // Player plays again
	PeopleMoveUp       = "move_up"       // Player comes from the waiting list
	PeopleSubstitute   = "substitute"    // Entry or the waiting Other takes Player's place; Keep says whose the results are
	PeopleReturn       = "return"        // Player plays in person again after a substitute
	PeopleFixTable     = "fix_table"     // Player always sits at table Number; 0: anywhere
	PeopleCloseTable   = "close_table"   // table Number is out of service
	PeopleOpenTable    = "open_table"    // and back
	PeopleMissed       = "missed"        // the round Number that Player missed costs Points
	PeopleCorrect      = "correct"       // Player's name, country and club are written as Entries' one
	PeopleSettings     = "settings"      // Settings: registration, check-in, deadline
)

// PeopleKinds are all of them.
var PeopleKinds = []string{PeopleEnter, PeopleCheckIn, PeopleCheckOut, PeopleRemoveAbsent, PeopleLeave, PeopleNoShow, PeopleBack, PeopleMoveUp,
	PeopleSubstitute, PeopleReturn, PeopleFixTable, PeopleCloseTable, PeopleOpenTable, PeopleMissed, PeopleCorrect, PeopleSettings}

// Whose the results of a substituted seat are: the entry's, with the person named at each game, or the substitute's own
// from the next round on.
const (
	KeepEntry  = "entry"
	KeepPerson = "person"
)

// PeopleAction is one thing to do about the people of an event. Which fields count is said at the kinds.
type PeopleAction struct {
	Kind     string
	Player   int64
	Other    int64
	Entries  []PlayerEntry
	Number   int
	Points   int
	Now      bool
	Keep     string
	Settings PeopleSettingsOf
	Why      string
}

// PeopleSettingsOf is how people come into an event. Capacity 0 is none. NoShowMinutes after a round's start who is not at
// the table is missing. MissedCharge are whole points that each missed game costs.
type PeopleSettingsOf struct {
	RegistrationOpen bool
	Capacity         int
	CheckInOpen      bool
	NoShowMinutes    int
	MissedCharge     int
}

// Limits of the settings, and of the tables of a hall.
const (
	noShowMost     = 240
	chargeMost     = 1000
	missedMost     = chargeMost * DraftGamesMost
	tableNumberTop = 1500
)

func (s PeopleSettingsOf) check() error {
	switch {
	case s.Capacity < 0 || s.Capacity > RosterRows:
		return refuse.Invalid("err_capacity", "most", RosterRows)
	case s.NoShowMinutes < 1 || s.NoShowMinutes > noShowMost:
		return refuse.Invalid("err_no_show_minutes", "most", noShowMost)
	case s.MissedCharge < 0 || s.MissedCharge > chargeMost:
		return refuse.Invalid("err_missed_charge", "most", chargeMost)
	}
	return nil
}

// PeopleOf gives a tournament's settings about people.
func (t Tournament) PeopleOf() PeopleSettingsOf {
	return PeopleSettingsOf{t.RegistrationOpen, t.Capacity, t.CheckInOpen, t.NoShowMinutes, t.MissedCharge}
}

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
	tables  []int64      // whose seats or numbers changed
	back    []int64      // of an undo: who is at the table again
	by      rights.Actor // of an undo: whose action it was
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

// check cleans an action and refuses what cannot be meant.
func (a PeopleAction) check() (PeopleAction, error) {
	a.Why = cleanText(a.Why)
	if utf8.RuneCountInString(a.Why) > whyMost {
		return a, refuse.Invalid("err_why_missing", "most", whyMost)
	}
	if !slices.Contains(PeopleKinds, a.Kind) {
		return a, refuse.Invalid("err_people_kind", "kind", a.Kind)
	}
	a.Entries = slices.Clone(a.Entries)
	for i := range a.Entries {
		a.Entries[i] = a.Entries[i].clean()
		if errs := a.Entries[i].check(); len(errs) > 0 {
			return a, errs[0]
		}
	}
	switch a.Kind {
	case PeopleEnter, PeopleCorrect:
		if len(a.Entries) == 0 || a.Kind == PeopleCorrect && len(a.Entries) > 1 {
			return a, refuse.Invalid("err_player_no_name", "field", "name")
		}
	case PeopleSubstitute:
		if a.Keep = cmp.Or(a.Keep, KeepEntry); a.Keep != KeepEntry && a.Keep != KeepPerson {
			return a, refuse.Invalid("err_substitute_keep", "keep", a.Keep)
		}
		if (len(a.Entries) == 1) == (a.Other != 0) {
			return a, refuse.Invalid("err_substitute_who")
		}
	case PeopleFixTable, PeopleCloseTable, PeopleOpenTable:
		if a.Number < 0 || a.Number > tableNumberTop || a.Number == 0 && a.Kind != PeopleFixTable {
			return a, refuse.Invalid("err_table_number", "most", tableNumberTop)
		}
	case PeopleMissed:
		if a.Points < 0 || a.Points > missedMost {
			return a, refuse.Invalid("err_missed_points", "most", missedMost)
		}
	case PeopleSettings:
		return a, a.Settings.check()
	}
	return a, nil
}
