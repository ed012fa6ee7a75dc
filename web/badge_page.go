package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"meldhall/engine"
	"meldhall/templates"
	"meldhall/tournament"
	"meldhall/tournament/door"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/staff"
	"meldhall/web/shell"
)

// An official may rule once on a player's tablet: by number or name and PIN, without signing the tablet in.

const badgeCookie = "badge"

func (s *tabletPages) badgePage(c *gin.Context, me rights.Actor) error {
	return s.showBadge(c, me, http.StatusOK, "", "")
}

func (s *tabletPages) showBadge(c *gin.Context, me rights.Actor, status int, who, problem string) error {
	at, err := s.whereIs(c.Request.Context(), me)
	if err != nil {
		return err
	}
	if !at.Running() {
		return s.SeeOther(c, seatPagesOf(c).room, "")
	}
	view := templates.BadgeView{Page: s.NewPage(c, templates.T(s.Language(c), "badge.title"), nil), Who: who, Problem: problem}
	return s.Show(c, status, templates.BadgePage(view))
}

// badgePost takes number or name and PIN. Wrong ones are slowed down and locked, by tablet and by account.
func (s *tabletPages) badgePost(c *gin.Context, me rights.Actor) error {
	ctx := c.Request.Context()
	at, err := s.whereIs(ctx, me)
	if err != nil {
		return err
	}
	if !at.Running() {
		return s.SeeOther(c, seatPagesOf(c).room, "")
	}
	official, err := s.showPIN(c, me, tournament.ShowPIN{Game: at.Snap.Ref.ID, Who: c.PostForm("who"), PIN: c.PostForm("pin")})
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return s.showBadge(c, me, http.StatusForbidden, c.PostForm("who"), s.SecretProblem(c, err))
	}
	if err != nil {
		return s.Again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showBadge(c, me, status, c.PostForm("who"), text)
		})
	}
	token := s.badges.give(badge{official: official, game: at.Snap.Ref.ID, player: me.Player})
	s.SetCookie(c, s.CookieName(badgeCookie), token, badgeLife)
	return s.SeeOther(c, templates.BadgePath+"/sheet", "")
}

func (s *tabletPages) showPIN(c *gin.Context, me rights.Actor, shown tournament.ShowPIN) (rights.Actor, error) {
	ctx, keys := c.Request.Context(), []string{"tablet " + strconv.FormatInt(me.Player, 10)}
	account, err := staff.AccountNamed(ctx, s.Store, shown.Who)
	if err != nil {
		return rights.Actor{}, err
	}
	if account != 0 {
		keys = append(keys, shell.PINKey(account))
	}
	if err := s.Pins.Begin(keys...); err != nil {
		return rights.Actor{}, err
	}
	official, err := door.Do(ctx, s.Desk, me, shown)
	if err == nil {
		s.Pins.Succeeded(keys...)
	} else if errors.Is(err, refuse.ErrUnauthenticated) {
		s.Note(c, security.Refused, "", shell.ByPIN)
	}
	return official, err
}

// badgeOf is the open right of the tablet that asks.
func (s *tabletPages) badgeOf(c *gin.Context, me rights.Actor) (badge, string, bool) {
	token, err := c.Cookie(s.CookieName(badgeCookie))
	if err != nil {
		return badge{}, "", false
	}
	one, ok := s.badges.see(token, me.Player)
	return one, token, ok
}

// badgeSheetPage is the small sheet of rulings. It leaves by itself when its time is over.
func (s *tabletPages) badgeSheetPage(c *gin.Context, me rights.Actor) error {
	return s.showBadgeSheet(c, me, http.StatusOK, "")
}

func (s *tabletPages) showBadgeSheet(c *gin.Context, me rights.Actor, status int, problem string) error {
	one, _, ok := s.badgeOf(c, me)
	if !ok {
		return s.SeeOther(c, templates.GamePath, "")
	}
	ctx := s.Language(c)
	game, snap, err := s.watchedGame(ctx, one.game, engine.Referee)
	if err != nil {
		return err
	}
	left := int(one.until.Sub(s.Store.Now()).Seconds()) + 1
	c.Header("Refresh", strconv.Itoa(left)+"; url="+string(templates.GamePath))
	view := templates.BadgeSheetView{Official: one.official.Name, Game: game, Seen: snap.State.Seq, Left: left, Problem: problem,
		Paused: snap.State.Paused != nil, Page: s.NewPage(c, templates.T(ctx, "badge.title"), nil)}
	return s.Show(c, status, templates.BadgeSheetPage(view))
}

