package guard

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Throttle limits failed attempts by key, such as an address. It allows a number per minute. After the first three
// failures in a row, each further one doubles the wait before the next attempt. Refused attempts are not recorded. The
// number of keys is limited: when there are too many, keys with the least to remember are dropped, so that a flood of
// others does not displace an active counter.
type Throttle struct {
	perMinute int
	longest   time.Duration // longest wait
	most      int           // largest number of keys
	now       func() time.Time

	book *booked // counters shared with other nodes, or nil

	mu   sync.Mutex
	keys map[string]*tries
}

type tries struct {
	limiter *rate.Limiter
	failed  int
	pending int       // attempts in progress
	last    time.Time // time of the last failure
	until   time.Time
}

const (
	failuresFree   = 3
	failuresForget = 15 * time.Minute
	keysCompared   = 32 // how many keys are compared to drop one
)

// NewThrottle returns a throttle that allows perMinute attempts a minute for each key. The wait after a failure is at
// most longest.
func NewThrottle(perMinute int, longest time.Duration, now func() time.Time) *Throttle {
	return &Throttle{perMinute: perMinute, longest: longest, most: 10_000, now: now, keys: map[string]*tries{}}
}

// Check refuses with TooMany and the seconds to wait if any of the keys has no attempt left.
func (t *Throttle) Check(keys ...string) error {
	if wait, known := t.checkBook(keys); wait > 0 {
		return tooMany(wait)
	} else if known {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.check(keys)
}

func (t *Throttle) check(keys []string) error {
	now := t.now()
	var wait time.Duration
	for _, key := range keys {
		e := t.keys[shortened(key)]
		if e == nil {
			continue
		}
		wait = max(wait, e.until.Sub(now))
		if e.limiter.TokensAt(now)-float64(e.pending) < 1 {
			wait = max(wait, time.Minute/time.Duration(t.perMinute))
		}
	}
	if wait == 0 {
		return nil
	}
	return tooMany(wait)
}

// Begin is like Check for an attempt that takes time. Until done is called, the attempt counts as a possible failure,
// so that simultaneous attempts cannot exceed the limit.
func (t *Throttle) Begin(keys ...string) (done func(), err error) {
	wait, known := t.checkBook(keys)
	if wait > 0 {
		return nil, tooMany(wait)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !known {
		if err := t.check(keys); err != nil {
			return nil, err
		}
	}
	started := make([]*tries, len(keys))
	for i, key := range keys {
		started[i] = t.of(key)
		started[i].pending++
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, e := range started {
			e.pending--
		}
	}, nil
}

// Spend takes one of a key's attempts, whatever its outcome. It refuses with TooMany and the seconds to wait if none is
// left.
func (t *Throttle) Spend(key string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of(key).limiter.AllowN(t.now(), 1) {
		return nil
	}
	return tooMany(time.Minute / time.Duration(t.perMinute))
}

// TooMany is the refusal of an attempt. Seconds is how long to wait before the next one.
type TooMany struct{ Seconds int }

func (e *TooMany) Error() string { return fmt.Sprintf("too many attempts: wait %d s", e.Seconds) }

func tooMany(wait time.Duration) error {
	return &TooMany{int((wait + time.Second - 1) / time.Second)}
}

// Failed counts a failed attempt against the keys.
func (t *Throttle) Failed(keys ...string) {
	if t.book != nil { // also counted locally, in case the database is unavailable
		if err := t.book.Fail(t.book.name, hashed(keys), t.book.rule); err != nil {
			slog.Error("storing the shared count of failed attempts failed; using this node's count", "err", err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	for _, key := range keys {
		e := t.of(key)
		e.limiter.AllowN(now, 1)
		if now.Sub(e.last) > failuresForget {
			e.failed = 0
		}
		e.failed++
		e.last = now
		if over := e.failed - failuresFree; over > 0 {
			e.until = now.Add(min(t.longest, time.Second<<min(over, 20)))
		}
	}
}

// forget clears a key after a success that proves the caller's identity.
func (t *Throttle) forget(key string) {
	if t.book != nil {
		if all, err := t.book.See(t.book.name, hashed([]string{key})); err == nil && len(all) > 0 {
			err = t.book.Forget(t.book.name, hashed([]string{key}))
			if err != nil {
				slog.Error("clearing the count of failed attempts failed", "err", err)
			}
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.keys, shortened(key))
}

// shortened limits the length of a key, because strangers can choose some of them.
func shortened(key string) string {
	if len(key) <= 64 {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return string(sum[:])
}

func (t *Throttle) of(key string) *tries {
	key = shortened(key)
	if e := t.keys[key]; e != nil {
		return e
	}
	if len(t.keys) >= t.most {
		t.dropOne()
	}
	e := &tries{limiter: rate.NewLimiter(rate.Limit(float64(t.perMinute)/60), t.perMinute)}
	t.keys[key] = e
	return e
}

// dropOne drops a key to make room: of some random keys, the one with the least to remember, and of several such keys
// the oldest.
func (t *Throttle) dropOne() {
	now, compared := t.now(), 0
	var least string
	var worth float64
	for key, e := range t.keys {
		w := t.worth(e, now)
		if compared == 0 || w < worth || w == worth && e.last.Before(t.keys[least].last) {
			least, worth = key, w
		}
		if compared++; compared == keysCompared {
			break
		}
	}
	delete(t.keys, least)
}

// worth returns how much a key has to remember: recent failures, attempts in progress and spent attempts.
func (t *Throttle) worth(e *tries, now time.Time) float64 {
	w := float64(e.pending+t.perMinute) - e.limiter.TokensAt(now)
	if now.Sub(e.last) <= failuresForget {
		w += float64(e.failed)
	}
	return w
}

// PINTries limits attempts at PINs by key, a tablet or an account. Each failure doubles the wait before the next
// attempt, and the fifth locks the key for a quarter of an hour. An attempt counts as failed until it succeeds, so that
// simultaneous attempts cannot exceed the limit.
type PINTries struct {
	now  func() time.Time
	book *booked // counters shared with other nodes, or nil

	mu   sync.Mutex
	keys map[string]*pinTry
}

type pinTry struct {
	failed int
	last   time.Time
	until  time.Time
}

const (
	pinTriesMost = 5
	pinLock      = 15 * time.Minute
	pinKeysMost  = 10_000
)

// NewPINTries returns a PINTries without any attempts.
func NewPINTries(now func() time.Time) *PINTries {
	return &PINTries{now: now, keys: map[string]*pinTry{}}
}

// Begin takes an attempt from every key. It refuses with TooMany and the seconds to wait if one of them has none left.
func (p *PINTries) Begin(keys ...string) error {
	if err, known := p.beginBook(keys); known {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	var wait time.Duration
	for _, key := range keys {
		if try := p.keys[key]; try != nil {
			wait = max(wait, try.until.Sub(now))
		}
	}
	if wait > 0 {
		return tooMany(wait)
	}
	if len(p.keys) >= pinKeysMost {
		p.forgetOld(now)
	}
	for _, key := range keys {
		try := p.keys[key]
		if try == nil || now.Sub(try.last) >= pinLock {
			try = &pinTry{}
			p.keys[key] = try
		}
		try.failed++
		try.last, try.until = now, now.Add(time.Second<<(try.failed-1))
		if try.failed >= pinTriesMost {
			try.until = now.Add(pinLock)
		}
	}
	return nil
}

// Succeeded clears the keys.
func (p *PINTries) Succeeded(keys ...string) {
	if p.book != nil {
		if err := p.book.Forget(p.book.name, hashed(keys)); err != nil {
			slog.Error("clearing the count of PIN attempts failed", "err", err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range keys {
		delete(p.keys, key)
	}
}

func (p *PINTries) forgetOld(now time.Time) {
	for key, try := range p.keys {
		if now.Sub(try.last) >= pinLock {
			delete(p.keys, key)
		}
	}
}
