package guard

import (
	"crypto/sha256"
	"encoding/base64"
	"log/slog"
	"time"

	"meldhall/tournament/store"
)

// Shared contains the counters that all nodes share, by name.
type Shared map[string]interface {
	keepIn(name string, book *store.Tries)
}

// Keep makes all counters count in the database from now on. It must be called before the first attempt. While the
// database is unavailable, each node counts on its own.
func (s Shared) Keep(book *store.Tries) {
	for name, counter := range s {
		counter.keepIn(name, book)
	}
}

// Shared adds the sign-in counters to a Shared, with name as their prefix.
func (s *SignIns) Shared(name string, to Shared) {
	for part, throttle := range map[string]*Throttle{"devices": s.devices, "pairs": s.pairs, "addresses": s.addresses,
		"accounts": s.accounts} {
		to[name+" "+part] = throttle
	}
}

// booked is a counter's part of the shared table in the database.
type booked struct {
	*store.Tries
	name string
	rule store.TryRule
}

// hashed returns hashes of keys, because the database is readable by others and some keys are typed text.
func hashed(keys []string) []string {
	all := make([]string, len(keys))
	for i, key := range keys {
		sum := sha256.Sum256([]byte(key))
		all[i] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return all
}

func (t *Throttle) keepIn(name string, book *store.Tries) {
	t.book = &booked{book, name, store.TryRule{Every: time.Minute.Milliseconds() / int64(t.perMinute),
		Free: failuresFree, Shift: failuresFree,
		Longest: t.longest.Milliseconds(), Forget: failuresForget.Milliseconds()}}
}

// checkBook is like check with the shared counters, and also counts attempts in progress at this node. The caller must
// not hold t.mu. known is false if the database is unavailable or no counters are shared.
func (t *Throttle) checkBook(keys []string) (wait time.Duration, known bool) {
	if t.book == nil {
		return 0, false
	}
	all, err := t.book.See(t.book.name, hashed(keys))
	if err != nil {
		slog.Error("reading the shared count of attempts failed; using this node's count", "err", err)
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

func (p *PINTries) keepIn(name string, book *store.Tries) {
	p.book = &booked{book, name, store.TryRule{Shift: 1, Longest: pinLock.Milliseconds(), Lock: pinTriesMost,
		Forget: pinLock.Milliseconds()}}
}

// beginBook is like Begin with the shared counters. known is false if the database is unavailable or no counters are
// shared.
func (p *PINTries) beginBook(keys []string) (err error, known bool) {
	if p.book == nil {
		return nil, false
	}
	keys = hashed(keys)
	began, failed := p.book.Begin(p.book.name, keys, p.book.rule)
	if failed != nil {
		slog.Error("storing the shared count of PIN attempts failed; using this node's count", "err", failed)
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
