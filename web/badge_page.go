package web

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
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
	"meldhall/tournament/storage"
	"meldhall/web/frame"
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
	token := s.badges.give(badge{Official: official, Game: at.Snap.Ref.ID, Player: me.Player})
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
	game, snap, err := s.watchedGame(ctx, one.Game, engine.Referee)
	if err != nil {
		return err
	}
	left := int(one.Until.Sub(s.Store.Now()).Seconds()) + 1
	c.Header("Refresh", strconv.Itoa(left)+"; url="+string(templates.GamePath))
	view := templates.BadgeSheetView{Official: one.Official.Name, Game: game, Seen: snap.State.Seq, Left: left, Problem: problem,
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
	s.badges.back(one)
	return s.Again(c, err, func(c *gin.Context, status int, text string) error {
		return s.showBadgeSheet(c, me, status, text)
	})
}

func (s *tabletPages) ruleByBadge(c *gin.Context, one badge, action string, form url.Values) error {
	ctx := c.Request.Context()
	official, err := staff.AccountActor(ctx, s.Store, one.Official.Account) // rights may have changed within the minute
	if err != nil {
		return err
	}
	snap, err := s.Games.Look(ctx, one.Game)
	if err != nil {
		return err
	}
	kind, _ := engine.RulingKindNamed(action)
	g := s.given(form, kind, official, snap.State)
	command, err := readRuling(action, g)
	if err != nil {
		return err
	}
	seen, err := frame.Optional(form.Get, "seen")
	if err != nil {
		return err
	}
	_, err = s.Games.Submit(ctx, official, one.Game, formKey(g, action, one.Game, int(seen)), command)
	return err
}

// badgeLife is how long an official who has shown a PIN on a player's tablet may rule there, once.
const badgeLife = time.Minute

// badge is the right to one ruling in one game, given on one player's tablet, by the hash of its token.
type badge struct {
	Official     rights.Actor
	Game, Player int64
	Until        time.Time
	Hash         [sha256.Size]byte
}

// badges are the rights that are open, one of a tablet's player: in memory alone, or with the other nodes.
type badges struct {
	now   func() time.Time
	nodes *storage.Shelf
	mu    sync.Mutex
	open  map[int64]badge
}

func newBadges(now func() time.Time, nodes *storage.Shelf) *badges {
	return &badges{now: now, nodes: nodes, open: map[int64]badge{}}
}

// give opens a right and gives its token. A tablet has one at a time.
func (b *badges) give(one badge) string {
	secret := make([]byte, 24)
	rand.Read(secret)
	token := base64.RawURLEncoding.EncodeToString(secret)
	one.Until, one.Hash = b.now().Add(badgeLife), sha256.Sum256([]byte(token))
	b.put(one)
	return token
}

func (b *badges) put(one badge) {
	if b.nodes != nil {
		b.nodes.Put(strconv.FormatInt(one.Player, 10), one, one.Until)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for player, other := range b.open {
		if !other.Until.After(b.now()) {
			delete(b.open, player)
		}
	}
	b.open[one.Player] = one
}

// see gives the right of a token on a player's tablet, false when there is none.
func (b *badges) see(token string, player int64) (one badge, ok bool) {
	if b.nodes != nil {
		ok = b.nodes.See(strconv.FormatInt(player, 10), &one)
	} else {
		b.mu.Lock()
		one, ok = b.open[player]
		b.mu.Unlock()
	}
	return one, ok && one.is(token) && one.Until.After(b.now())
}

// is tells whether the right was given with a token.
func (b badge) is(token string) bool {
	hash := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(hash[:], b.Hash[:]) == 1
}

// take is see, and nobody else has the right from then on; back gives it back when nothing was ruled.
func (b *badges) take(token string, player int64) (badge, bool) {
	one, ok := b.see(token, player)
	if !ok {
		return one, false
	}
	if b.nodes != nil {
		ok = b.nodes.Take(strconv.FormatInt(player, 10), &one)
		return one, ok && one.is(token)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	one, ok = b.open[player] // somebody else may have taken it in the meantime
	delete(b.open, player)
	return one, ok && one.is(token)
}

// back gives one back, unless the tablet has got another one meanwhile.
func (b *badges) back(one badge) {
	if b.nodes != nil {
		b.nodes.PutBack(strconv.FormatInt(one.Player, 10), one, one.Until)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if other, is := b.open[one.Player]; !is || !other.Until.After(b.now()) {
		b.open[one.Player] = one
	}
}
