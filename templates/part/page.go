// Package part has what all pages share: the Page with its layout, forms and their fields, icons, messages about the
// last action, and the frames of the desk.
package part

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"meldhall/templates"
	"meldhall/templates/locale"
)

// Role is the reader's role. It only determines what the pages offer; the tournament packages check permissions.
type Role string

// The roles of readers.
const (
	RolePublic      Role = ""
	RolePlayer      Role = "player"
	RoleOrganizer   Role = "organizer"
	RoleHeadReferee Role = "head_referee"
	RoleReferee     Role = "referee"
	RoleScorekeeper Role = "scorekeeper"
	RoleObserver    Role = "observer"
)

// Officials lists the roles of people with accounts, as the forms list them.
var Officials = []Role{RoleReferee, RoleHeadReferee, RoleScorekeeper, RoleObserver, RoleOrganizer}

// Official reports whether the role is one of the officials' roles.
func (r Role) Official() bool { return slices.Contains(Officials, r) }

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
	Seeks       bool         // has a search of articles (seek.js)
	Copies      *CopiesState // state of the backups, for organizers; nil for others
	Canonical   string       // absolute canonical URL; empty: not for search engines
	Preview     string       // absolute URL of the link preview image; empty: none
	Colours     []string     // of the tournaments that the page shows, as #rrggbb
	Next        string       // stream that signals the start of the player's own game, or empty
}

// about describes in one line the content of a page with a preview image.
func (p Page) about(ctx context.Context) string {
	if p.Event == nil {
		return locale.T(ctx, "share.home")
	}
	return locale.T(ctx, "share.about", "event", p.Event.Name)
}

// EventRef identifies a tournament by ID and name.
type EventRef struct {
	ID    int64
	Name  string
	Host  *Host  // its organization, on public pages; nil: the server's own
	State string // one of States, on public pages; otherwise empty
	Face  *Face  // the header of its own public pages; nil on others
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

// zone returns the attribute that makes the page's script format times in the time zone of the page.
func (p Page) zone(ctx context.Context) templ.Attributes {
	if p.Drawn.IsZero() {
		return nil
	}
	_, seconds := p.Drawn.In(locale.ZoneOf(ctx)).Zone()
	return templ.Attributes{"data-zone": locale.Num(seconds / 60), "data-zone-name": locale.ZoneName(ctx, p.Drawn)}
}

// now returns the attribute with the server's time at which the page is sent. A region cached for many readers may be
// older; with this time its clocks are right before the stream's first message.
func (p Page) now() templ.Attributes {
	if p.Drawn.IsZero() {
		return nil
	}
	return templ.Attributes{"data-now": locale.Num64(p.Drawn.UnixMilli())}
}

// The oldest browsers that the scripts and the style sheets support. web/bundle builds and tests for them.
const (
	OldestChrome  = "102"
	OldestSafari  = "15.4"
	OldestFirefox = "101"
)

// OldestWords returns a text that names the oldest browsers.
func OldestWords(ctx context.Context, key string) string {
	return locale.T(ctx, key, "chrome", OldestChrome, "safari", OldestSafari, "firefox", OldestFirefox)
}

// warns reports whether a document of this kind starts with TooOld. Pages with a header have it below, and a screen in
// front of a hall switches to a page without scripts.
func (p Page) warns(kind string) bool {
	switch kind {
	case "tablet", "real", "overlay":
		return true
	case "display":
		return p.Live.URL != string(templates.ScreenPath)+"/live"
	}
	return false
}

// plain returns the address of a screen's page without scripts, derived from the address of its stream.
func (p Page) plain() string {
	at, query, _ := strings.Cut(p.Live.URL, "/live")
	if at == string(templates.ScreenPath) {
		at = string(templates.BoardPath)
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
	add := func(url templ.SafeURL, key string) { links = append(links, link{url, locale.T(ctx, key)}) }
	if p.Role == RoleOrganizer {
		add(templates.DeskListPath, "nav.events")
	} else {
		add(templates.HomePath, "nav.events")
	}
	if p.Event != nil {
		id := p.Event.ID
		if p.Role == RoleOrganizer {
			add(templates.DeskPath(id), "nav.desk")
			add(templates.RosterPath(id), "nav.roster")
		}
		if p.Role.Official() {
			add(templates.HallPath(id), "nav.hall")
			add(templates.PenaltiesPath(id), "nav.penalties")
		}
		if p.Role.Rules() {
			add(templates.ResultsPath(id), "nav.results")
		}
		if p.Event.Face == nil { // otherwise the tabs link to the public pages
			add(templates.LeaderboardPath(id), "nav.leaderboard")
			add(templates.TablesPath(id), "nav.tables")
			if !p.Role.Official() { // officials' navigation has no room; the standings link there
				add(templates.PastRoundsPath(id), "nav.past")
			}
			add(templates.RegulationsPath(id), "nav.regulations")
		}
	}
	if p.Role == RoleOrganizer {
		add(templates.AccountsPath, "nav.accounts")
	}
	if p.Role == RolePublic || p.Role == RolePlayer {
		add(templates.JoinPath, "nav.join")
	}
	return links
}
