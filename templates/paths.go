package templates

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// The addresses of the pages, all in one place; the web package serves each. Forms post to the address
// that stands in the component's comment.
const (
	HomePath        templ.SafeURL = "/"
	HomePreviewPath templ.SafeURL = "/card.png" // the picture beside a link to it
	LookPath        templ.SafeURL = "/look"     // POST theme=dark|light|auto or lang=en, back=/address
	SignInPath      templ.SafeURL = "/sign-in"
	CodePath        templ.SafeURL = "/sign-in/code"
	PasskeyPath     templ.SafeURL = "/sign-in/passkey"
	SignOutPath     templ.SafeURL = "/sign-out"
	SetupPath       templ.SafeURL = "/setup"
	AccountsPath    templ.SafeURL = "/accounts"
	SecurityPath    templ.SafeURL = "/accounts/security"
	HostedPath      templ.SafeURL = "/organizations"
	OwnPath         templ.SafeURL = "/account" // the official's own: devices, password, PIN
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
	CheckPath    templ.SafeURL = "/check"        // whether a device is fit to play on
	TrustPath    templ.SafeURL = "/certificate"  // how a device takes the venue's authority
	PlayPath     templ.SafeURL = "/play"         // the waiting room
	BadgePath    templ.SafeURL = "/play/referee" // an official rules once on a player's tablet
	GamePath     templ.SafeURL = "/play/game"    // the tablet
	PracticePath templ.SafeURL = "/practice"     // POST strength, rules; or again, for another game of the same kind

	TrustFilePath    = TrustPath + "/authority.crt"
	PracticeGamePath = PracticePath + "/game" // the tablet
)

// ForOfficials tells whether an address is of the officials' pages, which are read in whole languages alone.
func ForOfficials(address string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	return slices.Contains([]string{"desk", "referee", "accounts", "account", "sign-in", "setup", "invite", "displays", "actions", "organizations"}, first) ||
		address == string(BadgePath) || strings.HasPrefix(address, string(BadgePath)+"/")
}

func path(format string, args ...any) templ.SafeURL {
	return templ.SafeURL(fmt.Sprintf(format, args...))
}

// SecurityKindPath is the security log of one kind, "" for all.
func SecurityKindPath(kind string) templ.SafeURL { return SecurityPath + path("?kind=%s", kind) }

// AccountPath is one official for an organizer.
func AccountPath(id int64) templ.SafeURL { return path("/accounts/%d", id) }

// OrganizationPath is one organization, for the house's organizers and its own.
func OrganizationPath(id int64) templ.SafeURL { return HostedPath + path("/%d", id) }

// OrganizationEventsPath is an organization's events, for everybody.
func OrganizationEventsPath(slug string) templ.SafeURL { return path("/o/%s", url.PathEscape(slug)) }

// InvitedPath signs an official in once, by a token.
func InvitedPath(token string) templ.SafeURL { return InvitePath + path("/%s", url.PathEscape(token)) }

// JoinCodePath opens a table or a seat by its code.
func JoinCodePath(code string) templ.SafeURL { return path("/join/%s", url.PathEscape(code)) }

// JoinSeatsPath is JoinCodePath for an official whose own device is to sit at the table.
func JoinSeatsPath(code string) templ.SafeURL { return JoinCodePath(code) + "?seat=1" }

// DeskPath is an event's desk for its organizer.
func DeskPath(event int64) templ.SafeURL { return path("/desk/%d", event) }

// FindPath finds places and actions of an event by words; ?words=WORDS.
func FindPath(event int64) templ.SafeURL { return DeskPath(event) + "/find" }

// RoundsPath is where the next round is drafted.
func RoundsPath(event int64) templ.SafeURL { return path("/desk/%d/rounds", event) }

// RosterPath is the roster and its import.
func RosterPath(event int64) templ.SafeURL { return path("/desk/%d/roster", event) }

// LatePath is where who comes late is entered.
func LatePath(event int64) templ.SafeURL { return RosterPath(event) + "#name" }

// PeoplePath is how people come into an event, who is missing and what was changed.
func PeoplePath(event int64) templ.SafeURL { return path("/desk/%d/people", event) }

// PeopleDoPath shows what an action about people would do, and does it.
func PeopleDoPath(event int64) templ.SafeURL { return path("/desk/%d/people/do", event) }

