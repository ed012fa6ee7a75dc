package live

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"meldhall/engine/testmode"
)

// pushing serves a feed over hijacked connections, where possible.
func pushing(t *testing.T, hub *Hub, feed func(*http.Request) Feed) (*httptest.Server, *Streams) {
	t.Helper()
	streams := &Streams{Hub: hub, Now: time.Now}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := feed(r)
		f.Outlives = true
		m, err := f.Next()
		if err == nil {
			err = streams.Serve(w, r, m, f)
		}
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(func() { hub.Close(); server.Close() })
	return server, streams
}

// opened requests a stream over a plain connection.
func opened(t *testing.T, server *httptest.Server) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: hall\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(answer.Body)
}

// TestAStalledReaderHoldsUpNobody checks that a reader that does not read delays no other, is cut off, and has its
// stream's resources released. It also checks the release for a reader that disconnects.
func TestAStalledReaderHoldsUpNobody(t *testing.T) {
	testmode.SkipUnlessLong(t)
	hub, large := NewHub(), bytes.Repeat([]byte("<tile>"), 4<<20/6)
	var state, ended atomic.Int64
	server, streams := pushing(t, hub, func(*http.Request) Feed {
		return Feed{Watcher: hub.Watch(GameTopic(1)), Ends: []func(){func() { ended.Add(1) }},
			Next: func() (Message, error) {
				n := state.Load()
				return Message{ID: fmt.Sprint(n), Data: fmt.Append(nil, "state ", n, " ",
					string(large[:n*int64(len(large))/9]))}, nil
			}}
	})
	server.Start()
	gone, _ := opened(t, server)
	for range 2 * pushersMost {
		opened(t, server) // these do not read
	}
	_, reads := opened(t, server)
	saysRetry(t, reads)
	for n := range int64(8) {
		if got := read(t, reads); !strings.HasPrefix(got, fmt.Sprintf("id: %d data: state %d ", n, n)) {
			t.Fatalf("got %.40q as state %d", got, n)
		}
		if n == 3 {
			gone.Close()
		}
		state.Store(n + 1)
		hub.Wake(GameTopic(1))
	}
	for began := time.Now(); ended.Load() < int64(2*pushersMost+1); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 4*writeWithin {
			t.Fatalf("of %d streams nobody reads, %d have ended", 2*pushersMost+1, ended.Load())
		}
	}
	streams.pushers.mu.Lock()
	defer streams.pushers.mu.Unlock()
	if p := &streams.pushers; p.working < 0 || p.working > pushersMost || p.slow != 0 {
		t.Errorf("%d pushers at work, %d of them for the patient", p.working, p.slow)
	}
}

// TestPushedStreamsEnd checks that streams end properly, also compressed ones and those over HTTP/2, where streams
// share a connection.
func TestPushedStreamsEnd(t *testing.T) {
	for name, begin := range map[string]func(*httptest.Server){
		"its own connection": (*httptest.Server).Start,
		"an encrypted one":   (*httptest.Server).StartTLS,
		"a shared one":       func(s *httptest.Server) { s.EnableHTTP2 = true; s.StartTLS() },
	} {
		t.Run(name, func(t *testing.T) {
			hub := NewHub()
			var version atomic.Int64
			server, _ := pushing(t, hub, func(r *http.Request) Feed {
				version.Store(int64(r.ProtoMajor))
				return Feed{Watcher: hub.Watch(GameTopic(1)), Zip: true,
					Next: func() (Message, error) { return Message{Data: []byte("x")}, nil }}
			})
			begin(server)
			answer, err := server.Client().Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if own := answer.Close; own != (answer.TLS == (*tls.ConnectionState)(nil)) {
				t.Errorf("HTTP/%d, encrypted %t: its own connection %t", version.Load(), answer.TLS != nil, own)
			}
			hub.Wake(GameTopic(1))
			hub.Close()
			got, err := io.ReadAll(answer.Body)
			if text := string(got); err != nil || !strings.HasPrefix(text, "retry: ") ||
				!strings.HasSuffix(text, "\n\ndata: x\n\n") {
				t.Errorf("got %q, %v", text, err)
			}
		})
	}
}

// TestASilentStreamGoesOn checks that a stream over HTTP/2 survives a silence longer than the write timeout.
func TestASilentStreamGoesOn(t *testing.T) {
	testmode.SkipUnlessLong(t)
	t.Parallel()
	hub := NewHub()
	server, _ := pushing(t, hub, func(*http.Request) Feed {
		return Feed{Watcher: hub.Watch(GameTopic(1)), Next: func() (Message, error) {
			return Message{Data: []byte("x")},
				nil
		}}
	})
	server.EnableHTTP2 = true
	server.StartTLS()
	answer, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	reads := bufio.NewReader(answer.Body)
	saysRetry(t, reads)
	if got := read(t, reads); got != "data: x" || answer.ProtoMajor != 2 {
		t.Fatalf("over HTTP/%d got %q", answer.ProtoMajor, got)
	}
	time.Sleep(writeWithin + time.Second)
	hub.Wake(GameTopic(1))
	if got := read(t, reads); got != "data: x" {
		t.Errorf("after a silence got %q", got)
	}
}

// TestPlayersGoFirst checks that players get messages while all other pushers are busy drawing for patient streams.
func TestPlayersGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hub := NewHub()
		streams := &Streams{Hub: hub, Now: time.Now}
		draws, told := make(chan struct{}), 0
		add := func(feed Feed) {
			here, there := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, there) }()
			feed.Watcher = hub.Watch(GameTopic(1))
			s := &stream{of: streams, feed: feed, out: &sender{way: &pushed{conn: here}},
				over: time.Now().Add(time.Hour), every: time.Hour}
			s.ready = func() { streams.pushers.add(s) }
			s.listen()
		}
		for range 4 * pushersMost {
			add(Feed{Least: time.Nanosecond, Next: func() (Message, error) { <-draws; return Message{}, nil }})
		}
		add(Feed{Next: func() (Message, error) { told++; return Message{}, nil }})
		for n := 1; n < 4; n++ {
			hub.Wake(GameTopic(1))
			time.Sleep(time.Millisecond)
			synctest.Wait()
			if told != n {
				t.Errorf("a player was told %d times of %d, beside others whose messages are being drawn", told, n)
			}
		}
		close(draws)
		hub.Close()
	})
}
