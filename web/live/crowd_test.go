//go:build unix

package live

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine/testmode"
)

// showing serves a show to all requests, compressed on request.
func showing(t *testing.T, hub *Hub, ended *atomic.Int64, feed func() Feed) (*httptest.Server, *Streams) {
	t.Helper()
	streams := &Streams{Hub: hub, Now: time.Now, Epoch: "E"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Shares(r) {
			t.Error("the stream cannot be written to by who writes for many")
		}
		shared := Shared{Key: "one", Feed: feed, Zip: r.Header.Get("Accept-Encoding") != "",
			Ends: []func(){func() { ended.Add(1) }}}
		if err := streams.ServeShared(w, r, shared); err != nil {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	t.Cleanup(func() { hub.Close(); server.Close() })
	return server, streams
}

// looksOn requests a stream with the given headers and reads its initial lines.
func looksOn(t *testing.T, server *httptest.Server, headers ...string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: hall\r\n"+strings.Join(append(headers, "\r\n"),
		"\r\n")); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body := io.Reader(answer.Body)
	if answer.Header.Get("Content-Encoding") == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			t.Fatal(err)
		}
	}
	from := bufio.NewReader(body)
	saysRetry(t, from)
	return conn, from
}

// TestManyLookAtOneDrawing checks that a show is drawn once for all its viewers, that each gets every kind of message,
// and that nothing is left after the last viewer is gone.
func TestManyLookAtOneDrawing(t *testing.T) {
	const many = 40
	hub := NewHub()
	var state, drawn, begun, ended atomic.Int64
	server, streams := showing(t, hub, &ended, func() Feed {
		begun.Add(1)
		return Feed{Watcher: hub.Watch(GameTopic(1)), Least: time.Millisecond, Ping: time.Hour,
			Hello: Message{Event: "build", Data: []byte("b1")},
			Aside: Aside{hub.Watch(NewsTopic(3)), func() (Message,
				error) {
				return Message{Event: "news", Data: []byte("lunch")}, nil
			}},
			Ends: []func(){func() { begun.Add(-1) }},
			Next: func() (Message, error) {
				drawn.Add(1)
				return Message{ID: fmt.Sprint(state.Load()), Data: fmt.Append(nil, "state ", state.Load())}, nil
			}}
	})
	var conns []net.Conn
	var all []*bufio.Reader
	for n := range many {
		headers := []string{LastEventID + ": E.0"}
		if n%2 == 0 {
			headers = []string{"Accept-Encoding: gzip"}
		}
		conn, from := looksOn(t, server, headers...)
		conns, all = append(conns, conn), append(all, from)
		for _, want := range []string{"event: build data: b1", "event: news data: lunch",
			"id: E.0 data: state 0"}[:2+(n+1)%2] {
			if got := read(t, from); got != want {
				t.Errorf("reader %d got %q, want %q", n, got, want)
			}
		}
	}
	if drawn.Load() > many/10 || begun.Load() != 1 {
		t.Errorf("%d who came within a moment: drawn %d times, for %d feeds", many, drawn.Load(), begun.Load())
	}
	before := drawn.Load()
	for n := range int64(5) {
		state.Store(n + 1)
		hub.Wake(GameTopic(1))
		for _, from := range all {
			if got, want := read(t, from), fmt.Sprintf("id: E.%d data: state %d", n+1, n+1); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
		}
	}
	if got := drawn.Load() - before; got != 5 {
		t.Errorf("five changes were drawn %d times for %d readers", got, many)
	}
	hub.Wake(NewsTopic(3))
	for _, from := range all {
		if got := read(t, from); got != "event: news data: lunch" {
			t.Errorf("got %q", got)
		}
	}
	for _, conn := range conns {
		conn.Close()
	}
	for began := time.Now(); ended.Load() < many || begun.Load() > 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > 4*showLook {
			t.Fatalf("of %d who have gone %d are let go, and %d shows go on", many, ended.Load(), begun.Load())
		}
	}
	streams.crowd.mu.Lock()
	defer streams.crowd.mu.Unlock()
	if len(streams.crowd.shows) != 0 {
		t.Errorf("%d shows are kept that nobody looks at", len(streams.crowd.shows))
	}
}

