package tablet

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
	"meldhall/templates/locale"
	"meldhall/templates/tablet"
	"meldhall/tournament/account"
	"meldhall/tournament/action"
	"meldhall/tournament/people"
	"meldhall/tournament/refuse"
	"meldhall/tournament/rights"
	"meldhall/tournament/security"
	"meldhall/tournament/store"
	"meldhall/web/page"
	"meldhall/web/request"
	"meldhall/web/rulingform"
	"meldhall/web/signin"
)

// An official may rule once on a player's tablet, after entering a number or name and a PIN. The tablet is not signed
// in.

const badgeCookie = "badge"

func (s *Pages) badgePage(c *gin.Context, me rights.Actor) error {
	return s.showBadge(c, me, http.StatusOK, "", "")
}

func (s *Pages) showBadge(c *gin.Context, me rights.Actor, status int, who, problem string) error {
	at, err := s.Page.Request.Seats.WhereIs(c.Request.Context(), me)
	if err != nil {
		return err
	}
	if !at.Running() {
		return s.Page.SeeOther(c, seatPagesOf(c).room, "")
	}
	view := tablet.BadgeView{Page: s.Page.NewPage(c, locale.T(s.Page.Request.Language(c), "badge.title"),
		nil), Who: who,
		Problem: problem}
	return s.Page.Show(c, status, tablet.BadgePage(view))
}

// badgePost checks a number or name and a PIN. Failed attempts are throttled and then locked, per tablet and per
// account.
func (s *Pages) badgePost(c *gin.Context, me rights.Actor) error {
	ctx := c.Request.Context()
	at, err := s.Page.Request.Seats.WhereIs(ctx, me)
	if err != nil {
		return err
	}
	if !at.Running() {
		return s.Page.SeeOther(c, seatPagesOf(c).room, "")
	}
	official, err := s.showPIN(c, me, people.ShowPIN{Game: at.Snap.Ref.ID, Who: c.PostForm("who"),
		PIN: c.PostForm("pin")})
	if errors.Is(err, refuse.ErrUnauthenticated) {
		return s.showBadge(c, me, http.StatusForbidden, c.PostForm("who"), s.Page.SecretProblem(c, err))
	}
	if err != nil {
		return s.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
			return s.showBadge(c, me, status, c.PostForm("who"), text)
		})
	}
	token := s.badges.give(badge{Official: official, Game: at.Snap.Ref.ID, Player: me.Player})
	s.Page.Request.Cookies.Set(c, s.Page.Request.Cookies.Name(badgeCookie), token, badgeLife)
	return s.Page.SeeOther(c, templates.BadgePath+"/sheet", "")
}

func (s *Pages) showPIN(c *gin.Context, me rights.Actor, shown people.ShowPIN) (rights.Actor, error) {
	ctx, keys := c.Request.Context(), []string{"tablet " + strconv.FormatInt(me.Player, 10)}
	acc, err := account.AccountNamed(ctx, s.View.Store, shown.Who)
	if err != nil {
		return rights.Actor{}, err
	}
	if acc != 0 {
		keys = append(keys, signin.PINKey(acc))
	}
	if err := s.Page.Request.Accounts.Pins.Begin(keys...); err != nil {
		return rights.Actor{}, err
	}
	official, err := action.Do(ctx, s.Page.Request.Desk, me, shown)
	if err == nil {
		s.Page.Request.Accounts.Pins.Succeeded(keys...)
	} else if errors.Is(err, refuse.ErrUnauthenticated) {
		s.Page.Request.Notes.Add(c, security.Refused, "", signin.ByPIN)
	}
	return official, err
}

// badgeOf returns the open badge of the requesting tablet and its token. It returns false if there is none.
func (s *Pages) badgeOf(c *gin.Context, me rights.Actor) (badge, string, bool) {
	token, err := c.Cookie(s.Page.Request.Cookies.Name(badgeCookie))
	if err != nil {
		return badge{}, "", false
	}
	one, ok := s.badges.see(token, me.Player)
	return one, token, ok
}

// badgeSheetPage renders the small sheet of rulings. The page closes itself when the badge expires.
func (s *Pages) badgeSheetPage(c *gin.Context, me rights.Actor) error {
	return s.showBadgeSheet(c, me, http.StatusOK, "")
}

