// Package wall is the screens of a hall that staff put somewhere: at a table, whose display they show, or before everybody, with
// boards. A fresh screen shows a code until it is told; from then on it is known by the token in its cookie.
package wall

import (
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
		code := ""
		ok := w.nodes.See(byToken+token, &code)
		if ok {
			w.keep(token, code)
		}
		return code, ok
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

// keep has all nodes know a screen for as long as it says that it is there.
func (w *waitingScreens) keep(token, code string) {
	until := w.now().Add(codeLife)
	w.nodes.Put(byToken+token, code, until)
	w.nodes.Put(byCode+code, token, until)
}

// add lets a screen wait. When there are too many, those that are gone make room, then the one seen least lately.
func (w *waitingScreens) add(token, code string) {
	if w.nodes != nil {
		w.keep(token, code)
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
		token := ""
		ok := w.nodes.See(byCode+secret.PlainCode(code), &token)
		return token, ok
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
		code := ""
		if w.nodes.Take(byToken+token, &code) {
			w.nodes.Take(byCode+code, &token)
		}
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.byToken[token]; s != nil {
		w.drop(s)
	}
}
