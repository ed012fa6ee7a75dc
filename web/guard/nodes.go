package guard

import (
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"time"

	"meldhall/tournament/storage"
)

// Shared are the counters whose tries all programs count, by name.
type Shared map[string]interface {
	keepIn(name string, book *storage.Tries)
}

// Keep has all of them counted in the database from now on; it is called before any try. Where that cannot be asked, each program counts on
// by itself.
func (s Shared) Keep(book *storage.Tries) {
	for name, counter := range s {
		counter.keepIn(name, book)
	}
}

// Shared adds the counters of sign-ins, under a name.
func (s *SignIns) Shared(name string, to Shared) {
	for part, throttle := range map[string]*Throttle{"devices": s.devices, "pairs": s.pairs, "addresses": s.addresses, "accounts": s.accounts} {
		to[name+" "+part] = throttle
	}
}

// booked is a counter's page in the database's book.
type booked struct {
	*storage.Tries
	name string
	rule storage.TryRule
}

// hashed are keys as others may read them: some are what was typed.
func hashed(keys []string) []string {
	all := make([]string, len(keys))
	for i, key := range keys {
		sum := sha256.Sum256([]byte(key))
		all[i] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return all
}

func (t *Throttle) keepIn(name string, book *storage.Tries) {
	t.book = &booked{book, name, storage.TryRule{Every: time.Minute.Milliseconds() / int64(t.perMinute), Free: failuresFree, Shift: failuresFree,
		Longest: t.longest.Milliseconds(), Forget: failuresForget.Milliseconds()}}
}

// checkBook is check by the book, for tries of which some are under way here; t.mu is not held. known is false where the book cannot be asked.
func (t *Throttle) checkBook(keys []string) (wait time.Duration, known bool) {
	if t.book == nil {
		return 0, false
	}
	all, err := t.book.See(t.book.name, hashed(keys))
	if err != nil {
		slog.Error("tries are looked at in this program alone", "err", err)
		return 0, false
	}
	pending := 0
	t.mu.Lock()
	for _, key := range keys {
		if e := t.keys[shortened(key)]; e != nil {
			pending = max(pending, e.pending)
		}
	}
	t.mu.Unlock()
	now, every := t.now().UnixMilli(), t.book.rule.Every
	for _, of := range all {
		wait = max(wait, time.Duration(of.Until-now)*time.Millisecond)
		if left := int64(t.perMinute-pending)*every - max(of.Spent-now, 0); left < every {
			wait = max(wait, time.Duration(every)*time.Millisecond)
		}
	}
	return wait, true
}

func (p *PINTries) keepIn(name string, book *storage.Tries) {
	p.book = &booked{book, name, storage.TryRule{Shift: 1, Longest: pinLock.Milliseconds(), Lock: pinTriesMost, Forget: pinLock.Milliseconds()}}
}

// beginBook is begin by the book; known is false where it cannot be asked.
func (p *PINTries) beginBook(keys []string) (err error, known bool) {
	if p.book == nil {
		return nil, false
	}
	keys = hashed(keys)
	began, failed := p.book.Begin(p.book.name, keys, p.book.rule)
	if failed != nil {
		slog.Error("a try at a PIN is counted at this program alone", "err", failed)
		return nil, false
	}
	if began {
		return nil, true
	}
	wait, now := time.Second, p.now().UnixMilli()
	all, _ := p.book.See(p.book.name, keys)
	for _, of := range all {
		wait = max(wait, time.Duration(of.Until-now)*time.Millisecond)
	}
	return tooMany(wait), true
}
