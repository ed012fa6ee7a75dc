package guard

import (
	"crypto/sha256"
	"encoding/base64"
)

// Tried is what one node tells the others of tries at secrets, so that who tries at all of them has no more tries: failures, or that somebody
// has shown to be who it is. Keys are hashed: some are what was typed.
type Tried struct {
	At    string   `json:"at"`
	Right bool     `json:"right,omitempty"`
	Keys  []string `json:"keys"`
}

// Shared are the counters whose tries all nodes count, by name.
type Shared map[string]interface {
	share(tell func(right bool, keys []string))
	elsewhere(right bool, keys []string)
}

// Share has tell told of every try; it must not block, and is to be set before any.
func (s Shared) Share(tell func(Tried)) {
	for at, counter := range s {
		counter.share(func(right bool, keys []string) { tell(Tried{at, right, keys}) })
	}
}

// Elsewhere counts what another node has told.
func (s Shared) Elsewhere(t Tried) {
	if counter := s[t.At]; counter != nil {
		counter.elsewhere(t.Right, t.Keys)
	}
}

// Shared adds the counters of sign-ins, under a name.
func (s *SignIns) Shared(name string, to Shared) {
	for part, throttle := range map[string]*Throttle{"devices": s.devices, "pairs": s.pairs, "addresses": s.addresses, "accounts": s.accounts} {
		to[name+" "+part] = throttle
	}
}

// hashed is a key that others may read.
func hashed(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (t *Throttle) share(tell func(bool, []string)) { t.tell = tell }

// names are keys as they are counted by: where other nodes are told, hashed.
func (t *Throttle) names(keys []string) []string {
	named := make([]string, len(keys))
	for i, key := range keys {
		named[i] = t.name(key)
	}
	return named
}

func (t *Throttle) name(key string) string {
	if t.tell != nil {
		return hashed(key)
	}
	return shortened(key)
}

func (t *Throttle) elsewhere(right bool, keys []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !right {
		t.failed(keys)
		return
	}
	for _, key := range keys {
		delete(t.keys, key)
	}
}

func (p *PINTries) share(tell func(bool, []string)) { p.tell = tell }

func (p *PINTries) names(keys []string) []string {
	if p.tell == nil {
		return keys
	}
	named := make([]string, len(keys))
	for i, key := range keys {
		named[i] = hashed(key)
	}
	return named
}

func (p *PINTries) elsewhere(right bool, keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !right {
		p.count(keys)
		return
	}
	for _, key := range keys {
		delete(p.keys, key)
	}
}
