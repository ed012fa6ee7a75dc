// Package templates renders the pages. Each component has a view: a struct that holds only the displayed data, filled
// by the web package. Every text comes from data/locales through T.
package templates

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"meldhall/engine"
	"meldhall/engine/score"
)

// Role is the reader's role. It only determines what the pages offer; the tournament packages check permissions.
type Role string

// Roles.
const (
	RolePublic      Role = ""
	RolePlayer      Role = "player"
	RoleOrganizer   Role = "organizer"
	RoleHeadReferee Role = "head_referee"
	RoleReferee     Role = "referee"
	RoleScorekeeper Role = "scorekeeper"
	RoleObserver    Role = "observer"
)

// officials lists the roles of people with accounts, as the forms list them.
var officials = []Role{RoleReferee, RoleHeadReferee, RoleScorekeeper, RoleObserver, RoleOrganizer}

// Official reports whether the role is one of the officials' roles.
func (r Role) Official() bool { return slices.Contains(officials, r) }

// Rules reports whether the role may give rulings at the tables, so that pages offer them.
func (r Role) Rules() bool {
	return r == RoleOrganizer || r == RoleHeadReferee || r == RoleReferee
}

// Page holds what every page needs for its layout.
type Page struct {
	Title    string // already in the reader's language
	Path     string // address of this page, for navigation and for returning to it
	Assets   string // base address of the assets, without a trailing slash
	Epoch    string // epoch of the database from which the page is rendered
	Theme    string // dark | light | "" for the device's setting
	Role     Role
	User     string    // name of the signed-in user; empty if not signed in
	Device   string    // name of the player's tablet; empty if it is not a tablet
	Event    *EventRef // the page's tournament, for the navigation
	Flashes  []Flash
	News     []NewsItem // announcements to the whole tournament
	Live     Live
	Drawn    time.Time    // render time, shown until the stream starts; zero: final page
	Training *TrainingRef // set on the pages of a training
	// Regulations is the address of the tournament's regulations, which the page can show in place; empty if there are
	// none.
	Regulations string
	Copies      *CopiesState // state of the backups, for organizers; nil for others
	Canonical   string       // absolute canonical URL; empty: not for search engines
	Preview     string       // absolute URL of the link preview image; empty: none
	Proof       *ProofView   // on the public page of a tournament; nil on other pages
	Next        string       // stream that signals the start of the player's own game, or empty
}

// about describes in one line the content of a page with a preview image.
func (p Page) about(ctx context.Context) string {
	if p.Event == nil {
		return T(ctx, "share.home")
	}
	return T(ctx, "share.about", "event", p.Event.Name)
}

// ProofView holds the hashes of a tournament's records for its public page. Archive is the SHA-256 of the last exported
// archive; it is empty before the first export.
type ProofView struct {
	Head       string
	Archive    string
	ArchivedAt engine.Millis
}

// EventRef identifies a tournament by ID and name.
type EventRef struct {
	ID   int64
	Name string
	Host *Host // its organization, on public pages; nil: the server's own
}

// Flash is one message about the last action, already in the reader's language.
type Flash struct {
	Kind string // good | bad | now
	Text string
}

// Live is the page's stream of updates. URL is empty if a page has none. After Quiet milliseconds without a message,
// the page considers the connection lost, so the stream must send something (a ping) more often. Near marks a page for
// playing, which checks the connection constantly. Tab is the ID of such a page's browser tab; only one tab may play.
type Live struct {
	URL   string
	Quiet int
	Near  bool
	Tab   string
}

// zone lets the page's script format times in the same zone as the page.
func (p Page) zone() templ.Attributes {
	if p.Drawn.IsZero() {
		return nil
	}
	_, seconds := p.Drawn.Zone()
	return templ.Attributes{"data-zone": num(seconds / 60), "data-zone-name": zoneName(p.Drawn)}
}

// now returns the attribute with the server's time at which the page is sent. A region cached for many readers may be
// older; with this time its clocks are right before the stream's first message.
func (p Page) now() templ.Attributes {
	if p.Drawn.IsZero() {
		return nil
	}
	return templ.Attributes{"data-now": num64(p.Drawn.UnixMilli())}
}

// The oldest browsers that the scripts and the style sheets support. web/bundle builds and tests for them.
const (
	OldestChrome  = "102"
	OldestSafari  = "15.4"
	OldestFirefox = "101"
)

// oldestWords returns a text that names the oldest browsers.
func oldestWords(ctx context.Context, key string) string {
	return T(ctx, key, "chrome", OldestChrome, "safari", OldestSafari, "firefox", OldestFirefox)
}

// plain returns the address of a screen's page without scripts, derived from the address of its stream.
func (p Page) plain() string {
	at, query, _ := strings.Cut(p.Live.URL, "/live")
	if at == string(ScreenPath) {
		at = string(BoardPath)
	}
	if query == "" {
		return at + "?plain=1"
	}
	return at + query + "&plain=1"
}

// Asset returns the address of an asset, such as built/hall.css.
func (p Page) Asset(name string) string { return p.Assets + "/" + name }

func (p Page) here(url templ.SafeURL) string {
	if string(url) == p.Path {
		return "page"
	}
	return "false"
}

// link is one entry of the navigation.
type link struct {
	url  templ.SafeURL
	text string
}

// links returns the navigation for the page's role, in the order in which a tournament is run.
func (p Page) links(ctx context.Context) []link {
	var links []link
	add := func(url templ.SafeURL, key string) { links = append(links, link{url, T(ctx, key)}) }
	if p.Role == RoleOrganizer {
		add(DeskListPath, "nav.events")
	} else {
		add(HomePath, "nav.events")
	}
	if p.Event != nil {
		id := p.Event.ID
		if p.Role == RoleOrganizer {
			add(DeskPath(id), "nav.desk")
			add(RosterPath(id), "nav.roster")
		}
		if p.Role.Official() {
			add(HallPath(id), "nav.hall")
			add(PenaltiesPath(id), "nav.penalties")
		}
		if p.Role.Rules() {
			add(ResultsPath(id), "nav.results")
		}
		add(LeaderboardPath(id), "nav.leaderboard")
		add(TablesPath(id), "nav.tables")
		if !p.Role.Official() { // officials' navigation has no room; the standings link there
			add(PastRoundsPath(id), "nav.past")
		}
		add(RegulationsPath(id), "nav.regulations")
	}
	if p.Role == RoleOrganizer {
		add(AccountsPath, "nav.accounts")
	}
	if p.Role == RolePublic || p.Role == RolePlayer {
		add(JoinPath, "nav.join")
	}
	return links
}

func num(n int) string     { return strconv.Itoa(n) }
func num64(n int64) string { return strconv.FormatInt(n, 10) }

// decimal formats twelfths for a number field, which always uses a decimal point.
func decimal(t score.Twelfth) string {
	return strconv.FormatFloat(float64(t)/12, 'f', -1, 64)
}
