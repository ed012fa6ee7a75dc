// Package screens drives the hall's displays that officials set up: screens at a table, which show its game, and
// screens in front of the hall, which show boards. A new screen shows a code until an official assigns it. From then
// on, the token in its cookie identifies it.
package screens

import (
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"

	"meldhall/tournament/secret"
	"meldhall/tournament/spelling"
	"meldhall/tournament/store"
)

// waitingScreens holds the screens that show a code, in memory or shared with the other nodes. A screen that loses its
// code shows a new one.
type waitingScreens struct {
	now     func() time.Time
	nodes   *store.Shelf
	mu      sync.Mutex
	byCode  map[string]*waitingScreen
	byToken map[string]*waitingScreen
}

type waitingScreen struct {
	token, code string
	seen        time.Time
}

func newWaitingScreens(now func() time.Time, nodes *store.Shelf) *waitingScreens {
	return &waitingScreens{now: now, nodes: nodes, byCode: map[string]*waitingScreen{},
		byToken: map[string]*waitingScreen{}}
}

// see returns the code of the screen with a token and records that the screen is online. It returns false if the screen
// has no code.
func (w *waitingScreens) see(token string) (string, bool) {
	if w.nodes != nil {
		var one keptScreen
		if !w.nodes.See(byToken+secret.Hash(token), &one) {
			return "", false
		}
		code := sealed(token, one.Sealed)
		if w.now().Sub(one.Seen) > Look/2 {
			w.keep(token, code)
		}
		return code, true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.byToken[token]
	if s == nil {
		return "", false
	}
	s.seen = w.now()
	return s.code, true
}

// The prefixes of the keys under which nodes store a screen.
const (
	byToken = "screen "
	byCode  = "code "
)

// keptScreen is a screen's record in the storage that nodes share. A screen has two: its code, stored by token, and its
// token, stored by code. Each can be decrypted only with the other.
type keptScreen struct {
	Sealed []byte
	Seen   time.Time
}

// keep shares a screen with all nodes as long as it reports that it is online.
func (w *waitingScreens) keep(token, code string) {
	now := w.now()
	w.nodes.Put(byToken+secret.Hash(token), keptScreen{[]byte(sealed(token, []byte(code))), now}, now.Add(codeLife))
	w.nodes.Put(byCode+secret.Hash(code), keptScreen{[]byte(sealed(code, []byte(token))), now}, now.Add(codeLife))
}

// sealed encrypts a short text with a key that is used for nothing else, or decrypts it.
func sealed(key string, text []byte) string {
	pad := sha256.Sum256([]byte("screen sealed by " + key))
	out := make([]byte, min(len(text), len(pad)))
	subtle.XORBytes(out, text, pad[:])
	return string(out)
}

// add adds a waiting screen. It drops screens that are gone and, if there are still too many, the one not seen for
// longest.
func (w *waitingScreens) add(token, code string) {
	if w.nodes != nil {
		w.keep(token, code)
		w.nodes.Bound(2 * waitingMost)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var oldest *waitingScreen
	for _, s := range w.byCode {
		if w.now().Sub(s.seen) > codeLife {
			w.drop(s)
		} else if oldest == nil || s.seen.Before(oldest.seen) {
			oldest = s
		}
	}
	if len(w.byCode) >= waitingMost {
		w.drop(oldest)
	}
	s := &waitingScreen{token, code, w.now()}
	w.byCode[code], w.byToken[token] = s, s
}

func (w *waitingScreens) drop(s *waitingScreen) {
	delete(w.byCode, s.code)
	delete(w.byToken, s.token)
}

// of returns the token of the screen that shows a code, or false if there is none.
func (w *waitingScreens) of(code string) (string, bool) {
	if w.nodes != nil {
		var one keptScreen
		code = spelling.Code(code)
		if !w.nodes.See(byCode+secret.Hash(code), &one) {
			return "", false
		}
		return sealed(code, one.Sealed), true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.byCode[spelling.Code(code)]
	if s == nil || w.now().Sub(s.seen) > codeLife {
		return "", false
	}
	return s.token, true
}

// use removes the screen with a token, and its code, once an official has assigned it.
func (w *waitingScreens) use(token string) {
	if w.nodes != nil {
		var one keptScreen
		if w.nodes.Take(byToken+secret.Hash(token), &one) {
			w.nodes.Take(byCode+secret.Hash(sealed(token, one.Sealed)), &one)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.byToken[token]; s != nil {
		w.drop(s)
	}
}
