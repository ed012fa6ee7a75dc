package templates

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// Addresses of the pages; the web package serves each of them. A form posts to the address named in its component's
// comment.
const (
	HomePath        templ.SafeURL = "/"
	HomePreviewPath templ.SafeURL = "/card.png" // link preview image of the home page
	LookPath        templ.SafeURL = "/look"     // POST theme=dark|light|auto or lang=en, back=/address
	SignInPath      templ.SafeURL = "/sign-in"
	CodePath        templ.SafeURL = "/sign-in/code"
	PasskeyPath     templ.SafeURL = "/sign-in/passkey"
	SignOutPath     templ.SafeURL = "/sign-out"
	SetupPath       templ.SafeURL = "/setup"
	AccountsPath    templ.SafeURL = "/accounts"
	SecurityPath    templ.SafeURL = "/accounts/security"
	HostedPath      templ.SafeURL = "/organizations"
	OwnPath         templ.SafeURL = "/account" // the official's own account: devices, password, PIN
	SecondPath      templ.SafeURL = "/account/second"
	PasskeysPath    templ.SafeURL = "/account/passkeys"
	InvitePath      templ.SafeURL = "/invite"
	DeskListPath    templ.SafeURL = "/desk"
	NewEventPath    templ.SafeURL = "/desk/new"
	FormatsPath     templ.SafeURL = "/desk/formats"
	CopiesPath      templ.SafeURL = "/desk/copies"

	PasskeyOffPath = PasskeysPath + "/remove"
	NewFormatPath  = FormatsPath + "/new" // ?from=NAME; POST the form

	JoinPath     templ.SafeURL = "/join"
	GuidePath    templ.SafeURL = "/guide"
	CheckPath    templ.SafeURL = "/check"        // checks whether a device is fit to play on
	TrustPath    templ.SafeURL = "/certificate"  // how to trust the server's certificate authority
	PlayPath     templ.SafeURL = "/play"         // the waiting room
	BadgePath    templ.SafeURL = "/play/referee" // one ruling by an official on a player's tablet
	GamePath     templ.SafeURL = "/play/game"    // the tablet
	PracticePath templ.SafeURL = "/practice"     // POST strength and rules, or again to repeat the same kind

	TrustFilePath    = TrustPath + "/authority.crt"
	PracticeGamePath = PracticePath + "/game" // the tablet
)

// ForOfficials reports whether an address belongs to the officials' pages, which are shown only in fully translated
// languages.
func ForOfficials(address string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	return slices.Contains([]string{"desk", "referee", "accounts", "account", "sign-in", "setup", "invite", "displays",
		"actions", "organizations"}, first) ||
		address == string(BadgePath) || strings.HasPrefix(address, string(BadgePath)+"/")
}

func path(format string, args ...any) templ.SafeURL {
	return templ.SafeURL(fmt.Sprintf(format, args...))
}

// SecurityKindPath is the security log filtered by kind; "" shows everything.
func SecurityKindPath(kind string) templ.SafeURL { return SecurityPath + path("?kind=%s", kind) }

// AccountPath is an official's account, for an organizer.
func AccountPath(id int64) templ.SafeURL { return path("/accounts/%d", id) }

// OrganizationPath is one organization, for the server's own organizers and for the organization's.
func OrganizationPath(id int64) templ.SafeURL { return HostedPath + path("/%d", id) }

// OrganizationEventsPath is the public list of an organization's tournaments.
func OrganizationEventsPath(slug string) templ.SafeURL { return path("/o/%s", url.PathEscape(slug)) }

// InvitedPath is the address that signs an official in once, using a token.
func InvitedPath(token string) templ.SafeURL { return InvitePath + path("/%s", url.PathEscape(token)) }

// JoinCodePath is the address that opens a table or a seat by its code.
func JoinCodePath(code string) templ.SafeURL { return path("/join/%s", url.PathEscape(code)) }

