package templates

import (
	"github.com/a-h/templ"
)

// RecordOnPaperPath returns the address of the printable record of a game.
func RecordOnPaperPath(tournamentID, game int64) templ.SafeURL {
	return Path("/referee/%d/games/%d/paper", tournamentID, game)
}

// ClockPath returns the address of the turn clock, penalty book and score sheet of a table with real tiles, on an
// official's own device.
func ClockPath(tournamentID, table int64) templ.SafeURL {
	return Path("/referee/%d/tables/%d/clock", tournamentID, table)
}

// ClockGamesPath returns the address to which the clock page posts, followed by the game's ID.
func ClockGamesPath(tournamentID int64) templ.SafeURL { return Path("/referee/%d/clock", tournamentID) }

// RealHallPath returns the address of the page for entering the starting player and the counts of all tables with real
// tiles, on one device.
func RealHallPath(tournamentID int64) templ.SafeURL { return Path("/referee/%d/real", tournamentID) }

// HallPath returns the address of the referee's view of all tables.
func HallPath(tournamentID int64) templ.SafeURL { return Path("/referee/%d", tournamentID) }

// RulingPath returns the address of the referee's view of one table.
func RulingPath(tournamentID, table int64) templ.SafeURL {
	return Path("/referee/%d/tables/%d", tournamentID, table)
}

// TrainingPath returns the address of an official's training for a tournament, with its sample disputes.
func TrainingPath(tournamentID int64) templ.SafeURL {
	return Path("/referee/%d/training", tournamentID)
}

// ZonesPath returns the address of the page that shows which officials look after which tables of a tournament.
func ZonesPath(tournamentID int64) templ.SafeURL { return Path("/referee/%d/zones", tournamentID) }

// AnnouncementsPath returns the address of a tournament's announcements.
func AnnouncementsPath(tournamentID int64) templ.SafeURL {
	return Path("/referee/%d/announcements", tournamentID)
}

// ReadyPath returns the address of the page that shows whether everything is ready for the next round.
func ReadyPath(tournamentID int64) templ.SafeURL { return Path("/referee/%d/ready", tournamentID) }

// PacePath returns the address of the page that shows the progress of the round's tables.
func PacePath(tournamentID int64) templ.SafeURL { return Path("/referee/%d/pace", tournamentID) }

// DevicesPath returns the address of the page that shows the tablets at the seats.
func DevicesPath(tournamentID int64) templ.SafeURL { return Path("/referee/%d/devices", tournamentID) }

// TabletSwapPath returns the address of the page with the new code of a seat, for the tablet that takes it over. seat
// counts from 0; -1 stands for the whole table.
func TabletSwapPath(tournamentID, table int64, seat int) templ.SafeURL {
	return Path("/referee/%d/devices/%d/%d", tournamentID, table, seat+1)
}

// PenaltiesPath returns the address of the list of penalties outside the games; ?player=ID&game=ID&back=ADDRESS opens
// its form.
func PenaltiesPath(tournamentID int64) templ.SafeURL {
	return Path("/referee/%d/penalties", tournamentID)
}

// CountPath returns the address of the referee's count of one ended game.
func CountPath(tournamentID, game int64) templ.SafeURL {
	return Path("/referee/%d/games/%d/count", tournamentID, game)
}

// ReplayOrderPath returns the address of the preview of replaying a game, with the consequences.
func ReplayOrderPath(tournamentID, game int64) templ.SafeURL {
	return CountPath(tournamentID, game) + "/replay"
}

// RulePath returns the address of the preview of a ruling at a table.
func RulePath(tournamentID, table int64, action string) templ.SafeURL {
	return Path("/referee/%d/tables/%d/rule/%s", tournamentID, table, action)
}

// RoundRulePath returns the address of the preview of a ruling for all tables of a round; it lists the tables at which
// the ruling is possible.
func RoundRulePath(tournamentID, round int64, action string) templ.SafeURL {
	return Path("/referee/%d/rounds/%d/%s", tournamentID, round, action)
}

// SheetPath returns the address to which an official's score sheet posts. The page with the sheet is at SheetPagePath.
func SheetPath(tournamentID, game int64) templ.SafeURL {
	return Path("/referee/%d/sheet/%d", tournamentID, game)
}

// SheetPagePath returns the address of the score sheet of a table with real tiles, for an official.
func SheetPagePath(tournamentID, game int64) templ.SafeURL {
	return Path("/referee/%d/games/%d/sheet", tournamentID, game)
}

// ScreenSetPath returns the address of the page with the settings of a hall screen.
func ScreenSetPath(tournamentID, screen int64) templ.SafeURL {
	return Path("/referee/%d/displays/%d", tournamentID, screen)
}

// CardPath returns the address of the ruling card of one turn of a game. Turn 0 stands for the turn with an open call
// for the referee, otherwise for the current turn.
func CardPath(tournamentID, game int64, turn int) templ.SafeURL {
	return Path("/referee/%d/games/%d/turns/%d", tournamentID, game, turn)
}

// ProtocolPath returns the address of the protocol of a game.
func ProtocolPath(tournamentID, game int64) templ.SafeURL {
	return Path("/referee/%d/games/%d/protocol", tournamentID, game)
}

// ChooseDisplayPath returns the address of the page on which an official chooses what the screen with that code shows.
func ChooseDisplayPath(code string) templ.SafeURL { return Path("/displays/%s", code) }

// DisplaysPath returns the address of the list of a tournament's screens, for its officials.
func DisplaysPath(tournamentID int64) templ.SafeURL {
	return Path("/referee/%d/displays", tournamentID)
}

// ProposalsPath returns the address of the page on which all pending penalties of a seat are decided.
func ProposalsPath(tournamentID, table int64, seat int) templ.SafeURL {
	return RulingPath(tournamentID, table) + Path("/proposals/%d", seat)
}

// ProtestsPath returns the address of the list of a tournament's protests; POST ProtestsPath/ID (outcome, reason)
// decides one of them.
func ProtestsPath(tournamentID int64) templ.SafeURL {
	return Path("/referee/%d/protests", tournamentID)
}
