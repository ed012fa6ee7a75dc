package guard

import (
	"crypto/sha256"
	"encoding/base64"
	"time"
)

// Book is where several programs that serve the same people count failed tries together, by what is tried and a key. Keys are hashed: some
// are what was typed. Where it cannot be asked, each program counts on by itself.
type Book interface {
	See(counter string, keys []string) ([]Tally, error)         // of the keys of which something is counted
	Fail(counter string, keys []string, by Rule) error          // counts a failure of every key
	Begin(counter string, keys []string, by Rule) (bool, error) // is Fail, unless one of the keys has to wait: false
	Forget(counter string, keys []string) error                 // clears keys
}

// Tally is what is counted of a key, in ms.
type Tally struct {
	Failed int   // in a row
	Last   int64 // of them
	Until  int64 // no try before
	Spent  int64 // until when the tries of a minute are used up, each of which takes Every
}

// Rule is how a failure is counted.
type Rule struct {
	Every   int64 // ms after which a spent try is there again
	Free    int   // failures in a row after which one waits
	Shift   int   // by which the doubled seconds of the wait are fewer than the failures
	Longest int64 // ms of the waits
	Lock    int   // failures in a row from which on one waits for Forget; 0: none
	Forget  int64 // ms after which failures are forgotten
}

// Shared are the counters whose tries all programs count, by name.
type Shared map[string]interface{ keepIn(name string, book Book) }

// Keep has all of them counted in a book from now on; it is called before any try.
func (s Shared) Keep(book Book) {
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

// booked is a counter's page in a book.
type booked struct {
	name string
	book Book
	rule Rule
}

// hashed are keys as others may read them.
func hashed(keys []string) []string {
	all := make([]string, len(keys))
	for i, key := range keys {
		sum := sha256.Sum256([]byte(key))
		all[i] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return all
}

func (t *Throttle) keepIn(name string, book Book) {
	t.book = &booked{name, book, Rule{Every: time.Minute.Milliseconds() / int64(t.perMinute), Free: failuresFree, Shift: failuresFree,
		Longest: t.longest.Milliseconds(), Forget: failuresForget.Milliseconds()}}
}

// checkBook is check by the book, for tries of which some are under way here; t.mu is not held. known is false where the book cannot be asked.
func (t *Throttle) checkBook(keys []string) (wait time.Duration, known bool) {
	if t.book == nil {
		return 0, false
	}
	all, err := t.book.book.See(t.book.name, hashed(keys))
	if err != nil {
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

func (p *PINTries) keepIn(name string, book Book) {
	p.book = &booked{name, book, Rule{Shift: 1, Longest: pinLock.Milliseconds(), Lock: pinTriesMost, Forget: pinLock.Milliseconds()}}
}

// beginBook is begin by the book; known is false where it cannot be asked.
func (p *PINTries) beginBook(keys []string) (err error, known bool) {
	if p.book == nil {
		return nil, false
	}
	keys = hashed(keys)
	began, failed := p.book.book.Begin(p.book.name, keys, p.book.rule)
	if failed != nil || began {
		return nil, failed == nil
	}
	wait, now := time.Second, p.now().UnixMilli()
	all, _ := p.book.book.See(p.book.name, keys)
	for _, of := range all {
		wait = max(wait, time.Duration(of.Until-now)*time.Millisecond)
	}
	return tooMany(wait), true
}
