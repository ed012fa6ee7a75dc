// Package templates draws the pages. Beside each component stands its view: a struct that holds only
// what is shown, filled by the web package. Every text comes from data/locales through T.
package templates

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"meldhall/engine"
)

// Role is what the reader of a page may do; it decides the navigation only, rights are the tournament's.
type Role string

// The roles.
const (
	RolePublic      Role = ""
	RolePlayer      Role = "player"
	RoleOrganizer   Role = "organizer"
	RoleHeadReferee Role = "head_referee"
	RoleReferee     Role = "referee"
	RoleScorekeeper Role = "scorekeeper"
	RoleObserver    Role = "observer"
)

// officials are the roles of those who have accounts, as the forms list them.
var officials = []Role{RoleReferee, RoleHeadReferee, RoleScorekeeper, RoleObserver, RoleOrganizer}

// Official tells whether the reader is one of the officials.
func (r Role) Official() bool { return slices.Contains(officials, r) }

// Rules tells whether the reader rules at the tables, so that a page shows what to rule with.
func (r Role) Rules() bool {
	return r == RoleOrganizer || r == RoleHeadReferee || r == RoleReferee
}

// Page is what every page needs: the frame around its content.
type Page struct {
	Title    string // already in the reader's language
	Path     string // the address of this page, for "you are here" and for coming back
	Assets   string // base of the assets, without a slash at the end
	Epoch    string // the life of the database that the page is drawn in
	Theme    string // dark | light | "" for the device's choice
	Role     Role
	User     string    // the signed-in name; empty: nobody
	Device   string    // what people call the player's tablet; empty: it is none
	Event    *EventRef // the event that the page belongs to, for the navigation
	Flashes  []Flash
	News     []NewsItem // announcements to the whole event
	Live     Live
	Drawn    time.Time    // when the page was drawn, which it says until its stream speaks; zero: it is about what is over
	Training *TrainingRef // set on the pages of a training
	// Regulations is where the page fetches the event's regulations, to show them in place; empty: nowhere.
	Regulations string
	Copies      *CopiesState // how the copies of the database stand, for organizers; nil for others
	Canonical   string       // the one address of what the page shows, whole; empty: it is for no search engine
	Preview     string       // the picture that is shown beside a link to the page, whole; empty: there is none
	Proof       *ProofView   // on the public page of an event; nil elsewhere
	Next        string       // where a player is told that their own game is on, on pages that are not about it; empty: nowhere
}

// about says in a line what a page that has a picture is about.
func (p Page) about(ctx context.Context) string {
	if p.Event == nil {
		return T(ctx, "share.home")
	}
	return T(ctx, "share.about", "event", p.Event.Name)
}

// ProofView holds the hashes of an event's records for its public page. Archive is the SHA-256 of the last exported
// archive; it is empty before the first export.
type ProofView struct {
	Head       string
	Archive    string
	ArchivedAt engine.Millis
}

// EventRef names an event.
type EventRef struct {
	ID   int64
	Name string
	Host *Host // the organization whose event it is, on its public pages; nil: the house's
}

// Flash is one message about what was just done. Text is already in the reader's language.
type Flash struct {
	Kind string // good | bad | now
	Text string
}

// Live is the page's stream of updates. URL is empty where a page has none; Quiet is how many milliseconds
// of silence mean that the connection is lost, so the stream must say something (a ping) more often. Near
// is a page that is played at, which looks for a lost connection all the time; Tab names such a page, where
// only one of several may play.
type Live struct {
	URL   string
	Quiet int
	Near  bool
	Tab   string
}

// zone lets the page's script write times as the page does.
func (p Page) zone() templ.Attributes {
	if p.Drawn.IsZero() {
		return nil
	}
	_, seconds := p.Drawn.Zone()
	return templ.Attributes{"data-zone": num(seconds / 60), "data-zone-name": zoneName(p.Drawn)}
}

// now returns the server's time at which the page is sent. A region cached for many readers may be older; with this
// time its clocks are right before the stream's first message.
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

// Asset is the address of an asset, such as built/hall.css.
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

// links are the navigation of the page's role, in the order in which an event is run.
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
		if !p.Role.Official() { // whose navigation has no room for it: the standings lead there
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

// decimal writes twelfths for a number field, whose decimal mark is always a point.
func decimal(t engine.Twelfth) string {
	return strconv.FormatFloat(float64(t)/12, 'f', -1, 64)
}
