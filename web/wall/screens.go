package wall

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/door"
	"meldhall/tournament/floor"
	"meldhall/tournament/refuse"
	"meldhall/tournament/secret"
	"meldhall/web/frame"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/shell"
	"meldhall/web/venue"
)

// A screen's cookie lasts as long as browsers keep one, from the last time that it was switched on. A code is good
// as long as its screen shows it.
const (
	screenCookie = "display"
	screenLife   = 400 * 24 * time.Hour
	codeLife     = 3 * Look
	waitingMost  = 500
)

// Look is how often a screen says that it is there.
const Look = 20 * time.Second

// Screens are the screens of all events, and their pages.
type Screens struct {
	*frame.Frame
	*venue.Venue
	waiting *waitingScreens
	fresh   *guard.Throttle // of screens that ask for a code
	moves   atomic.Uint64   // how often a screen was paired, moved or removed
	regions *frame.Regions
}

// New makes the screens of a server.
func New(f *frame.Frame, v *venue.Venue) *Screens {
	now := func() time.Time { return v.Store.Now() }
	return &Screens{Frame: f, Venue: v, waiting: newWaitingScreens(now, v.Store.Shelf("screen")), fresh: guard.NewThrottle(30, time.Minute, now),
		regions: frame.NewRegions(now, boardLeast*4/5)}
}

// AddTo adds the pages of screens, and those of the staff about them.
func (s *Screens) AddTo(pages *gin.RouterGroup) {
	pages.GET("/display", s.Handle(s.screenPage))
	pages.GET("/display/live", s.Listen(s.screenLive))
	pages.GET("/displays/:code", s.Handle(s.choosePage))
	pages.POST("/displays/:code", s.Handle(s.choosePost))
	pages.GET("/board", s.Handle(s.boardPage))
	pages.GET("/board/live", s.Listen(s.boardLive))
	pages.GET("/events/:event/boards/:boards", s.Handle(s.openBoards))
	pages.GET("/events/:event/boards/:boards/live", s.Listen(s.openBoardsLive))
	pages.GET("/referee/:event/displays", s.Handle(s.displaysPage))
	pages.GET("/referee/:event/displays/:number", s.Handle(s.setPage))
	pages.GET("/desk/:event/champion", s.Handle(s.crownPage))
	pages.GET("/overlay/:event/:overlay", s.Handle(s.overlayPage))
	pages.GET("/overlay/:event/:overlay/live", s.Listen(s.overlayLive))
	pages.GET("/events/:event/commentary", s.Handle(s.commentaryPage))
	pages.GET("/events/:event/commentary/live", s.Listen(s.commentaryLive))
}

// Moved notes what a commit has changed.
func (s *Screens) Moved(c door.Changed) {
	if c.Has(door.TopicScreens) {
		s.moves.Add(1)
	}
}

// Moves is how often screens were paired, moved or removed so far.
func (s *Screens) Moves() uint64 { return s.moves.Load() }

// Token is what the screen that asks is known by; empty: it is none.
func (s *Screens) Token(c *gin.Context) string {
	token, _ := c.Cookie(s.CookieName(screenCookie))
	return token
}

// Themed is a page for a screen: dark unless its address or the staff say otherwise.
func Themed(p templates.Page, theme string) templates.Page {
	switch theme {
	case "light":
		p.Theme = "light"
	case "auto":
		p.Theme = ""
	default:
		p.Theme = "dark"
	}
	return p
}

// screenPage goes to the table that was chosen for the screen, or shows the code by which it is chosen.
func (s *Screens) screenPage(c *gin.Context) error {
	token := s.Token(c)
	d, paired, err := s.Paired(c.Request.Context(), token)
	if err != nil {
		return err
	}
	if paired {
		s.SetCookie(c, s.CookieName(screenCookie), token, screenLife)
		return s.SeeOther(c, screenAddress(d), "")
	}
	view, token, err := s.waitingScreen(c, token)
	if err != nil {
		return err
	}
	s.SetCookie(c, s.CookieName(screenCookie), token, screenLife)
	p := Themed(s.NewPage(c, templates.T(s.Language(c), "displays.wait"), nil), c.Query("theme"))
	p.Live = templates.Live{URL: string(templates.ScreenPath) + "/live", Quiet: frame.NearQuiet, Near: true}
	return s.Show(c, http.StatusOK, templates.ScreenPage(p, view))
}

// screenLive says go when the screen's table is chosen.
func (s *Screens) screenLive(c *gin.Context) error {
	ctx := s.Language(c)
	token := s.Token(c)
	if token == "" {
		return refuse.NotFound("err_display_not_found")
	}
	watcher := s.Hub.Watch(live.DisplaysTopic())
	look := time.AfterFunc(Look, watcher.Wake)
	ends := []func(){func() { look.Stop() }}
	return s.StreamPage(c, live.Feed{Watcher: watcher, Ends: ends, Ping: frame.NearPing, Next: func() (live.Message, error) {
		look.Reset(Look)
		if _, paired, err := s.Paired(ctx, token); err != nil || paired {
			return live.Message{Event: "go", Data: []byte("{}")}, err
		}
		view, _, err := s.waitingScreen(c, token)
		if err != nil {
			return live.Message{}, err
		}
		html, err := frame.Render(ctx, templates.ScreenRegion(view))
		return live.Message{ID: frame.StateOf(html), Data: html}, err
	}})
}

// Paired gives the screen that holds a token, false when none does, and notes that it is there.
func (s *Screens) Paired(ctx context.Context, token string) (floor.Display, bool, error) {
	if token == "" {
		return floor.Display{}, false, nil
	}
	d, err := floor.DisplayByToken(ctx, s.Store, token)
	if err != nil {
		return d, false, shell.Nobody(err)
	}
	return d, true, floor.SeeDisplay(ctx, s.Store, d)
}

// waitingScreen gives a screen its code, and a token if it has none.
func (s *Screens) waitingScreen(c *gin.Context, token string) (templates.ScreenView, string, error) {
	code, ok := "", false
	if len(token) == 32 {
		code, ok = s.waiting.see(token)
	} else {
		token = ""
	}
	if !ok {
		if err := s.fresh.Spend("address " + guard.Network(c.ClientIP())); err != nil {
			return templates.ScreenView{}, "", err
		}
		made, plain := floor.NewDisplaySecrets()
		if token == "" {
			token = made
		}
		code = plain
		s.waiting.add(token, code)
	}
	base := s.BaseURL(c)
	return templates.ScreenView{Code: secret.SpellCode(code), Address: base + string(templates.ChooseDisplayPath(secret.SpellCode(code))),
		Typed: base + "/displays/…", Build: s.Build}, token, nil
}

// screenAddress is where a paired screen belongs.
func screenAddress(d floor.Display) templ.SafeURL {
	if d.Number == 0 {
		return templates.BoardPath
	}
	return templates.DisplayPath(d.TournamentID, d.Number) + templ.SafeURL(d.Settings)
}

// settingsOf reads the settings that staff gave with a table, as an address keeps them.
func settingsOf(form url.Values) string {
	set := templates.DisplaySettings{Theme: form.Get("theme")}
	if form.Get("sides") == "2" {
		set.Sides = 2
	}
	if form.Get("turn") == "180" {
		set.Turn = 180
	}
	return set.Query()
}
