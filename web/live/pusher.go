package live

import (
	"runtime"
	"sync"
)

// pushers are the few goroutines that draw and write for all streams with their own connections. Prompt streams, those
// of players, go before patient ones, which wait a little anyway and may number in the thousands. Patient streams never
// delay prompt ones.
type pushers struct {
	mu      sync.Mutex
	prompt  queue[stream]
	patient queue[stream]
	working int
	slow    int // pushers working for patient streams
}

var (
	pushersMost = max(2, runtime.NumCPU())
	slowMost    = pushersMost / 2
)

// queue is a first-in, first-out queue of work.
type queue[E any] struct {
	waiting []*E
	next    int
}

func (q *queue[E]) put(e *E) {
	if n := len(q.waiting); n == cap(q.waiting) && q.next > n/2 { // the queue may never run empty
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

// add queues a stream for work.
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

// start adds a pusher if one is needed. The caller must hold p.mu.
func (p *pushers) start(patient bool) {
	if p.working < pushersMost && (!patient || p.slow < slowMost) {
		p.working++
		go (&pusher{of: p}).run()
	}
}

// pusher is one worker of pushers.
type pusher struct {
	of     *pushers
	slow   bool // it works for a patient stream
	beside bool // another pusher has taken its place
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

// take returns the next stream to work on; nil stops the pusher.
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

// stepAside lets another pusher take over while this one waits for a reader.
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
