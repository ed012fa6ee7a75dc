// Package templates holds the addresses of all pages. The packages below it render them: one package per audience, with
// what audiences share in part, play and regulations. Each component has a view: a struct that holds only the displayed
// data, filled by the web package. Every text comes from data/locales through locale.T.
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
	ComputerPath    templ.SafeURL = "/computer" // only of a server started without a terminal, at its own computer
	QuitPath        templ.SafeURL = "/computer/quit"
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
	APIPath      templ.SafeURL = "/api"          // the interface for programs, explained
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

// Path formats an address. The arguments must not contain characters that have a meaning in addresses.
func Path(format string, args ...any) templ.SafeURL {
	return templ.SafeURL(fmt.Sprintf(format, args...))
}

// SecurityKindPath returns the address of the security log filtered by kind; the kind "" stands for all.
func SecurityKindPath(kind string) templ.SafeURL { return SecurityPath + Path("?kind=%s", kind) }

// DetailsPath returns the address of the form for a tournament's name, days, zone and logo, and for ending it.
func DetailsPath(event int64) templ.SafeURL { return Path("/desk/%d/details", event) }

// AgainPath returns the address of the form that creates the next tournament like an earlier one.
func AgainPath(event int64) templ.SafeURL { return Path("/desk/%d/again", event) }

// LogoPath returns the address of a tournament's logo. version changes with the picture, so that browsers may keep it.
func LogoPath(event int64, version string) templ.SafeURL {
	return Path("/events/%d/logo.png?v=%s", event, version)
}

// AccountPath returns the address of an official's account, for an organizer.
func AccountPath(id int64) templ.SafeURL { return Path("/accounts/%d", id) }

// OrganizationPath returns the address of one organization, for the server's own organizers and for the organization's.
func OrganizationPath(id int64) templ.SafeURL { return HostedPath + Path("/%d", id) }

// OrganizationEventsPath returns the address of the public list of an organization's tournaments.
func OrganizationEventsPath(slug string) templ.SafeURL { return Path("/o/%s", url.PathEscape(slug)) }

// InvitedPath returns the address that signs an official in once, using a token.
func InvitedPath(token string) templ.SafeURL { return InvitePath + Path("/%s", url.PathEscape(token)) }

// JoinCodePath returns the address of the page that opens a table or a seat by its code.
func JoinCodePath(code string) templ.SafeURL { return Path("/join/%s", url.PathEscape(code)) }

// JoinSeatsPath returns the address of JoinCodePath for an official who links their own device to a seat.
func JoinSeatsPath(code string) templ.SafeURL { return JoinCodePath(code) + "?seat=1" }

// TicketPath returns the address of a player's ticket.
func TicketPath(ticket string) templ.SafeURL { return Path("/ticket/%s", url.PathEscape(ticket)) }

// EventExportPath returns the address of a list of a tournament as a file. The parameter what is standings, results or
// seating; kind is csv, xlsx or json.
func EventExportPath(tournamentID int64, what, kind string) templ.SafeURL {
	return Path("/api/v1/tournaments/%d/export/%s.%s", tournamentID, what, kind)
}

// FormatPath returns the address of the form of an organizer's own format.
func FormatPath(id int64) templ.SafeURL { return FormatsPath + Path("/%d", id) }

// CopyFormatPath returns the address of the form of a new format that starts as a copy.
func CopyFormatPath(from string) templ.SafeURL {
	return NewFormatPath + Path("?from=%s", url.QueryEscape(from))
}

// ExportPath returns the address of a finished game as a file, for "meldhall verify".
func ExportPath(game int64) templ.SafeURL { return Path("/api/v1/games/%d/export", game) }

// ActionPath returns the address that performs an action of the given kind. The form that posts to it sends the
// action's fields, named as in the API, and the field back (see Sends).
func ActionPath(kind string) templ.SafeURL { return Path("/actions/%s", kind) }

// EmbedPath returns the address of the version of a public page for a frame on another site. The argument of is the
// page's own address.
func EmbedPath(of templ.SafeURL) templ.SafeURL { return "/embed" + of }

// PreviewPath returns the address of the link preview image of a page of a tournament: the image of the page's player,
// table or game, or else of the tournament.
func PreviewPath(tournamentID int64, page string) templ.SafeURL {
	at := LeaderboardPath(tournamentID)
	parts := strings.Split(strings.TrimPrefix(page, string(at)+"/"), "/")
	if len(parts) > 1 && slices.Contains([]string{"players", "tables", "games"}, parts[0]) {
		at += templ.SafeURL("/" + parts[0] + "/" + parts[1])
	}
	return at + "/card.png"
}

// Below returns the address of a page with a path segment appended, to which a form on that page posts.
func Below(base templ.SafeURL, action string) templ.SafeURL { return base + templ.SafeURL("/"+action) }

// HeldPath returns the address of a file with the data held about a player.
func HeldPath(player int64) templ.SafeURL { return Path("/api/v1/players/%d/held", player) }

// ProtestPath returns the address for a player's protest: POST text.
func ProtestPath(game int64) templ.SafeURL { return Path("/play/game/%d/protest", game) }

// ArticleID returns the element ID of an article of the regulations.
func ArticleID(number string) string { return "a" + number }
