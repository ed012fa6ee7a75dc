package screens

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/templates/locale"
	"meldhall/templates/part"
	"meldhall/templates/screens"
	"meldhall/tournament/action"
	"meldhall/tournament/refuse"
	"meldhall/tournament/screen"
	"meldhall/tournament/secret"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/page"
	"meldhall/web/signin"
	"meldhall/web/view"
)

// A screen's cookie lasts as long as browsers allow, counted from the last time that the screen was switched on. A code
// is valid as long as its screen shows it.
const (
	screenCookie = "display"
	screenLife   = 400 * 24 * time.Hour
	codeLife     = 3 * Look
	waitingMost  = 500
)

// Look is how often the stream of a screen records that the screen is online.
const Look = 20 * time.Second

// Screens serves the pages of the screens of all tournaments, and the officials' pages about them.
type Screens struct {
	Page    *page.Base
	View    *view.Reader
	waiting *waitingScreens
	fresh   *guard.Throttle // limits screens that request a code
	moves   atomic.Uint64   // how often screens were paired, moved or removed
	regions *page.Regions
}

// New returns the screens of a server.
func New(f *page.Base, v *view.Reader) *Screens {
	now := func() time.Time { return v.Store.Now() }
	return &Screens{Page: f, View: v, waiting: newWaitingScreens(now, v.Store.Nodes.Shelf("screen")),
		fresh:   guard.NewThrottle(30, time.Minute, now),
		regions: page.NewRegions(now, boardLeast*4/5)}
}

// AddTo adds the pages of screens, and the officials' pages about them.
func (s *Screens) AddTo(pages *gin.RouterGroup) {
	pages.GET("/display", s.Page.Request.Handle(s.screenPage))
	pages.GET("/display/live", s.Page.Request.Listen(s.screenLive))
	pages.GET("/displays/:code", s.Page.Request.Handle(s.choosePage))
	pages.POST("/displays/:code", s.Page.Request.Handle(s.choosePost))
	pages.GET("/board", s.Page.Request.Handle(s.boardPage))
	pages.GET("/board/live", s.Page.Request.Listen(s.boardLive))
	pages.GET("/events/:event/boards/:boards", s.Page.Request.Handle(s.openBoards))
	pages.GET("/events/:event/boards/:boards/live", s.Page.Request.Listen(s.openBoardsLive))
	pages.GET("/referee/:event/displays", s.Page.Request.Handle(s.displaysPage))
	pages.GET("/referee/:event/displays/:number", s.Page.Request.Handle(s.setPage))
	pages.GET("/desk/:event/champion", s.Page.Request.Handle(s.crownPage))
	pages.GET("/overlay/:event/:overlay", s.Page.Request.Handle(s.overlayPage))
	pages.GET("/overlay/:event/:overlay/live", s.Page.Request.Listen(s.overlayLive))
	pages.GET("/events/:event/commentary", s.Page.Request.Handle(s.commentaryPage))
	pages.GET("/events/:event/commentary/live", s.Page.Request.Listen(s.commentaryLive))
}

// Moved counts a commit that paired, moved or removed a screen.
func (s *Screens) Moved(c action.Changed) {
	if c.Has(action.TopicScreens) {
		s.moves.Add(1)
	}
}

// Moves returns how often screens were paired, moved or removed so far.
func (s *Screens) Moves() uint64 { return s.moves.Load() }

// Token returns the token of the requesting screen; empty if it is not a screen.
func (s *Screens) Token(c *gin.Context) string {
	token, _ := c.Cookie(s.Page.Request.Cookies.Name(screenCookie))
	return token
}