// PeopleActPath is an action about a player, 0 for all.
func PeopleActPath(event int64, kind string, player int64) templ.SafeURL {
	return path("/desk/%d/people/do?kind=%s&player=%d", event, kind, player)
}

// PeopleTablePath is an action about a table of the hall.
func PeopleTablePath(event int64, kind string, number int) templ.SafeURL {
	return path("/desk/%d/people/do?kind=%s&number=%d", event, kind, number)
}

// PeopleUndoPath takes an action about people back.
func PeopleUndoPath(event, change int64) templ.SafeURL {
	return path("/desk/%d/people/undo/%d", event, change)
}

// PersonPath is one player for the organizer.
func PersonPath(event, player int64) templ.SafeURL {
	return path("/desk/%d/players/%d", event, player)
}

// CheckInPath is the check-in page.
func CheckInPath(event int64) templ.SafeURL { return path("/desk/%d/check-in", event) }

// PaperPath is all that can be printed of an event.
func PaperPath(event int64) templ.SafeURL { return path("/desk/%d/paper", event) }

// PaperRoundPath is PaperPath with a round chosen.
func PaperRoundPath(event, round int64) templ.SafeURL {
	return path("/desk/%d/paper?round=%d", event, round)
}

// SheetOnPaperPath is a sheet to be printed; those that everybody may see are among the event's own pages.
func SheetOnPaperPath(event int64, kind string, public bool) templ.SafeURL {
	if public {
		return path("/events/%d/paper/%s", event, kind)
	}
	return path("/desk/%d/paper/%s", event, kind)
}

// CertificatesPath prints certificates over a picture that is sent.
func CertificatesPath(event int64) templ.SafeURL { return path("/desk/%d/paper/certificates", event) }

// RecordOnPaperPath is the record of a game to be printed.
func RecordOnPaperPath(event, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/paper", event, game)
}

// LogPath is the actions log of an event.
func LogPath(event int64) templ.SafeURL { return path("/desk/%d/log", event) }

// RegisterPath is where people enter an event themselves.
func RegisterPath(event int64) templ.SafeURL { return path("/events/%d/register", event) }

// TicketPath is a player's ticket.
func TicketPath(ticket string) templ.SafeURL { return path("/ticket/%s", url.PathEscape(ticket)) }

// EventExportPath is a list of an event as a file: what is standings, results or seating, kind csv or json.
func EventExportPath(event int64, what, kind string) templ.SafeURL {
	return path("/api/v1/tournaments/%d/export/%s.%s", event, what, kind)
}

// ResultsPath is all results of an event, to be confirmed and corrected.
func ResultsPath(event int64) templ.SafeURL { return path("/desk/%d/results", event) }

// ResultPath is one game's result with its revisions.
func ResultPath(event, game int64) templ.SafeURL { return path("/desk/%d/results/%d", event, game) }

// CorrectPath shows what a correction of a game's result would change; the fields of its form go with it.
func CorrectPath(event, game int64) templ.SafeURL { return ResultPath(event, game) + "/correct" }

// RecountPath corrects a game's result on the racks.
func RecountPath(event, game int64) templ.SafeURL { return ResultPath(event, game) + "/racks" }

// SecondCorrectPath shows what a correction changes that waits for a second official.
func SecondCorrectPath(event, game, second int64) templ.SafeURL {
	return CorrectPath(event, game) + path("?second=%d", second)
}

// RoundPath is one round: its draft, then its tables.
func RoundPath(event, round int64) templ.SafeURL { return path("/desk/%d/rounds/%d", event, round) }

// FormatPath is the form of an organizer's own format.
func FormatPath(id int64) templ.SafeURL { return FormatsPath + path("/%d", id) }

// CopyFormatPath is the form of a new format that begins as a copy.
func CopyFormatPath(from string) templ.SafeURL {
	return NewFormatPath + path("?from=%s", url.QueryEscape(from))
}

// TilesPath shows what it means that an event is played with other tiles.
func TilesPath(event int64) templ.SafeURL { return DeskPath(event) + "/tiles" }

// PublishingPath is what everybody is shown of an event.
func PublishingPath(event int64) templ.SafeURL { return DeskPath(event) + "/publishing" }

// PublishingSetPath shows what another way of showing a part would change.
func PublishingSetPath(event int64) templ.SafeURL { return PublishingPath(event) + "/set" }

// TableTilesPath shows it for one table of a round.
func TableTilesPath(event, round int64) templ.SafeURL { return RoundPath(event, round) + "/tiles" }

