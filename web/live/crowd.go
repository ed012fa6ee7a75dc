package live

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// crowd is the set of shows and their viewers. One goroutine draws and writes for all of them in short periods, with a
// rest after each. However many viewers there are, they take at most three quarters of a processor. A player waits for
// at most one such period, or only for some of its writes if no other load delays the program's goroutines.
type crowd struct {
	mu      sync.Mutex
	shows   map[string]*show
	queue   queue[show]
	working bool
}

// How long the crowd works before a rest of a third of that time, and the longest rest. A drawing may take longer, and
// on a busy machine the measured time includes waiting for a processor.
const (
	crowdMoment = 2 * time.Millisecond
	crowdRest   = 5 * time.Millisecond
)

// Shared is a feed with the same public contents for all its readers. Key names it. Feed creates it for the first
// reader; all readers share it, and its Next and Aside may be called concurrently. Zip and Ends belong to one reader.
type Shared struct {
	Key  string
	Feed func() Feed
	Zip  bool
	Ends []func()
}

// Shares reports whether a request's stream can be served by ServeShared: it has its own connection, which accepts
// non-blocking writes.
func Shares(r *http.Request) bool { return writesNow && ownConnection(r) }

// ServeShared is like Serve for one of many readers of a shared feed. The caller must respond to an error of the first
// drawing.
func (s *Streams) ServeShared(w http.ResponseWriter, r *http.Request, shared Shared) error {
	v := &viewer{ends: shared.Ends, over: s.ends(time.Now()).UnixMilli()}
	entered := false
	defer func() { // also if drawing panics
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

// enter returns the started show of a shared feed. The show runs until leave, and as long as it has viewers.
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
	defer func() { // also if drawing panics
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

// leave ends the show unless it has viewers or expects some.
func (c *crowd) leave(sh *show) {
	c.mu.Lock()
	sh.coming--
	c.mu.Unlock()
	c.close(sh)
}

// close ends a show without viewers.
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

// forget makes the next reader start a new show.
func (c *crowd) forget(sh *show) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shows[sh.key] == sh {
		delete(c.shows, sh.key)
	}
}

// add queues a show for work.
func (c *crowd) add(sh *show) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue.put(sh)
	if !c.working {
		c.working = true
		go c.run(sh.of.Hub.closed)
	}
}

// take returns the next show to work on; nil stops the worker.
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

// turnSafely calls turn. A panic ends only this show.
func (sh *show) turnSafely(until time.Time) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic", "what", p, "stack", string(debug.Stack()))
			sh.sign(signGone)
		}
	}()
	sh.turn(until)
}