// JoinSeatsPath is JoinCodePath for an official who links their own device to a seat.
func JoinSeatsPath(code string) templ.SafeURL { return JoinCodePath(code) + "?seat=1" }

// DeskPath is a tournament's page for its organizer.
func DeskPath(tournamentID int64) templ.SafeURL { return path("/desk/%d", tournamentID) }

// FindPath is the search for pages and actions of a tournament; the query is ?words=WORDS.
func FindPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/find" }

// RoundsPath is where the next round is drafted.
func RoundsPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/rounds", tournamentID) }

// RosterPath is the roster and its import.
func RosterPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/roster", tournamentID) }

// LatePath is the form for entering latecomers.
func LatePath(tournamentID int64) templ.SafeURL { return RosterPath(tournamentID) + "#name" }

// PeoplePath is the page that shows how players join a tournament, who is missing, and the changes.
func PeoplePath(tournamentID int64) templ.SafeURL { return path("/desk/%d/people", tournamentID) }

// PeopleDoPath is the address that previews an action on players, and performs it.
func PeopleDoPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/people/do", tournamentID) }

// PeopleActPath is the preview of an action on a player; player 0 stands for all.
func PeopleActPath(tournamentID int64, kind string, player int64) templ.SafeURL {
	return path("/desk/%d/people/do?kind=%s&player=%d", tournamentID, kind, player)
}

// PeopleTablePath is the preview of an action on a table of the hall.
func PeopleTablePath(tournamentID int64, kind string, number int) templ.SafeURL {
	return path("/desk/%d/people/do?kind=%s&number=%d", tournamentID, kind, number)
}

// PeopleUndoPath is the preview of undoing an action on players.
func PeopleUndoPath(tournamentID, change int64) templ.SafeURL {
	return path("/desk/%d/people/undo/%d", tournamentID, change)
}

// PersonPath is a player's page for the organizer.
func PersonPath(tournamentID, player int64) templ.SafeURL {
	return path("/desk/%d/players/%d", tournamentID, player)
}

// CheckInPath is the check-in page.
func CheckInPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/check-in", tournamentID) }

// PaperPath is the list of everything that can be printed for a tournament.
func PaperPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/paper", tournamentID) }

// PaperRoundPath is PaperPath with a round selected.
func PaperRoundPath(tournamentID, round int64) templ.SafeURL {
	return path("/desk/%d/paper?round=%d", tournamentID, round)
}

// SheetOnPaperPath is a printable sheet; public sheets are below the tournament's public address.
func SheetOnPaperPath(tournamentID int64, kind string, public bool) templ.SafeURL {
	if public {
		return path("/events/%d/paper/%s", tournamentID, kind)
	}
	return path("/desk/%d/paper/%s", tournamentID, kind)
}

// CertificatesPath is the address that prints certificates on top of an uploaded picture.
func CertificatesPath(tournamentID int64) templ.SafeURL {
	return path("/desk/%d/paper/certificates", tournamentID)
}

// RecordOnPaperPath is the printable record of a game.
func RecordOnPaperPath(tournamentID, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/paper", tournamentID, game)
}

// LogPath is a tournament's audit log.
func LogPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/log", tournamentID) }

// RegisterPath is where players register for a tournament themselves.
func RegisterPath(tournamentID int64) templ.SafeURL { return path("/events/%d/register", tournamentID) }

// TicketPath is a player's ticket.
func TicketPath(ticket string) templ.SafeURL { return path("/ticket/%s", url.PathEscape(ticket)) }

// EventExportPath is a list of a tournament as a file. The parameter what is standings, results or seating; kind is
// csv, xlsx or json.
func EventExportPath(tournamentID int64, what, kind string) templ.SafeURL {
	return path("/api/v1/tournaments/%d/export/%s.%s", tournamentID, what, kind)
}

// ResultsPath is the list of all results of a tournament, where they are confirmed and corrected.
func ResultsPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/results", tournamentID) }

