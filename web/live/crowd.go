package live

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// crowd is everybody who looks at what many look at. One goroutine draws and writes for all of them, a moment at a time, with a rest after
// each: however many they are, they take three quarters of a processor at most, and what a player waits for waits for one such moment, or for
// some writes of it where the program's own goroutines are all that is in the way.
type crowd struct {
	mu      sync.Mutex
	shows   map[string]*show
	queue   queue[show]
	working bool
}

// How long is worked before a rest of a third of that time, and the longest rest: a region may take longer to draw, and on a machine whose
// processors are all taken it seems to be worked while others are.
const (
	crowdMoment = 2 * time.Millisecond
	crowdRest   = 5 * time.Millisecond
)

// Shared is a feed that many read alike: all of them see what everybody may see. Key names it. Feed begins it when its first reader comes,
// and is one for all; its Next and its Aside may be asked by several at once. Zip and Ends are the reader's own.
type Shared struct {
	Key  string
	Feed func() Feed
	Zip  bool
	Ends []func()
}

// Shares tells whether a request's stream can be written by who writes for many: it has a connection of its own, which can be written to
// without waiting.
func Shares(r *http.Request) bool { return writesNow && ownConnection(r) }

// ServeShared is Serve for one of many who read alike. The error of a first drawing is to be answered, as any is.
func (s *Streams) ServeShared(w http.ResponseWriter, r *http.Request, shared Shared) error {
	v := &viewer{ends: shared.Ends, over: s.ends(time.Now()).UnixMilli()}
	entered := false
	defer func() { // also where drawing panics
		if !entered {
			v.let()
		}
	}()
	sh, err := s.crowd.enter(s, shared)
	if err != nil {
		return err
	}
	entered = true
	defer s.crowd.leave(sh)
	return sh.begin(w, r, v, shared.Zip)
}

// enter gives the show that a reader asks for, which has begun. It goes on until leave, and as long as it has readers.
func (c *crowd) enter(s *Streams, shared Shared) (*show, error) {
	for {
		sh := c.of(shared.Key)
		on, err := c.start(sh, s, shared.Feed)
		if on || err != nil {
			return sh, err
		}
		c.forget(sh) // it has just ended
	}
}

func (c *crowd) start(sh *show, s *Streams, feed func() Feed) (on bool, err error) {
	defer func() { // also where drawing panics
		if !on {
			c.leave(sh)
		}
	}()
	return sh.start(s, feed)
}

func (c *crowd) of(key string) *show {
	c.mu.Lock()
	defer c.mu.Unlock()
	sh := c.shows[key]
	if sh == nil {
		if c.shows == nil {
			c.shows = map[string]*show{}
		}
		sh = &show{crowd: c, key: key}
		c.shows[key] = sh
	}
	sh.coming++
	return sh
}

// leave ends the show, unless somebody looks at it or is about to.
func (c *crowd) leave(sh *show) {
	c.mu.Lock()
	sh.coming--
	c.mu.Unlock()
	c.close(sh)
}

// close ends a show that nobody looks at.
func (c *crowd) close(sh *show) {
	c.mu.Lock()
	empty := sh.coming == 0 && sh.to.empty()
	if empty && c.shows[sh.key] == sh {
		delete(c.shows, sh.key)
	}
	begun := sh.begun
	c.mu.Unlock()
	if empty && begun {
		sh.sign(signGone)
	}
}

// forget lets the next reader begin a show anew.
func (c *crowd) forget(sh *show) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shows[sh.key] == sh {
		delete(c.shows, sh.key)
	}
}

// add has a show worked on.
func (c *crowd) add(sh *show) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue.put(sh)
	if !c.working {
		c.working = true
		go c.run(sh.of.Hub.closed)
	}
}

// take gives the next show to work on; nil ends the working.
func (c *crowd) take() *show {
	c.mu.Lock()
	defer c.mu.Unlock()
	sh := c.queue.take()
	c.working = sh != nil
	return sh
}

func (c *crowd) run(closed <-chan struct{}) {
	worked := time.Duration(0)
	for sh := c.take(); sh != nil; sh = c.take() {
		began := time.Now()
		sh.turnSafely(began.Add(crowdMoment - worked))
		if worked += time.Since(began); worked < crowdMoment {
			continue
		}
		select {
		case <-time.After(min(worked/3, crowdRest)):
		case <-closed:
		}
		worked = 0
	}
}

// turnSafely is turn; what goes wrong in writing ends this show and nothing else.
func (sh *show) turnSafely(until time.Time) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "what", p, "stack", string(debug.Stack()))
			sh.sign(signGone)
		}
	}()
	sh.turn(until)
}