// Themed returns a page for a screen: dark unless its address or an official chooses another theme.
func Themed(p part.Page, theme string) part.Page {
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

// screenPage redirects a paired screen to its table or its boards. For any other screen, it shows the code with which
// an official pairs it.
func (s *Screens) screenPage(c *gin.Context) error {
	token := s.Token(c)
	d, paired, err := s.Paired(c.Request.Context(), token)
	if err != nil {
		return err
	}
	if paired {
		s.Page.Request.Cookies.Set(c, s.Page.Request.Cookies.Name(screenCookie), token, screenLife)
		return s.Page.SeeOther(c, screenAddress(d), "")
	}
	view, token, err := s.waitingScreen(c, token)
	if err != nil {
		return err
	}
	s.Page.Request.Cookies.Set(c, s.Page.Request.Cookies.Name(screenCookie), token, screenLife)
	p := Themed(s.Page.NewPage(c, locale.T(s.Page.Request.Language(c), "displays.wait"), nil), c.Query("theme"))
	p.Live = part.Live{URL: string(templates.ScreenPath) + "/live", Quiet: page.NearQuiet, Near: true}
	return s.Page.Show(c, http.StatusOK, screens.ScreenPage(p, view))
}

// screenLive streams the code of a screen that is not paired, and sends "go" once it is paired.
func (s *Screens) screenLive(c *gin.Context) error {
	ctx := s.Page.Request.Language(c)
	token := s.Token(c)
	if token == "" {
		return refuse.NotFound("err_display_not_found")
	}
	watcher := s.Page.Request.Hub.Watch(live.DisplaysTopic())
	look := time.AfterFunc(Look, watcher.Wake)
	ends := []func(){func() { look.Stop() }}
	return s.Page.StreamPage(c, live.Feed{Watcher: watcher, Ends: ends, Ping: page.NearPing,
		Next: func() (live.Message, error) {
			look.Reset(Look)
			if _, paired, err := s.Paired(ctx, token); err != nil || paired {
				return live.Message{Event: "go", Data: []byte("{}")}, err
			}
			view, _, err := s.waitingScreen(c, token)
			if err != nil {
				return live.Message{}, err
			}
			html, err := page.RenderRegion(ctx, screens.ScreenRegion(view))
			return live.Message{ID: page.StateOf(html), Data: html}, err
		}})
}

// Paired returns the screen that holds a token and records that it is online. It returns false if there is none.
func (s *Screens) Paired(ctx context.Context, token string) (screen.Display, bool, error) {
	if token == "" {
		return screen.Display{}, false, nil
	}
	d, err := screen.DisplayByToken(ctx, s.View.Store, token)
	if err != nil {
		return d, false, signin.UnlessUnknown(err)
	}
	return d, true, screen.SeeDisplay(ctx, s.View.Store, d)
}

// waitingScreen returns the view with the code of a screen that is not paired, and the screen's token. It creates a
// token if the given one is not valid.
func (s *Screens) waitingScreen(c *gin.Context, token string) (screens.ScreenView, string, error) {
	code, ok := "", false
	if len(token) == 32 {
		code, ok = s.waiting.see(token)
	} else {
		token = ""
	}
	if !ok {
		if err := s.fresh.Spend("address " + guard.Network(c.ClientIP())); err != nil {
			return screens.ScreenView{}, "", err
		}
		made, plain := secret.NewToken(), secret.NewCode()
		if token == "" {
			token = made
		}
		code = plain
		s.waiting.add(token, code)
	}
	base := s.Page.Request.BaseURL(c)
	return screens.ScreenView{Code: secret.SpellCode(code), Address: base +
		string(templates.ChooseDisplayPath(secret.SpellCode(code))),
		Typed: base + "/displays/…", Build: s.View.Build}, token, nil
}

// screenAddress returns the page for a paired screen.
func screenAddress(d screen.Display) templ.SafeURL {
	if d.Number == 0 {
		return templates.BoardPath
	}
	return templates.DisplayPath(d.TournamentID, d.Number) + templ.SafeURL(d.Settings)
}

// settingsOf returns the settings that an official chose with a table, as an address query.
func settingsOf(form url.Values) string {
	set := screens.DisplaySettings{Theme: form.Get("theme")}
	if form.Get("sides") == "2" {
		set.Sides = 2
	}
	if form.Get("turn") == "180" {
		set.Turn = 180
	}
	return set.Query()
}