// ResultPath is one game's result with its revisions.
func ResultPath(tournamentID, game int64) templ.SafeURL {
	return path("/desk/%d/results/%d", tournamentID, game)
}

// CorrectPath is the preview of a correction of a game's result; the fields of its form are sent with the request.
func CorrectPath(tournamentID, game int64) templ.SafeURL {
	return ResultPath(tournamentID, game) + "/correct"
}

// RecountPath is the page that corrects a game's result from the racks.
func RecountPath(tournamentID, game int64) templ.SafeURL {
	return ResultPath(tournamentID, game) + "/racks"
}

// SecondCorrectPath is the preview of a correction that waits for a second official.
func SecondCorrectPath(tournamentID, game, second int64) templ.SafeURL {
	return CorrectPath(tournamentID, game) + path("?second=%d", second)
}

// RoundPath is one round: first its draft, later its tables.
func RoundPath(tournamentID, round int64) templ.SafeURL {
	return path("/desk/%d/rounds/%d", tournamentID, round)
}

// FormatPath is the form of an organizer's own format.
func FormatPath(id int64) templ.SafeURL { return FormatsPath + path("/%d", id) }

// CopyFormatPath is the form of a new format that starts as a copy.
func CopyFormatPath(from string) templ.SafeURL {
	return NewFormatPath + path("?from=%s", url.QueryEscape(from))
}

// TilesPath is the preview of a change of a tournament's tiles between real tiles and tablets.
func TilesPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/tiles" }

// PublishingPath is the page that controls what the public sees of a tournament.
func PublishingPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/publishing" }

// PublishingSetPath is the preview of another publishing setting for a part of the tournament.
func PublishingSetPath(tournamentID int64) templ.SafeURL {
	return PublishingPath(tournamentID) + "/set"
}

// TableTilesPath is the preview of a change of tiles for one table of a round.
func TableTilesPath(tournamentID, round int64) templ.SafeURL {
	return RoundPath(tournamentID, round) + "/tiles"
}

// EventFormatPath is the form of a tournament's own copy of its format.
func EventFormatPath(tournamentID int64) templ.SafeURL { return DeskPath(tournamentID) + "/format" }

// QualificationPath is the page that shows who qualifies through a tournament.
func QualificationPath(tournamentID int64) templ.SafeURL {
	return DeskPath(tournamentID) + "/qualification"
}

// WhyPath is the explanation of a tournament's standings; #pID is a player's line.
func WhyPath(tournamentID int64) templ.SafeURL { return LeaderboardPath(tournamentID) + "/why" }

// ClockPath is the turn clock, penalty book and score sheet of a table with real tiles, on an official's own device.
func ClockPath(tournamentID, table int64) templ.SafeURL {
	return path("/referee/%d/tables/%d/clock", tournamentID, table)
}

// ClockGamesPath is the address to which the clock page posts, followed by the game's ID.
func ClockGamesPath(tournamentID int64) templ.SafeURL { return path("/referee/%d/clock", tournamentID) }

// RealHallPath is the page for entering the starting player and the counts of all tables with real tiles, on one
// device.
func RealHallPath(tournamentID int64) templ.SafeURL { return path("/referee/%d/real", tournamentID) }

// HallPath is the referee's view of all tables.
func HallPath(tournamentID int64) templ.SafeURL { return path("/referee/%d", tournamentID) }

// RulingPath is the referee's view of one table.
func RulingPath(tournamentID, table int64) templ.SafeURL {
	return path("/referee/%d/tables/%d", tournamentID, table)
}

// ExportPath is a finished game as a file, for "meldhall verify".
func ExportPath(game int64) templ.SafeURL { return path("/api/v1/games/%d/export", game) }

// ActionPath is the address that performs an action of the given kind. The form that posts to it sends the action's
// fields, named as in the API, and the field back (see Sends).
func ActionPath(kind string) templ.SafeURL { return path("/actions/%s", kind) }

