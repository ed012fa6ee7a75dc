package templates

import (
	"github.com/a-h/templ"
)

// DeskPath returns the address of a tournament's page for its organizer.
func DeskPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d", tournamentID) }

// FindPath returns the address of the search for pages and actions of a tournament; the query is ?words=WORDS.
func FindPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/find" }

// RoundsPath returns the address to which the next round's draw is posted.
func RoundsPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/rounds", tournamentID) }

// RosterPath returns the address of the page of the roster and its import.
func RosterPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/roster", tournamentID) }

// LatePath returns the address of the form for entering latecomers.
func LatePath(tournamentID int64) templ.SafeURL { return RosterPath(tournamentID) + "#name" }

// PeoplePath returns the address of the page that shows how players join a tournament, who is missing, and the changes.
func PeoplePath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/people", tournamentID) }

// PeopleDoPath returns the address of the preview of an action on players; a POST performs the action.
func PeopleDoPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/people/do", tournamentID) }

// PeopleActPath returns the address of the preview of an action on a player; player 0 stands for all.
func PeopleActPath(tournamentID int64, kind string, player int64) templ.SafeURL {
	return Path("/desk/%d/people/do?kind=%s&player=%d", tournamentID, kind, player)
}

// PeopleTablePath returns the address of the preview of an action on a table of the hall.
func PeopleTablePath(tournamentID int64, kind string, number int) templ.SafeURL {
	return Path("/desk/%d/people/do?kind=%s&number=%d", tournamentID, kind, number)
}

// PeopleUndoPath returns the address of the preview of undoing an action on players.
func PeopleUndoPath(tournamentID, change int64) templ.SafeURL {
	return Path("/desk/%d/people/undo/%d", tournamentID, change)
}

// PersonPath returns the address of a player's page for the organizer.
func PersonPath(tournamentID, player int64) templ.SafeURL {
	return Path("/desk/%d/players/%d", tournamentID, player)
}

// CheckInPath returns the address of the check-in page.
func CheckInPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/check-in", tournamentID) }

// PaperPath returns the address of the list of everything that can be printed for a tournament.
func PaperPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/paper", tournamentID) }

// PaperRoundPath returns the address of PaperPath with a round selected.
func PaperRoundPath(tournamentID, round int64) templ.SafeURL {
	return Path("/desk/%d/paper?round=%d", tournamentID, round)
}

// CertificatesPath returns the address to which a picture is posted, to print certificates on top of it.
func CertificatesPath(tournamentID int64) templ.SafeURL {
	return Path("/desk/%d/paper/certificates", tournamentID)
}

// PrizesPath returns the address to which prizes are posted, to print the list of their winners.
func PrizesPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/paper/prizes", tournamentID) }

// ReceiptsPath returns the address to which prizes are posted, to print receipts for their winners to sign.
func ReceiptsPath(tournamentID int64) templ.SafeURL {
	return Path("/desk/%d/paper/receipts", tournamentID)
}

// LogPath returns the address of a tournament's audit log.
func LogPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/log", tournamentID) }

// ResultsPath returns the address of the list of all results of a tournament, where they are confirmed and corrected.
func ResultsPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/results", tournamentID) }

// ResultPath returns the address of one game's result with its revisions.
func ResultPath(tournamentID, game int64) templ.SafeURL {
	return Path("/desk/%d/results/%d", tournamentID, game)
}

// CorrectPath returns the address of the page that previews a correction of a game's result. The form's fields are
// passed in the query.
func CorrectPath(tournamentID, game int64) templ.SafeURL {
	return ResultPath(tournamentID, game) + "/correct"
}

// RecountPath returns the address of the page that corrects a game's result from the racks.
func RecountPath(tournamentID, game int64) templ.SafeURL {
	return ResultPath(tournamentID, game) + "/racks"
}

// SecondCorrectPath returns the address of the preview of a correction that waits for a second official.
func SecondCorrectPath(tournamentID, game, second int64) templ.SafeURL {
	return CorrectPath(tournamentID, game) + Path("?second=%d", second)
}

// RoundPath returns the address of one round: first its draft, later its tables.
func RoundPath(tournamentID, round int64) templ.SafeURL {
	return Path("/desk/%d/rounds/%d", tournamentID, round)
}

// TilesPath returns the address of the preview of a change of a tournament's tiles between real tiles and tablets.
func TilesPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/tiles" }

// PublishingPath returns the address of the page that controls what the public sees of a tournament.
func PublishingPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/publishing" }

// PublishingSetPath returns the address of the preview of another publishing setting for a part of the tournament.
func PublishingSetPath(tournamentID int64) templ.SafeURL {
	return PublishingPath(tournamentID) + "/set"
}

// TableTilesPath returns the address of the preview of a change of tiles for one table of a round.
func TableTilesPath(tournamentID, round int64) templ.SafeURL {
	return RoundPath(tournamentID, round) + "/tiles"
}

// EventFormatPath returns the address of the form of a tournament's own copy of its format.
func EventFormatPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/format" }

// QualificationPath returns the address of the page that shows who qualifies through a tournament.
func QualificationPath(tournamentID int64) templ.SafeURL {
	return DeskPath(tournamentID) + "/qualification"
}

// PlanPath returns the address of the schedule of a tournament's day for its organizers; SchedulePath is for the
// public.
func PlanPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/plan", tournamentID) }

// RehearsalPath returns the address of a tournament's rehearsal.
func RehearsalPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/rehearsal", tournamentID) }

// ReopenPath returns the address of the preview of reopening a finished tournament.
func ReopenPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/reopen", tournamentID) }

// StageRoundsPath returns the address of the preview of a change to the number of rounds of a stage; stage counts from
// 0.
func StageRoundsPath(tournamentID int64, stage int) templ.SafeURL {
	return DeskPath(tournamentID) + Path("/stages/%d/rounds", stage)
}

// CrownPath returns the address of the page on which the organizer reveals the champion.
func CrownPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/champion", tournamentID) }

// MovePath returns the address of the preview of moving a player of a round to another table.
func MovePath(tournamentID, round, player int64, table int) templ.SafeURL {
	return Path("/desk/%d/rounds/%d/move?player=%d&table=%d", tournamentID, round, player, table)
}

// WithdrawPath returns the address of the preview of withdrawing a round's publication; a POST withdraws it.
func WithdrawPath(tournamentID, round int64) templ.SafeURL {
	return Below(RoundPath(tournamentID, round), "withdraw")
}

// SwapPath returns the address of the preview of an exchange of two players of a round.
func SwapPath(tournamentID, round, a, b int64) templ.SafeURL {
	return Path("/desk/%d/rounds/%d/swap?a=%d&b=%d", tournamentID, round, a, b)
}

// SubstitutePath returns the address of the form for naming a player's substitute.
func SubstitutePath(tournamentID, player int64) templ.SafeURL {
	return PersonPath(tournamentID, player) + "#sub-name"
}

// PrivacyPath returns the address of the page about the personal data that a tournament holds.
func PrivacyPath(tournamentID int64) templ.SafeURL { return Path("/desk/%d/privacy", tournamentID) }

// RulesPath returns the address of the form for a tournament's rules.
func RulesPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/rules" }
