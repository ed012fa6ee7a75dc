package live

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// What an audience is told of, each in place of what was before it: whoever has missed something of a kind gets the newest. The last one
// is no message: it is looked whether the reader is still there.
const (
	kindState = iota
	kindAside
	kindPing
	kindLook
	kinds

	kindRest = kinds // nothing new: what was not taken is written on
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

// audience is all who look at a show. A message to it is written to one after the other, by whoever works on the show, the same bytes to
// all; to one who does not take them at once, later on.
type audience struct {
	clock func() Message
	stale atomic.Bool // something has moved since the show was last drawn
	looks atomic.Bool // it is time to look who is gone
	tries atomic.Bool // it is time to write on to those who were slow

	mu        sync.Mutex
	over      bool
	messages  [kinds]Message
	numbers   [kinds]uint32 // how many of them there were
	last      *Message      // before the end
	drawing   bool
	drawings  uint64
	drawn     time.Time
	clockMade time.Time
	viewers   []*viewer
	next      int  // of the viewers, the one that is written to next
	left      int  // how many are still to be written to
	slow      bool // one of those who were written to did not take all
	waiting   int  // who have come while there was something newer to be drawn
}

func (a *audience) hello() error { return nil }

// send takes a message for everybody. It is written by deliver.
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

// draws notes that a drawing begins, which shows everything that has happened by now.
func (a *audience) draws() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drawing = true
	a.stale.Store(false)
}

// drew notes that it is done, if there is one.
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

// round begins to go round all, for what is no message.
func (a *audience) round(kind int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if kind < kinds {
		a.numbers[kind]++
	}
	a.left = len(a.viewers)
}

// arrive gives the state for one who has come. There is none while a newer one is due: one who has come then waits for it. Old says that
// it was drawn too long ago.
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

// admit lets one in who has been sent what comes first. It is false when the show is over.
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

// deliver writes to those who do not have the newest yet, until a moment. It tells whether there are more, and once there are none, whether
// one of them was slow.
func (a *audience) deliver(until time.Time) (more, slow bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for n := 0; a.left > 0 && len(a.viewers) > 0; n++ {
		now := time.Now()
		if n > 0 && now.After(until) {
			return true, false
		}
		if n%yieldEvery == yieldEvery-1 {
			runtime.Gosched() // whoever has been woken meanwhile goes first
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

// catchUp writes to a viewer what it has missed. It is false when nothing more is to be written.
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

// end ends the streams of all; those who are still there are told that nothing more comes.
func (a *audience) end(told bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	for _, v := range a.viewers {
		a.part(v, told)
	}
	a.viewers, a.left = nil, 0
}

// refuse ends the stream of one who was not let in: as those of all others, if it was the show's end that came before.
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