// badgeSheetPost gives the one ruling, in the official's name, and goes back to the game.
func (s *tabletPages) badgeSheetPost(c *gin.Context, me rights.Actor) error {
	action, form := c.Param("action"), c.Request.PostForm
	if action == "close" {
		if _, token, ok := s.badgeOf(c, me); ok {
			s.badges.take(token, me.Player)
		}
		return s.SeeOther(c, templates.GamePath, "")
	}
	// what has to be done at once
	if kind, _ := engine.RulingKindNamed(action); action != "answer" && !kind.OnTablet {
		return shell.NotFound(c)
	}
	token, _ := c.Cookie(s.CookieName(badgeCookie))
	one, ok := s.badges.take(token, me.Player)
	if !ok {
		return s.showBadge(c, me, http.StatusForbidden, "", templates.T(s.Language(c), "badge.over"))
	}
	err := s.ruleByBadge(c, one, action, form)
	if err == nil {
		s.SetCookie(c, s.CookieName(badgeCookie), "", 0)
		return s.SeeOther(c, templates.GamePath, "badge.done")
	}
	s.badges.back(token, one)
	return s.Again(c, err, func(c *gin.Context, status int, text string) error {
		return s.showBadgeSheet(c, me, status, text)
	})
}

func (s *tabletPages) ruleByBadge(c *gin.Context, one badge, action string, form url.Values) error {
	ctx := c.Request.Context()
	official, err := staff.AccountActor(ctx, s.Store, one.official.Account) // rights may have changed within the minute
	if err != nil {
		return err
	}
	snap, err := s.Games.Look(ctx, one.game)
	if err != nil {
		return err
	}
	kind, _ := engine.RulingKindNamed(action)
	g := s.given(form, kind, official, snap.State)
	command, err := readRuling(action, g)
	if err != nil {
		return err
	}
	seen, _ := strconv.Atoi(form.Get("seen"))
	_, err = s.Games.Submit(ctx, official, one.game, formKey(g, action, one.game, seen), command)
	return err
}

// badgeLife is how long an official who has shown a PIN on a player's tablet may rule there, once.
const badgeLife = time.Minute

// badge is the right to one ruling in one game, given on one player's tablet.
type badge struct {
	official rights.Actor
	game     int64
	player   int64
	until    time.Time
}

// badges are the rights that are open, in memory alone, by the hash of their token.
type badges struct {
	now  func() time.Time
	mu   sync.Mutex
	open map[[sha256.Size]byte]badge
}

func newBadges(now func() time.Time) *badges {
	return &badges{now: now, open: map[[sha256.Size]byte]badge{}}
}

// give opens a right and gives its token. A tablet has one at a time.
func (b *badges) give(one badge) string {
	secret := make([]byte, 24)
	rand.Read(secret)
	token := base64.RawURLEncoding.EncodeToString(secret)
	one.until = b.now().Add(badgeLife)
	b.mu.Lock()
	defer b.mu.Unlock()
	for hash, other := range b.open {
		if other.player == one.player || !other.until.After(b.now()) {
			delete(b.open, hash)
		}
	}
	b.open[sha256.Sum256([]byte(token))] = one
	return token
}

// see gives the right of a token on a player's tablet, false when there is none.
func (b *badges) see(token string, player int64) (badge, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one, ok := b.open[sha256.Sum256([]byte(token))]
	return one, ok && one.player == player && one.until.After(b.now())
}

// take is see, and nobody else has the right from then on; back gives it back when nothing was ruled.
func (b *badges) take(token string, player int64) (badge, bool) {
	one, ok := b.see(token, player)
	if !ok {
		return one, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	hash := sha256.Sum256([]byte(token))
	_, ok = b.open[hash] // somebody else may have taken it in the meantime
	delete(b.open, hash)
	return one, ok
}

func (b *badges) back(token string, one badge) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[sha256.Sum256([]byte(token))] = one
}
