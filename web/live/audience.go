package live

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The kinds of message to an audience. Each message replaces the previous one of its kind, so a viewer who missed some
// gets the newest. kindLook is not a message: it checks whether the viewer is still connected.
const (
	kindState = iota
	kindAside
	kindPing
	kindLook
	kinds

	kindRest = kinds // no news: continue unfinished writes
)

func kindOf(m Message) int {
	switch m.Event {
	case "":
		return kindState
	case "ping":
		return kindPing
	}
	return kindAside
}

// audience is the set of viewers of a show. The goroutine that works on the show writes a message to one viewer after
// the other, the same bytes to all. It retries later for a viewer who does not accept them at once.
type audience struct {
	clock func() Message
	stale atomic.Bool // something has changed since the show was last drawn
	looks atomic.Bool // check which viewers are gone
	tries atomic.Bool // retry the viewers who were slow

	mu        sync.Mutex
	over      bool
	messages  [kinds]Message
	numbers   [kinds]uint32 // how many messages of each kind there were
	last      *Message      // the message before the end
	drawing   bool
	drawings  uint64
	drawn     time.Time
	clockMade time.Time
	viewers   []*viewer
	next      int  // index of the viewer to write to next
	left      int  // how many viewers are still to be written to
	slow      bool // a viewer in this round did not accept all bytes
	waiting   int  // viewers who arrived while a newer state was due
}

func (a *audience) hello() error { return nil }

// send stores a message for all viewers. deliver writes it.
func (a *audience) send(m Message) error {
	if m.Wire == nil {
		m.Wire = new(Wire)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if m.Event == overEvent {
		a.last = &m
		return nil
	}
	kind := kindOf(m)
	a.messages[kind] = m
	a.numbers[kind]++
	a.left = len(a.viewers)
	if kind == kindPing {
		a.clockMade = time.Now()
	}
	return nil
}

// draws records that a drawing begins. The drawing shows everything that has happened so far.
func (a *audience) draws() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drawing = true
	a.stale.Store(false)
}

// drew records that the drawing, if any, is complete.
func (a *audience) drew(now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.drawing && a.drawings > 0 {
		return
	}
	a.drawing, a.drawn = false, now
	a.drawings++
	if a.waiting > 0 {
		a.waiting, a.left = 0, len(a.viewers)
	}
}

// round starts another pass over all viewers for something that is not a message.
func (a *audience) round(kind int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if kind < kinds {
		a.numbers[kind]++
	}
	a.left = len(a.viewers)
}

// arrive returns the state for a new viewer. There is none while a newer one is due; the viewer then waits for it. old
// reports whether the last drawing is too old for a new viewer.
func (a *audience) arrive(v *viewer, now time.Time) (m Message, old bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v.has = a.numbers
	stale := a.stale.Load()
	switch {
	case stale && a.drawing:
		v.from = a.drawings + 2
	case stale || a.drawing:
		v.from = a.drawings + 1
	case now.Sub(a.drawn) < showFresh:
		return a.messages[kindState], false
	default:
		return m, true
	}
	v.has[kindState]--
	return m, false
}

// admit adds a viewer who got the initial messages. It returns false if the show is over.
func (a *audience) admit(v *viewer) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over {
		return false
	}
	a.viewers = append(a.viewers, v)
	if v.from > a.drawings {
		a.waiting++
	}
	if a.left > 0 || v.has != a.numbers || v.rest != nil {
		a.left = len(a.viewers)
	}
	return true
}

// deliver writes to the viewers who lack the newest messages, until the given time. more reports whether some viewers
// remain. If none do, slow reports whether a viewer was slow.
func (a *audience) deliver(until time.Time) (more, slow bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for n := 0; a.left > 0 && len(a.viewers) > 0; n++ {
		now := time.Now()
		if n > 0 && now.After(until) {
			return true, false
		}
		if n%yieldEvery == yieldEvery-1 {
			runtime.Gosched() // goroutines woken meanwhile run first
		}
		if a.next >= len(a.viewers) {
			a.next = 0
		}
		v := a.viewers[a.next]
		if a.catchUp(v, now) {
			a.slow = a.slow || v.rest != nil
			a.next++
			a.left--
			continue
		}
		last := len(a.viewers) - 1
		a.viewers[a.next], a.viewers[last] = a.viewers[last], nil
		a.viewers = a.viewers[:last]
		a.left = min(a.left, last)
		v.end(v.over <= now.UnixMilli())
	}
	slow, a.left, a.slow = a.slow, 0, false
	return false, slow
}

// catchUp writes the messages that a viewer missed. It returns false if nothing more may be written.
func (a *audience) catchUp(v *viewer, now time.Time) bool {
	if !v.goesOn(now) {
		return false
	}
	for kind := range a.messages {
		if v.rest != nil {
			return true
		}
		if v.has[kind] == a.numbers[kind] || kind == kindState && v.from > a.drawings {
			continue
		}
		v.has[kind] = a.numbers[kind]
		m := a.messages[kind]
		switch {
		case kind == kindLook:
			if goneNow(v.raw) {
				return false
			}
			continue
		case kind == kindPing && now.Sub(a.clockMade) > clockFresh:
			m = a.clock()
			m.Wire = new(Wire)
			a.messages[kind], a.clockMade = m, now
		case kind == kindState && m.ID != "" && m.ID == v.last:
			continue
		}
		if kind == kindState {
			v.last = ""
		}
		if v.put(m, now) != nil {
			return false
		}
	}
	return true
}

// end ends all streams. If told is set, viewers still connected learn that nothing more follows.
func (a *audience) end(told bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for _, v := range a.viewers {
		a.part(v, told)
	}
	a.viewers, a.left = nil, 0
}

// refuse ends the stream of a viewer who was not admitted. If the show has ended, the viewer's stream ends like all the
// others.
func (a *audience) refuse(v *viewer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.part(v, a.over)
}

func (a *audience) part(v *viewer, told bool) {
	if a.last != nil && v.hears() {
		_ = v.put(*a.last, time.Now())
	}
	v.end(told)
}

func (a *audience) ended() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.over
}

func (a *audience) empty() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.viewers) == 0
}
