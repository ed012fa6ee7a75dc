// Package wall is the screens of a hall that staff put somewhere: at a table, whose display they show, or before everybody, with
// boards. A fresh screen shows a code until it is told; from then on it is known by the token in its cookie.
package wall

import (
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"

	"meldhall/tournament/secret"
	"meldhall/tournament/storage"
)

// waitingScreens are the screens that show a code, in memory alone, or with the other nodes: a screen that loses its code shows a new one.
type waitingScreens struct {
	now     func() time.Time
	nodes   *storage.Shelf
	mu      sync.Mutex
	byCode  map[string]*waitingScreen
	byToken map[string]*waitingScreen
}

type waitingScreen struct {
	token, code string
	seen        time.Time
}

func newWaitingScreens(now func() time.Time, nodes *storage.Shelf) *waitingScreens {
	return &waitingScreens{now: now, nodes: nodes, byCode: map[string]*waitingScreen{}, byToken: map[string]*waitingScreen{}}
}

// see gives the code that the screen with a token shows, false when it has none.
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

// What begins the keys of what nodes keep of a screen.
const (
	byToken = "screen "
	byCode  = "code "
)

// keptScreen is what nodes keep of a screen: by its token the code, by its code the token, each of which only who has the other one can read.
type keptScreen struct {
	Sealed []byte
	Seen   time.Time
}

// keep has all nodes know a screen for as long as it says that it is there.
func (w *waitingScreens) keep(token, code string) {
	now := w.now()
	w.nodes.Put(byToken+secret.Hash(token), keptScreen{[]byte(sealed(token, []byte(code))), now}, now.Add(codeLife))
	w.nodes.Put(byCode+secret.Hash(code), keptScreen{[]byte(sealed(code, []byte(token))), now}, now.Add(codeLife))
}

// sealed seals a short text by a key that is used for nothing else, or gives the sealed text back.
func sealed(key string, text []byte) string {
	pad := sha256.Sum256([]byte("screen sealed by " + key))
	out := make([]byte, min(len(text), len(pad)))
	subtle.XORBytes(out, text, pad[:])
	return string(out)
}

// add lets a screen wait. When there are too many, those that are gone make room, then the one seen least lately.
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

// of gives the token of the screen that shows a code.
func (w *waitingScreens) of(code string) (string, bool) {
	if w.nodes != nil {
		var one keptScreen
		code = secret.PlainCode(code)
		if !w.nodes.See(byCode+secret.Hash(code), &one) {
			return "", false
		}
		return sealed(code, one.Sealed), true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.byCode[secret.PlainCode(code)]
	if s == nil || w.now().Sub(s.seen) > codeLife {
		return "", false
	}
	return s.token, true
}

// use ends a code.
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
