package guard

import (
	"sync"
	"time"
)

// PINTries bounds the tries at PINs by key, a tablet or an account: each failure makes the next wait, twice as long every
// time, and the fifth locks the key for a quarter of an hour. A try counts as failed until it succeeds, so that many at once
// are no way around that.
type PINTries struct {
	now  func() time.Time
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

// NewPINTries makes one that has seen no try yet.
func NewPINTries(now func() time.Time) *PINTries {
	return &PINTries{now: now, keys: map[string]*pinTry{}}
}

// Begin takes a try of every key, or refuses with TooMany, naming the seconds to wait, when one of them has none.
func (p *PINTries) Begin(keys ...string) error {
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
