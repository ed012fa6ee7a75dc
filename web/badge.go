package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"time"

	"meldhall/tournament/rights"
)

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
