package live

import (
	"net/http"
	"sync"
	"time"
)

const (
	showLook   = 2 * time.Second       // how often to check which viewers are gone
	showRetry  = 50 * time.Millisecond // how long to wait before retrying slow viewers
	showFresh  = time.Second           // how old a drawing for a new viewer may be
	clockFresh = 20 * time.Millisecond // how old the time in a ping may be
	yieldEvery = 16                    // number of viewers written to before yielding
)

// show is a stream that is drawn once for many viewers, with its audience.
type show struct {
	stream
	crowd  *crowd
	key    string
	coming int // viewers about to enter; guarded by crowd.mu
	to     audience

	starting sync.Mutex
	begun    bool
	draw     func() (Message, error)
	hello    Message
	look     *time.Timer
	retry    *time.Timer // nil until a viewer was slow
}

// start draws the show for its first viewer. It returns false if the show is over.
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
	sh.stream = stream{of: s, feed: f, out: &sh.to, last: m.ID, sent: now, every: s.pings(f),
		over: now.Add(lifeOfShows)}
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
	sh.feed.Watcher.tell(func() { // replaces the function that listen set
		sh.to.stale.Store(true)
		sh.sign(signNews)
	})
	sh.sign(signMore) // sets the alarm
	return true, nil
}

// lifeOfShows is effectively unlimited: the viewers' own streams end earlier.
const lifeOfShows = 100 * 365 * 24 * time.Hour

// begin writes the initial messages to a new viewer and adds it to the audience.
func (sh *show) begin(w http.ResponseWriter, r *http.Request, v *viewer, zip bool) error {
	in := false
	defer func() { // also if drawing panics
		if !in {
			sh.to.refuse(v)
		}
	}()
	if err := v.open(w, r, zip); err != nil {
		return err
	}
	if sh.greet(v, sh.of.newestOf(r)) == nil { // on an error the reader reconnects and gets it as a response
		in = sh.to.admit(v)
		sh.sign(signMore) // for what it missed since it arrived
	}
	return nil
}

// greet writes the initial messages, and the newest state if there is one that the reader lacks.
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
	if old { // nothing has changed since, except times in the message
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
	v.zip, v.first = v.first.zip, nil // from now on no write blocks
	if v.last = last; m.Data == nil || m.ID != "" && m.ID == last {
		return nil
	}
	if m.Wire == nil {
		m.Wire = new(Wire)
	}
	return v.put(m, now)
}

// turn does the work that is due, until the given time.
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