// EventFormatPath is the form of an event's own copy of its format.
func EventFormatPath(event int64) templ.SafeURL { return DeskPath(event) + "/format" }

// QualificationPath is who qualifies by an event.
func QualificationPath(event int64) templ.SafeURL { return DeskPath(event) + "/qualification" }

// WhyPath explains the standings of an event; #pID is a player's line.
func WhyPath(event int64) templ.SafeURL { return LeaderboardPath(event) + "/why" }

// ClockPath is the turn clock, the penalty book and the score sheet of a table with real tiles on an official's own device.
func ClockPath(event, table int64) templ.SafeURL {
	return path("/referee/%d/tables/%d/clock", event, table)
}

// ClockGamesPath is where that page sends what is done there, below the number of the game.
func ClockGamesPath(event int64) templ.SafeURL { return path("/referee/%d/clock", event) }

// RealHallPath is who begins and what was counted at all tables with real tiles, on one device.
func RealHallPath(event int64) templ.SafeURL { return path("/referee/%d/real", event) }

// HallPath is the referee's view of all tables.
func HallPath(event int64) templ.SafeURL { return path("/referee/%d", event) }

// RulingPath is the referee's view of one table.
func RulingPath(event, table int64) templ.SafeURL { return path("/referee/%d/tables/%d", event, table) }

// ExportPath is an ended game as a file, for "meldhall verify".
func ExportPath(game int64) templ.SafeURL { return path("/api/v1/games/%d/export", game) }

// ActionPath does an action by its kind, for a form: it posts the action's fields as programs name them, and back.
func ActionPath(kind string) templ.SafeURL { return path("/actions/%s", kind) }

// Sends are the fields of a form of ActionPath that nobody types: the page that it goes on to, and by name and value the action's own.
// A field from names the page that the form stands on, where it goes on to another.
func Sends(back templ.SafeURL, nameValues ...any) []FormField {
	fields := []FormField{{"back", string(back)}}
	for i := 0; i+1 < len(nameValues); i += 2 {
		fields = append(fields, FormField{fmt.Sprint(nameValues[i]), fmt.Sprint(nameValues[i+1])})
	}
	return fields
}

// TrainingPath is an official's training beside an event, with its disputes.
func TrainingPath(event int64) templ.SafeURL { return path("/referee/%d/training", event) }

// ZonesPath is who looks after which tables of an event.
func ZonesPath(event int64) templ.SafeURL { return path("/referee/%d/zones", event) }

// AnnouncementsPath is an event's announcements.
func AnnouncementsPath(event int64) templ.SafeURL { return path("/referee/%d/announcements", event) }

// ReadyPath is whether all is there for the next round.
func ReadyPath(event int64) templ.SafeURL { return path("/referee/%d/ready", event) }

// PacePath is how the tables of the round get on.
func PacePath(event int64) templ.SafeURL { return path("/referee/%d/pace", event) }

// DevicesPath is the tablets at the seats.
func DevicesPath(event int64) templ.SafeURL { return path("/referee/%d/devices", event) }

// TabletSwapPath is the new code of a seat, for the tablet that takes it over; seat counts from 0.
func TabletSwapPath(event, table int64, seat int) templ.SafeURL {
	return path("/referee/%d/devices/%d/%d", event, table, seat+1)
}

// PlanPath is the plan of an event's day for those who run it, SchedulePath for everybody.
func PlanPath(event int64) templ.SafeURL { return path("/desk/%d/plan", event) }

// SchedulePath is the plan of an event's day, and what has become of it.
func SchedulePath(event int64) templ.SafeURL { return path("/events/%d/schedule", event) }

// CalendarPath is that plan for a calendar, ResultsFeedPath the results for readers of feeds.
func CalendarPath(event int64) templ.SafeURL    { return path("/events/%d/calendar.ics", event) }
func ResultsFeedPath(event int64) templ.SafeURL { return path("/events/%d/results.atom", event) }

// EmbedPath is a public page of an event for frames on other sites.
func EmbedPath(of templ.SafeURL) templ.SafeURL { return "/embed" + of }

// RehearsalPath is an event's rehearsal.
func RehearsalPath(event int64) templ.SafeURL { return path("/desk/%d/rehearsal", event) }

// PenaltiesPath is what counts against players besides the games; ?player=ID&game=ID&back=ADDRESS opens its form.
func PenaltiesPath(event int64) templ.SafeURL { return path("/referee/%d/penalties", event) }

