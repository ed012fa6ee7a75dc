package live

import (
	"runtime"
	"sync"
)

// pushers are the few goroutines that draw and write for all streams with connections of their own. Streams that are told at once, those of
// players, go before those that let some time pass anyway, of which there may be thousands, and are never held up by those.
type pushers struct {
	mu      sync.Mutex
	prompt  queue[stream]
	patient queue[stream]
	working int
	slow    int // of them for patient streams
}

var (
	pushersMost = max(2, runtime.NumCPU())
	slowMost    = pushersMost / 2
)

// queue is what is to be worked on, in the order in which it came.
type queue[E any] struct {
	waiting []*E
	next    int
}

func (q *queue[E]) put(e *E) {
	if n := len(q.waiting); n == cap(q.waiting) && q.next > n/2 { // it may never be empty
		left := copy(q.waiting, q.waiting[q.next:])
		clear(q.waiting[left:])
		q.waiting, q.next = q.waiting[:left], 0
	}
	q.waiting = append(q.waiting, e)
}

func (q *queue[E]) take() *E {
	if q.next == len(q.waiting) {
		return nil
	}
	e := q.waiting[q.next]
	q.waiting[q.next] = nil
	if q.next++; q.next == len(q.waiting) {
		q.waiting, q.next = q.waiting[:0], 0
	}
	return e
}

// add has a stream worked on.
func (p *pushers) add(t *stream) {
	patient := t.feed.Least > 0
	p.mu.Lock()
	defer p.mu.Unlock()
	if patient {
		p.patient.put(t)
	} else {
		p.prompt.put(t)
	}
	p.start(patient)
}

// start begins one more pusher, if one is needed; p.mu is held.
func (p *pushers) start(patient bool) {
	if p.working < pushersMost && (!patient || p.slow < slowMost) {
		p.working++
		go (&pusher{of: p}).run()
	}
}

// pusher is one of them.
type pusher struct {
	of     *pushers
	slow   bool // it works for a patient stream
	beside bool // another one has taken its place
}

func (w *pusher) run() {
	for t := w.take(); t != nil; t = w.take() {
		t.out.(*sender).way.(*pushed).by = w
		t.work()
		if w.beside {
			return
		}
	}
}

// take gives the next stream to work on; nil ends the pusher.
func (w *pusher) take() *stream {
	p := w.of
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.slow {
		w.slow = false
		p.slow--
	}
	t := p.prompt.take()
	if t == nil && p.slow < slowMost {
		if t = p.patient.take(); t != nil {
			w.slow = true
			p.slow++
		}
	}
	if t == nil {
		p.working--
	}
	return t
}

// stepAside lets another one take the pusher's place while it waits for a reader.
func (w *pusher) stepAside() {
	if w.beside {
		return
	}
	w.beside = true
	p := w.of
	p.mu.Lock()
	defer p.mu.Unlock()
	p.working--
	if w.slow {
		p.slow--
	}
	p.start(false)
}