// Sends returns the hidden fields of a form for ActionPath: back, the page to continue at, and the action's own fields
// as names and values. If the form is on another page, a field named from must hold that page's address.
func Sends(back templ.SafeURL, nameValues ...any) []FormField {
	fields := []FormField{{"back", string(back)}}
	for i := 0; i+1 < len(nameValues); i += 2 {
		fields = append(fields, FormField{fmt.Sprint(nameValues[i]), fmt.Sprint(nameValues[i+1])})
	}
	return fields
}

// TrainingPath is an official's training for a tournament, with its sample disputes.
func TrainingPath(tournamentID int64) templ.SafeURL {
	return path("/referee/%d/training", tournamentID)
}

// ZonesPath is the page that shows which officials look after which tables of a tournament.
func ZonesPath(tournamentID int64) templ.SafeURL { return path("/referee/%d/zones", tournamentID) }

// AnnouncementsPath is a tournament's announcements.
func AnnouncementsPath(tournamentID int64) templ.SafeURL {
	return path("/referee/%d/announcements", tournamentID)
}

// ReadyPath is the page that shows whether everything is ready for the next round.
func ReadyPath(tournamentID int64) templ.SafeURL { return path("/referee/%d/ready", tournamentID) }

// PacePath is the page that shows the progress of the round's tables.
func PacePath(tournamentID int64) templ.SafeURL { return path("/referee/%d/pace", tournamentID) }

// DevicesPath is the page that shows the tablets at the seats.
func DevicesPath(tournamentID int64) templ.SafeURL { return path("/referee/%d/devices", tournamentID) }

// TabletSwapPath is the page with the new code of a seat, for the tablet that takes it over. seat counts from 0; -1
// stands for the whole table.
func TabletSwapPath(tournamentID, table int64, seat int) templ.SafeURL {
	return path("/referee/%d/devices/%d/%d", tournamentID, table, seat+1)
}

// PlanPath is the schedule of a tournament's day for its organizers; SchedulePath is for the public.
func PlanPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/plan", tournamentID) }

// SchedulePath is the schedule of a tournament's day with its actual progress.
func SchedulePath(tournamentID int64) templ.SafeURL { return path("/events/%d/schedule", tournamentID) }

// CalendarPath is a tournament's schedule as a calendar file.
func CalendarPath(tournamentID int64) templ.SafeURL {
	return path("/events/%d/calendar.ics", tournamentID)
}

// ResultsFeedPath is the Atom feed of a tournament's results.
func ResultsFeedPath(tournamentID int64) templ.SafeURL {
	return path("/events/%d/results.atom", tournamentID)
}

// EmbedPath is a tournament's public page, given by its address, for a frame on another site.
func EmbedPath(of templ.SafeURL) templ.SafeURL { return "/embed" + of }

// RehearsalPath is a tournament's rehearsal.
func RehearsalPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/rehearsal", tournamentID) }

// PenaltiesPath is the list of penalties outside the games; ?player=ID&game=ID&back=ADDRESS opens its form.
func PenaltiesPath(tournamentID int64) templ.SafeURL {
	return path("/referee/%d/penalties", tournamentID)
}

// CountPath is the referee's count of one ended game.
func CountPath(tournamentID, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/count", tournamentID, game)
}

// ReplayOrderPath is the preview of replaying a game, with the consequences.
func ReplayOrderPath(tournamentID, game int64) templ.SafeURL {
	return CountPath(tournamentID, game) + "/replay"
}

// PreviewPath is the link preview image for a page of a tournament: that of its player, table or game, or else that of
// the tournament.
func PreviewPath(tournamentID int64, page string) templ.SafeURL {
	at := LeaderboardPath(tournamentID)
	parts := strings.Split(strings.TrimPrefix(page, string(at)+"/"), "/")
	if len(parts) > 1 && slices.Contains([]string{"players", "tables", "games"}, parts[0]) {
		at += templ.SafeURL("/" + parts[0] + "/" + parts[1])
	}
	return at + "/card.png"
}

