package web

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"meldhall/templates"
	"meldhall/tournament/floor"
	"meldhall/tournament/refuse"
	"meldhall/tournament/secret"
	"meldhall/web/frame"
	"meldhall/web/guard"
	"meldhall/web/live"
	"meldhall/web/shell"
)

// A screen's cookie lasts as long as browsers keep one, from the last time that it was switched on. A code is good
// as long as its screen shows it.
const (
	screenCookie = "display"
	screenLife   = 400 * 24 * time.Hour
	screenLook   = 20 * time.Second // a screen says this often that it is there
	codeLife     = 3 * screenLook
	waitingMost  = 500
)

// waitingScreens are the screens that show a code, in memory alone: a screen that loses its code shows a new one.
type waitingScreens struct {
	now     func() time.Time
	mu      sync.Mutex
	byCode  map[string]*waitingScreen
	byToken map[string]*waitingScreen
}

type waitingScreen struct {
	token, code string
	seen        time.Time
}

func newWaitingScreens(now func() time.Time) *waitingScreens {
	return &waitingScreens{now: now, byCode: map[string]*waitingScreen{}, byToken: map[string]*waitingScreen{}}
}

// see gives the code that the screen with a token shows, false when it has none.
func (w *waitingScreens) see(token string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.byToken[token]
	if s == nil {
		return "", false
	}
	s.seen = w.now()
	return s.code, true
}

// add lets a screen wait. When there are too many, those that are gone make room, then the one seen least lately.
func (w *waitingScreens) add(token, code string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var oldest *waitingScreen
	for _, s := range w.byCode {
		if w.now().Sub(s.seen) > codeLife {
			w.drop(s)
		} else if oldest == nil || s.seen.Before(oldest.seen) {
			oldest = s
		}
	}
	if len(w.byCode) >= waitingMost {
		w.drop(oldest)
	}
	s := &waitingScreen{token, code, w.now()}
	w.byCode[code], w.byToken[token] = s, s
}

func (w *waitingScreens) drop(s *waitingScreen) {
	delete(w.byCode, s.code)
	delete(w.byToken, s.token)
}

// of gives the token of the screen that shows a code.
func (w *waitingScreens) of(code string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.byCode[secret.PlainCode(code)]
	if s == nil || w.now().Sub(s.seen) > codeLife {
		return "", false
	}
	return s.token, true
}

// use ends a code.
func (w *waitingScreens) use(token string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.byToken[token]; s != nil {
		w.drop(s)
	}
}

// screenPage goes to the table that was chosen for the screen, or shows the code by which it is chosen.
func (s *screenPages) screenPage(c *gin.Context) error {
	token, _ := c.Cookie(s.CookieName(screenCookie))
	d, paired, err := s.pairedScreen(c.Request.Context(), token)
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
	p := s.displayFrame(c, templates.T(s.Language(c), "displays.wait"))
	p.Live = templates.Live{URL: string(templates.ScreenPath) + "/live", Quiet: frame.NearQuiet, Near: true}
	return s.Show(c, http.StatusOK, templates.ScreenPage(p, view))
}

// screenLive says go when the screen's table is chosen.
func (s *screenPages) screenLive(c *gin.Context) error {
	ctx := s.Language(c)
	token, _ := c.Cookie(s.CookieName(screenCookie))
	if token == "" {
		return refuse.NotFound("err_display_not_found")
	}
	watcher := s.Hub.Watch(live.DisplaysTopic())
	look := time.AfterFunc(screenLook, watcher.Wake)
	defer look.Stop()
	return s.StreamPage(c, live.Feed{Watcher: watcher, Ping: displayPing, Next: func() (live.Message, error) {
		look.Reset(screenLook)
		if _, paired, err := s.pairedScreen(ctx, token); err != nil || paired {
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

// pairedScreen gives the screen that holds a token, false when none does, and notes that it is there.
func (s *Server) pairedScreen(ctx context.Context, token string) (floor.Display, bool, error) {
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
func (s *screenPages) waitingScreen(c *gin.Context, token string) (templates.ScreenView, string, error) {
	code, ok := "", false
	if len(token) == 32 {
		code, ok = s.displays.waiting.see(token)
	} else {
		token = ""
	}
	if !ok {
		if err := s.displays.fresh.Spend("address " + guard.Network(c.ClientIP())); err != nil {
			return templates.ScreenView{}, "", err
		}
		made, plain := floor.NewDisplaySecrets()
		if token == "" {
			token = made
		}
		code = plain
		s.displays.waiting.add(token, code)
	}
	base := s.BaseURL(c)
	return templates.ScreenView{Code: secret.SpellCode(code), Address: base + string(templates.ChooseDisplayPath(secret.SpellCode(code))),
		Typed: base + "/displays/…", Build: s.assets.Base()}, token, nil
}

// screenAddress is where a paired screen belongs.
func screenAddress(d floor.Display) templ.SafeURL {
	return templates.DisplayPath(d.TournamentID, d.Number) + templ.SafeURL(d.Settings)
}

// strays tells whether the screen that asks belongs elsewhere by now: it was put at another table, or removed.
// A screen without a cookie belongs where its address says.
func (s *publicPages) strays(ctx context.Context, token string, key displayKey, was bool) (strays, paired bool, err error) {
	d, paired, err := s.pairedScreen(ctx, token)
	if err != nil || !paired {
		return was, false, err
	}
	return d.TournamentID != key.event || d.Number != key.number, true, nil
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