// CountPath is the referee's count of one ended game.
func CountPath(event, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/count", event, game)
}

// ReplayOrderPath lets a game be played again; asked for, it shows what that changes.
func ReplayOrderPath(event, game int64) templ.SafeURL { return CountPath(event, game) + "/replay" }

// PreviewPath is the picture beside a link to a page of an event: that of its player, table or game, or the event's.
func PreviewPath(event int64, page string) templ.SafeURL {
	at := LeaderboardPath(event)
	parts := strings.Split(strings.TrimPrefix(page, string(at)+"/"), "/")
	if len(parts) > 1 && slices.Contains([]string{"players", "tables", "games"}, parts[0]) {
		at += templ.SafeURL("/" + parts[0] + "/" + parts[1])
	}
	return at + "/card.png"
}

// LeaderboardPath is an event's public standings.
func LeaderboardPath(event int64) templ.SafeURL { return path("/events/%d", event) }

// PastRoundsPath is all rounds of an event that were published, PastRoundPath one of them, by its id.
func PastRoundsPath(event int64) templ.SafeURL { return LeaderboardPath(event) + "/rounds" }

// PastRoundPath is one round with its tables and results.
func PastRoundPath(event, round int64) templ.SafeURL {
	return PastRoundsPath(event) + path("/%d", round)
}

// PlayersPath is all players of an event.
func PlayersPath(event int64) templ.SafeURL { return LeaderboardPath(event) + "/players" }

// PlayerPath is one player for everybody.
func PlayerPath(event, player int64) templ.SafeURL { return PlayersPath(event) + path("/%d", player) }

// VersusPath is a player's page with what there was against another.
func VersusPath(event, player, other int64) templ.SafeURL {
	return PlayerPath(event, player) + path("?with=%d#versus", other)
}

// CrosstablePath is what every player got in every round, and who met whom.
func CrosstablePath(event int64) templ.SafeURL { return LeaderboardPath(event) + "/crosstable" }

// StatisticsPath is an event in numbers.
func StatisticsPath(event int64) templ.SafeURL { return LeaderboardPath(event) + "/statistics" }

// TablesPath is all tables of an event's running round, for the public.
func TablesPath(event int64) templ.SafeURL { return path("/events/%d/tables", event) }

// WatchPath is one table for the public; table is its id.
func WatchPath(event, table int64) templ.SafeURL { return path("/events/%d/tables/%d", event, table) }

// ReplayPath is a game that is over, turn by turn, for those who may see it.
func ReplayPath(event, game int64) templ.SafeURL { return path("/events/%d/games/%d", event, game) }

// ReplayTurnPath is one turn of it, counted from 1.
func ReplayTurnPath(event, game int64, turn int) templ.SafeURL {
	return path("/events/%d/games/%d/turns/%d", event, game, turn)
}

// ReplayBestPath is the best that could have been done in that turn.
func ReplayBestPath(event, game int64, turn int) templ.SafeURL {
	return ReplayTurnPath(event, game, turn) + "/best"
}

// below adds a last part to an address, for what a form on that page does.
func below(base templ.SafeURL, action string) templ.SafeURL { return base + templ.SafeURL("/"+action) }

// RulePath shows what a ruling at a table would do, before it is given.
func RulePath(event, table int64, action string) templ.SafeURL {
	return path("/referee/%d/tables/%d/rule/%s", event, table, action)
}

// RoundRulePath shows at which tables of a round a ruling for all of them would hold, before it is given.
func RoundRulePath(event, round int64, action string) templ.SafeURL {
	return path("/referee/%d/rounds/%d/%s", event, round, action)
}

// SheetPath is the address that an official's score sheet sends to; the sheet itself stands at SheetPagePath.
func SheetPath(event, game int64) templ.SafeURL { return path("/referee/%d/sheet/%d", event, game) }

// SheetPagePath is the score sheet of a table with real tiles, for an official.
func SheetPagePath(event, game int64) templ.SafeURL {
	return path("/referee/%d/games/%d/sheet", event, game)
}

// ReopenPath lets an event that is over go on.
func ReopenPath(event int64) templ.SafeURL { return path("/desk/%d/reopen", event) }

// StageRoundsPath is another number of rounds of a stage, which counts from 0.
func StageRoundsPath(event int64, stage int) templ.SafeURL {
	return DeskPath(event) + templ.SafeURL("/stages/"+num(stage)+"/rounds")
}