func (s *Pages) showBadgeSheet(c *gin.Context, me rights.Actor, status int, problem string) error {
	one, _, ok := s.badgeOf(c, me)
	if !ok {
		return s.Page.SeeOther(c, templates.GamePath, "")
	}
	ctx := s.Page.Request.Language(c)
	game, snap, err := s.View.WatchedGame(ctx, one.Game, engine.Referee)
	if err != nil {
		return err
	}
	left := int(one.Until.Sub(s.View.Store.Now()).Seconds()) + 1
	c.Header("Refresh", strconv.Itoa(left)+"; url="+string(templates.GamePath))
	view := tablet.BadgeSheetView{Official: one.Official.Name, Game: game, Seen: snap.State.Seq, Left: left,
		Problem: problem,
		Paused:  snap.State.Paused != nil, Page: s.Page.NewPage(c, locale.T(ctx, "badge.title"), nil)}
	return s.Page.Show(c, status, tablet.BadgeSheetPage(view))
}

// badgeSheetPost applies the badge's one ruling in the official's name and returns to the game.
func (s *Pages) badgeSheetPost(c *gin.Context, me rights.Actor) error {
	action, form := c.Param("action"), c.Request.PostForm
	if action == "close" {
		if _, token, ok := s.badgeOf(c, me); ok {
			s.badges.take(token, me.Player)
		}
		return s.Page.SeeOther(c, templates.GamePath, "")
	}
	// only urgent rulings are possible on a tablet
	if kind, _ := engine.RulingKindNamed(action); action != "answer" && !kind.OnTablet {
		return request.NotFound(c)
	}
	token, _ := c.Cookie(s.Page.Request.Cookies.Name(badgeCookie))
	one, ok := s.badges.take(token, me.Player)
	if !ok {
		return s.showBadge(c, me, http.StatusForbidden, "", locale.T(s.Page.Request.Language(c), "badge.over"))
	}
	err := s.ruleByBadge(c, one, action, form)
	if err == nil {
		s.Page.Request.Cookies.Set(c, s.Page.Request.Cookies.Name(badgeCookie), "", 0)
		return s.Page.SeeOther(c, templates.GamePath, "badge.done")
	}
	s.badges.back(one)
	return s.Page.Again(c, err, func(c *gin.Context, status int, text string) error {
		return s.showBadgeSheet(c, me, status, text)
	})
}

func (s *Pages) ruleByBadge(c *gin.Context, one badge, action string, form url.Values) error {
	ctx := c.Request.Context()
	// rights may have changed since the badge was issued
	official, err := account.AccountActor(ctx, s.View.Store, one.Official.Account)
	if err != nil {
		return err
	}
	snap, err := s.View.Games.Look(ctx, one.Game)
	if err != nil {
		return err
	}
	kind, _ := engine.RulingKindNamed(action)
	g := rulingform.New(form, kind, official, snap.State)
	command, err := rulingform.Read(action, g)
	if err != nil {
		return err
	}
	seen, err := page.Optional(form.Get, "seen")
	if err != nil {
		return err
	}
	_, err = s.View.Games.Submit(ctx, official, one.Game, rulingform.FormKey(g, action, one.Game, int(seen)), command)
	return err
}

// badgeLife is how long an official who entered a PIN on a player's tablet may make one ruling there.
const badgeLife = time.Minute

// A badge allows one ruling in one game on one player's tablet. It holds the hash of its token.
type badge struct {
	Official     rights.Actor
	Game, Player int64
	Until        time.Time
	Hash         [sha256.Size]byte
}

// badges holds the open badges, one per player, in memory or shared between nodes.
type badges struct {
	now   func() time.Time
	nodes *store.Shelf
	mu    sync.Mutex
	open  map[int64]badge
}

func newBadges(now func() time.Time, nodes *store.Shelf) *badges {
	return &badges{now: now, nodes: nodes, open: map[int64]badge{}}
}

// give opens a badge and returns its token. It replaces the tablet's previous badge.
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

// see returns the open badge of a player's tablet if the token matches.
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

// is reports whether token belongs to the badge.
func (b badge) is(token string) bool {
	hash := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(hash[:], b.Hash[:]) == 1
}

// take is like see but removes the badge, so that it can be used only once. If no ruling was made, back restores it.
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
	one, ok = b.open[player] // another request may have taken it meanwhile
	delete(b.open, player)
	return one, ok && one.is(token)
}

// back restores a badge unless the tablet has got a new one meanwhile.
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
