package templates

import (
	"strings"

	"github.com/a-h/templ"
)

// SheetOnPaperPath returns the address of a printable sheet; public sheets are below the tournament's public address.
func SheetOnPaperPath(tournamentID int64, kind string, public bool) templ.SafeURL {
	if public {
		return Path("/events/%d/paper/%s", tournamentID, kind)
	}
	return Path("/desk/%d/paper/%s", tournamentID, kind)
}

// RegisterPath returns the address where players register for a tournament themselves.
func RegisterPath(tournamentID int64) templ.SafeURL { return Path("/events/%d/register", tournamentID) }

// FlagPath returns the address of the flag of a country, by its ISO code.
func FlagPath(code string) templ.SafeURL { return Path("/flags/%s.svg", code) }

// ColoursPath returns the address of the style sheet for tournaments' colours, each as #rrggbb. Its classes are those
// of part.ColourClass.
func ColoursPath(colours []string) templ.SafeURL {
	return templ.SafeURL("/colours.css?of=" + strings.ReplaceAll(strings.Join(colours, "-"), "#", ""))
}

// PhotoPath returns the address of a tournament's photo. version changes with the picture, so that browsers may keep
// it.
func PhotoPath(tournamentID, photo int64, version string) templ.SafeURL {
	return Path("/events/%d/photos/%d?v=%s", tournamentID, photo, version)
}

// TransparencyPath returns the address below which a tournament's transparency log is.
func TransparencyPath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/log/"
}

// ProofPath returns the address of the page that says how to check a tournament.
func ProofPath(tournamentID int64) templ.SafeURL { return LeaderboardPath(tournamentID) + "/proof" }

// PolicyPath returns the address of the policy that names the keys of a tournament's transparency log.
func PolicyPath(tournamentID int64) templ.SafeURL {
	return TransparencyPath(tournamentID) + "policy"
}

// VerifyPath is the address of the page that checks an archive in the browser.
const VerifyPath templ.SafeURL = "/verify"

// WhyPath returns the address of the explanation of a tournament's standings; #pID is a player's line.
func WhyPath(tournamentID int64) templ.SafeURL { return LeaderboardPath(tournamentID) + "/why" }

// SchedulePath returns the address of the schedule of a tournament's day with its actual progress.
func SchedulePath(tournamentID int64) templ.SafeURL { return Path("/events/%d/schedule", tournamentID) }

// CalendarPath returns the address of a tournament's schedule as a calendar file.
func CalendarPath(tournamentID int64) templ.SafeURL {
	return Path("/events/%d/calendar.ics", tournamentID)
}

// ResultsFeedPath returns the address of the Atom feed of a tournament's results.
func ResultsFeedPath(tournamentID int64) templ.SafeURL {
	return Path("/events/%d/results.atom", tournamentID)
}

// LeaderboardPath returns the address of a tournament's public standings.
func LeaderboardPath(tournamentID int64) templ.SafeURL { return Path("/events/%d", tournamentID) }

// PastRoundsPath returns the address of the list of all published rounds of a tournament.
func PastRoundsPath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/rounds"
}

// PastRoundPath returns the address of one published round, by ID, with its tables and results.
func PastRoundPath(tournamentID, round int64) templ.SafeURL {
	return PastRoundsPath(tournamentID) + Path("/%d", round)
}

// PlayersPath returns the address of the list of all players of a tournament.
func PlayersPath(tournamentID int64) templ.SafeURL { return LeaderboardPath(tournamentID) + "/players" }

// PlayerPath returns the address of the public page of one player.
func PlayerPath(tournamentID, player int64) templ.SafeURL {
	return PlayersPath(tournamentID) + Path("/%d", player)
}

// VersusPath returns the address of a player's page with the head-to-head record against another.
func VersusPath(tournamentID, player, other int64) templ.SafeURL {
	return PlayerPath(tournamentID, player) + Path("?with=%d#versus", other)
}

// CrosstablePath returns the address of the page with every player's scores in every round, and with who met whom.
func CrosstablePath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/crosstable"
}

// StatisticsPath returns the address of the page with the statistics of a tournament.
func StatisticsPath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/statistics"
}

// TablesPath returns the address of the public list of the tables in a tournament's current round.
func TablesPath(tournamentID int64) templ.SafeURL { return Path("/events/%d/tables", tournamentID) }

// WatchPath returns the address of the public page of one table; table is its ID.
func WatchPath(tournamentID, table int64) templ.SafeURL {
	return Path("/events/%d/tables/%d", tournamentID, table)
}

// ReplayPath returns the address of a finished game turn by turn, for viewers who may see it.
func ReplayPath(tournamentID, game int64) templ.SafeURL {
	return Path("/events/%d/games/%d", tournamentID, game)
}

// ReplayTurnPath returns the address of one turn of a finished game, counted from 1.
func ReplayTurnPath(tournamentID, game int64, turn int) templ.SafeURL {
	return Path("/events/%d/games/%d/turns/%d", tournamentID, game, turn)
}

// ReplayBestPath returns the address of the best possible play in one turn of a finished game, counted from 1.
func ReplayBestPath(tournamentID, game int64, turn int) templ.SafeURL {
	return ReplayTurnPath(tournamentID, game, turn) + "/best"
}

// BoardPath is the address that a hall's television opens; it stays at this address.
const BoardPath templ.SafeURL = "/board"

// BoardsPath returns the address of a page that shows the named boards without pairing a screen.
func BoardsPath(tournamentID int64, boards ...string) templ.SafeURL {
	return Path("/events/%d/boards/%s", tournamentID, strings.Join(boards, ","))
}

// DisplayPath returns the address of a table's display; number is the one shown on the table.
func DisplayPath(tournamentID int64, number int) templ.SafeURL {
	return Path("/events/%d/display/%d", tournamentID, number)
}

// DisplayTurnPath returns the address of an earlier turn, counted from 1, of the current game at the table with that
// number.
func DisplayTurnPath(tournamentID int64, number, turn int) templ.SafeURL {
	return Path("/events/%d/display/%d/turns/%d", tournamentID, number, turn)
}

// ScreenPath is the address that a new screen opens. The page shows a code, or redirects to what has been chosen for
// the screen.
const ScreenPath templ.SafeURL = "/display"

// OverlayPath returns the address of an overlay for a tournament's broadcast; officials choose the table that it shows.
func OverlayPath(tournamentID int64, kind string) templ.SafeURL {
	return Path("/overlay/%d/%s", tournamentID, kind)
}

// CommentaryPath returns the address of the commentators' page about the chosen table.
func CommentaryPath(tournamentID int64) templ.SafeURL {
	return Path("/events/%d/commentary", tournamentID)
}

// RegulationsPath returns the address of a tournament's regulations; ?q= searches them.
func RegulationsPath(tournamentID int64) templ.SafeURL {
	return Path("/events/%d/regulations", tournamentID)
}

// KeptRegulationsPath returns the address of the text of the regulations alone, for pages that cache it. The version
// changes with the text.
func KeptRegulationsPath(tournamentID int64, version string) templ.SafeURL {
	return Path("/events/%d/regulations?kept=%s", tournamentID, version)
}

// ArticlePath returns the address of one article of the regulations.
func ArticlePath(tournamentID int64, number string) templ.SafeURL {
	return RegulationsPath(tournamentID) + templ.SafeURL("#"+ArticleID(number))
}
