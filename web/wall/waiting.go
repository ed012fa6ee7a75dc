// Package wall is the screens of a hall that staff put somewhere: at a table, whose display they show, or before everybody, with
// boards. A fresh screen shows a code until it is told; from then on it is known by the token in its cookie.
package wall

import (
	"sync"
	"time"

	"meldhall/tournament/secret"
)

// waitingScreens are the screens that show a code, in memory alone: a screen that loses its code shows a new one.
type waitingScreens struct {
	now     func() time.Time
	mu      sync.Mutex
	byCode  map[string]*waitingScreen
	byToken map[string]*waitingScreen
}

type waitingScreen struct {
	token, code string
	seen        time.Time
}

func newWaitingScreens(now func() time.Time) *waitingScreens {
	return &waitingScreens{now: now, byCode: map[string]*waitingScreen{}, byToken: map[string]*waitingScreen{}}
}

// see gives the code that the screen with a token shows, false when it has none.
func (w *waitingScreens) see(token string) (string, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.byToken[token]
	if s == nil {
		return "", false
	}
	s.seen = w.now()
	return s.code, true
}

// add lets a screen wait. When there are too many, those that are gone make room, then the one seen least lately.
func (w *waitingScreens) add(token, code string) {
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
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.byToken[token]; s != nil {
		w.drop(s)
	}
}
