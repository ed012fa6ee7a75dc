package live

import (
	"net/http"
	"sync"
	"time"
)

const (
	showLook   = 2 * time.Second       // how often is looked which of the readers are gone
	showRetry  = 50 * time.Millisecond // after what time is written on to those who did not take all at once
	showFresh  = time.Second           // how old a drawing may be that one who comes is given
	clockFresh = 20 * time.Millisecond // how old the time may be that a ping says
	yieldEvery = 16                    // after how many who are written to others go first
)

// show is what many look at: a stream that is drawn once, and its audience.
type show struct {
	stream
	crowd  *crowd
	key    string
	coming int // who is on the way in; by crowd.mu
	to     audience

	starting sync.Mutex
	begun    bool
	draw     func() (Message, error)
	hello    Message
	look     *time.Timer
	retry    *time.Timer // nil: nobody was slow so far
}

// start draws the show for its first reader. It is false when the show is over.
func (sh *show) start(s *Streams, feed func() Feed) (on bool, err error) {
	sh.starting.Lock()
	defer sh.starting.Unlock()
	if sh.begun {
		return !sh.to.ended(), nil
	}
	f := feed()
	m, err := f.Next()
	if err != nil {
		f.End()
		return false, err
	}
	now := time.Now()
	sh.draw, sh.hello, f.Hello = f.Next, f.Hello, Message{}
	f.Next = func() (Message, error) {
		sh.to.draws()
		return sh.draw()
	}
	m = s.inEpoch(m)
	sh.stream = stream{of: s, feed: f, out: &sh.to, last: m.ID, sent: now, every: s.pings(f), over: now.Add(lifeOfShows)}
	sh.ping = now.Add(sh.every)
	sh.ready = func() { sh.crowd.add(sh) }
	sh.to.clock = s.Clock
	_ = sh.to.send(m)
	sh.to.drew(now)
	sh.look = time.AfterFunc(showLook, func() {
		sh.to.looks.Store(true)
		sh.sign(signMore)
	})
	sh.begun = true
	sh.listen()
	sh.feed.Watcher.tell(func() { // in place of what a stream is told
		sh.to.stale.Store(true)
		sh.sign(signNews)
	})
	sh.sign(signMore) // sets the alarm
	return true, nil
}

// lifeOfShows is longer than any: the streams of those who look end by themselves.
const lifeOfShows = 100 * 365 * 24 * time.Hour

// begin writes to one who has come what comes first, and lets it into the audience.
func (sh *show) begin(w http.ResponseWriter, r *http.Request, v *viewer, zip bool) error {
	in := false
	defer func() { // also where drawing panics
		if !in {
			sh.to.refuse(v)
		}
	}()
	if err := v.open(w, r, zip); err != nil {
		return err
	}
	if sh.greet(v, sh.of.newestOf(r)) == nil { // else nobody is there, or it cannot be drawn: the reader comes back and gets it as an answer
		in = sh.to.admit(v)
		sh.sign(signMore) // for what it has missed since it came
	}
	return nil
}

// greet says what comes before everything else, and the newest state where there is one that the reader does not have.
func (sh *show) greet(v *viewer, last string) error {
	if err := v.first.hello(); err != nil {
		return err
	}
	if sh.hello.Data != nil {
		if err := v.first.send(sh.hello); err != nil {
			return err
		}
	}
	now := time.Now()
	m, old := sh.to.arrive(v, now)
	if old { // nothing has moved it since: what else changes is a time that it says
		var err error
		if m, err = sh.draw(); err != nil {
			return err
		}
		m = sh.of.inEpoch(m)
	}
	if sh.feed.Aside.Watcher != nil {
		if err := sh.feed.Aside.send(v.first); err != nil {
			return err
		}
	}
	v.settle()
	if v.last = last; m.Data == nil || m.ID != "" && m.ID == last {
		return nil
	}
	if m.Wire == nil {
		m.Wire = new(Wire)
	}
	return v.put(m, now)
}

// turn does what is to be done by now, as far as there is time for it.
func (sh *show) turn(until time.Time) {
	if !sh.work() {
		sh.look.Stop()
		sh.crowd.forget(sh)
		return
	}
	now := time.Now()
	sh.to.drew(now)
	if sh.to.looks.CompareAndSwap(true, false) {
		sh.to.round(kindLook)
		sh.look.Reset(showLook)
	}
	if sh.to.tries.CompareAndSwap(true, false) {
		sh.to.round(kindRest)
	}
	switch more, slow := sh.to.deliver(until); {
	case more:
		sh.sign(signMore)
	case slow && sh.retry == nil:
		sh.retry = time.AfterFunc(showRetry, func() {
			sh.to.tries.Store(true)
			sh.sign(signMore)
		})
	case slow:
		sh.retry.Reset(showRetry)
	}
	if sh.to.empty() {
		sh.crowd.close(sh)
	}
}