// TestWhoComesAfterAChangeSeesIt checks that a viewer who arrives after a change never gets the earlier state, even
// before the change is drawn.
func TestWhoComesAfterAChangeSeesIt(t *testing.T) {
	hub := NewHub()
	var state, ended atomic.Int64
	drawing, draws := make(chan struct{}), make(chan struct{})
	wait := atomic.Bool{}
	server, _ := showing(t, hub, &ended, func() Feed {
		return Feed{Watcher: hub.Watch(GameTopic(1)), Least: 20 * time.Millisecond, Ping: time.Hour,
			Next: func() (Message, error) {
				n := state.Load()
				if wait.Load() {
					drawing <- struct{}{}
					<-draws
				}
				return Message{ID: fmt.Sprint(n), Data: fmt.Append(nil, "state ", n)}, nil
			}}
	})
	says := func(from *bufio.Reader, want string) {
		t.Helper()
		if got := read(t, from); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	_, first := looksOn(t, server)
	says(first, "id: E.0 data: state 0")
	state.Store(1)
	hub.Wake(GameTopic(1)) // drawn 20 ms later
	_, second := looksOn(t, server)
	says(second, "id: E.1 data: state 1")
	says(first, "id: E.1 data: state 1")
	wait.Store(true)
	state.Store(2)
	hub.Wake(GameTopic(1))
	<-drawing
	state.Store(3)
	hub.Wake(GameTopic(1)) // while state 2 is being drawn
	_, third := looksOn(t, server)
	_, had := looksOn(t, server, LastEventID+": E.3")
	draws <- struct{}{}
	<-drawing
	wait.Store(false)
	draws <- struct{}{}
	says(third, "id: E.3 data: state 3")
	says(first, "id: E.2 data: state 2")
	says(first, "id: E.3 data: state 3")
	state.Store(4)
	hub.Wake(GameTopic(1))
	says(had, "id: E.4 data: state 4") // a state that the viewer had is not sent again
}

// TestAStalledViewerHoldsUpNobody checks that a viewer who does not read delays no other, misses intermediate drawings,
// and is cut off.
func TestAStalledViewerHoldsUpNobody(t *testing.T) {
	testmode.SkipUnlessLong(t)
	hub, large := NewHub(), bytes.Repeat([]byte("<tile>"), 1<<20)
	var state, ended atomic.Int64
	server, _ := showing(t, hub, &ended, func() Feed {
		return Feed{Watcher: hub.Watch(GameTopic(1)), Least: time.Millisecond, Next: func() (Message, error) {
			n := state.Load()
			return Message{ID: fmt.Sprint(n), Data: fmt.Append(nil, "state ", n, " ", string(large))}, nil
		}}
	})
	_, late := looksOn(t, server)
	for range 5 {
		looksOn(t, server) // these do not read
	}
	_, reads := looksOn(t, server)
	for n := range int64(8) {
		if got := read(t, reads); !strings.HasPrefix(got, fmt.Sprintf("id: E.%d data: state %d ", n, n)) {
			t.Fatalf("got %.40q as state %d", got, n)
		}
		state.Store(n + 1)
		hub.Wake(GameTopic(1))
	}
	for n, last := 0, ""; last != "id: E.8"; n++ { // a late reader misses states, but gets only whole messages
		got := read(t, late)
		if last = strings.Fields(got)[0] + " " +
			strings.Fields(got)[1]; len(got) != len("id: E.8 data: state 8 ")+len(large) || n > 6 {
			t.Fatalf("message %d: %.40q of %d bytes", n, got, len(got))
		}
	}
	for began := time.Now(); ended.Load() < 5; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 2*writeWithin {
			t.Fatalf("of 5 streams that nobody reads, %d have ended", ended.Load())
		}
	}
}

// TestAShowThatFailsEnds checks that a show that cannot be drawn ends for all its viewers, and that the next request
// gets the error.
func TestAShowThatFailsEnds(t *testing.T) {
	hub := NewHub()
	var ended atomic.Int64
	failure := atomic.Pointer[error]{}
	server, _ := showing(t, hub, &ended, func() Feed {
		return Feed{Watcher: hub.Watch(GameTopic(1)), Least: time.Millisecond, Next: func() (Message, error) {
			if err := failure.Load(); err != nil {
				return Message{}, *err
			}
			return Message{ID: "0", Data: []byte("x")}, nil
		}}
	})
	over := fmt.Errorf("%w: it is held back", ErrOver)
	for _, err := range []error{over, errors.New("the disk is gone")} {
		failure.Store(nil)
		_, zipped := looksOn(t, server, "Accept-Encoding: gzip")
		_, plain := looksOn(t, server)
		read(t, zipped)
		read(t, plain)
		failure.Store(&err)
		hub.Wake(GameTopic(1))
		for _, from := range []*bufio.Reader{zipped, plain} {
			want := ""
			if err == over {
				want = "event: over\ndata: {}\n\n"
			}
			if rest, e := io.ReadAll(from); e != nil || string(rest) != want {
				t.Errorf("after %v: got %q, %v", err, rest, e)
			}
		}
		answer, e := http.Get(server.URL)
		if e != nil {
			t.Fatal(e)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusTeapot {
			t.Errorf("the next is answered %s", answer.Status)
		}
	}
}

// TestTheCrowdRests checks that viewers take at most three quarters of the time, however much must be drawn for them.
func TestTheCrowdRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub()
		s := &Streams{Hub: hub, Now: time.Now}
		var mu sync.Mutex
		worked := time.Duration(0)
		began := time.Now()
		for n := range 20 {
			shared := Shared{Key: fmt.Sprint(n), Feed: func() Feed {
				w := hub.Watch(GameTopic(1))
				return Feed{Watcher: w, Least: time.Nanosecond, Ping: time.Hour, Next: func() (Message, error) {
					const takes = 3 * time.Millisecond
					if time.Since(began) > 0 {
						time.Sleep(takes)
						mu.Lock()
						worked += takes
						mu.Unlock()
						w.Wake()
					}
					return Message{Data: []byte("x")}, nil
				}}
			}}
			sh, err := s.crowd.enter(s, shared)
			if err != nil {
				t.Fatal(err)
			}
			sh.to.admit(pairedViewer(t))
		}
		hub.Wake(GameTopic(1))
		time.Sleep(time.Second)
		mu.Lock()
		if worked < 700*time.Millisecond || worked > 755*time.Millisecond {
			t.Errorf("of a second, %v were worked", worked)
		}
		mu.Unlock()
		hub.Close()
	})
}

// pairedViewer returns a viewer whose connection is never read.
func pairedViewer(t *testing.T) *viewer {
	t.Helper()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ends [2]net.Conn
	for i, fd := range pair {
		f := os.NewFile(uintptr(fd), "pair")
		if ends[i], err = net.FileConn(f); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	t.Cleanup(func() { ends[1].Close() })
	raw, err := ends[0].(syscall.Conn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	return &viewer{conn: ends[0], raw: raw, over: time.Now().Add(time.Hour).UnixMilli()}
}