// LeaderboardPath is a tournament's public standings.
func LeaderboardPath(tournamentID int64) templ.SafeURL { return path("/events/%d", tournamentID) }

// PastRoundsPath is the list of all published rounds of a tournament.
func PastRoundsPath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/rounds"
}

// PastRoundPath is one published round, by ID, with its tables and results.
func PastRoundPath(tournamentID, round int64) templ.SafeURL {
	return PastRoundsPath(tournamentID) + path("/%d", round)
}

// PlayersPath is the list of all players of a tournament.
func PlayersPath(tournamentID int64) templ.SafeURL { return LeaderboardPath(tournamentID) + "/players" }

// PlayerPath is the public page of one player.
func PlayerPath(tournamentID, player int64) templ.SafeURL {
	return PlayersPath(tournamentID) + path("/%d", player)
}

// VersusPath is a player's page with the head-to-head record against another.
func VersusPath(tournamentID, player, other int64) templ.SafeURL {
	return PlayerPath(tournamentID, player) + path("?with=%d#versus", other)
}

// CrosstablePath is the table of every player's scores in every round, and of who met whom.
func CrosstablePath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/crosstable"
}

// StatisticsPath is the statistics of a tournament.
func StatisticsPath(tournamentID int64) templ.SafeURL {
	return LeaderboardPath(tournamentID) + "/statistics"
}

// TablesPath is the public list of the tables in a tournament's current round.
func TablesPath(tournamentID int64) templ.SafeURL { return path("/events/%d/tables", tournamentID) }

// WatchPath is the public page of one table; table is its ID.
func WatchPath(tournamentID, table int64) templ.SafeURL {
	return path("/events/%d/tables/%d", tournamentID, table)
}

// ReplayPath is a finished game turn by turn, for viewers who may see it.
func ReplayPath(tournamentID, game int64) templ.SafeURL {
	return path("/events/%d/games/%d", tournamentID, game)
}

// ReplayTurnPath is one turn of a finished game, counted from 1.
func ReplayTurnPath(tournamentID, game int64, turn int) templ.SafeURL {
	return path("/events/%d/games/%d/turns/%d", tournamentID, game, turn)
}

// ReplayBestPath is the best possible play in one turn of a finished game, counted from 1.
func ReplayBestPath(tournamentID, game int64, turn int) templ.SafeURL {
	return ReplayTurnPath(tournamentID, game, turn) + "/best"
}

// below appends a path segment to an address, for a form on that page.
func below(base templ.SafeURL, action string) templ.SafeURL { return base + templ.SafeURL("/"+action) }

// RulePath is the preview of a ruling at a table.
func RulePath(tournamentID, table int64, action string) templ.SafeURL {
	return path("/referee/%d/tables/%d/rule/%s", tournamentID, table, action)
}

// RoundRulePath is the preview of a ruling for all tables of a round; it lists the tables at which the ruling is
// possible.
func RoundRulePath(tournamentID, round int64, action string) templ.SafeURL {
	return path("/referee/%d/rounds/%d/%s", tournamentID, round, action)
}

// SheetPath is the address to which an official's score sheet posts; the sheet's page is SheetPagePath.
func SheetPath(tournamentID, game int64) templ.SafeURL {
	return path("/referee/%d/sheet/%d", tournamentID, game)
}

// SheetPagePath is the score sheet of a table with real tiles, for an official.
func SheetPagePath(tournamentID, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/sheet", tournamentID, game)
}

// ReopenPath is the preview of reopening a finished tournament.
func ReopenPath(tournamentID int64) templ.SafeURL { return path("/desk/%d/reopen", tournamentID) }

// StageRoundsPath is the preview of a change to the number of rounds of a stage; stage counts from 0.
func StageRoundsPath(tournamentID int64, stage int) templ.SafeURL {
	return DeskPath(tournamentID) + templ.SafeURL("/stages/"+num(stage)+"/rounds")
}
