package live

import (
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestReadersWhoGoAreNoticed checks that departed readers are detected without a write and without a goroutine for
// each, and that the remaining readers get further messages.
func TestReadersWhoGoAreNoticed(t *testing.T) {
	hub := NewHub()
	var ended atomic.Int64
	server, _ := pushing(t, hub, func(*http.Request) Feed {
		return Feed{Watcher: hub.Watch(GameTopic(1)), Ping: time.Hour, Ends: []func(){func() { ended.Add(1) }},
			Next: func() (Message, error) {
				return Message{Data: []byte("x")}, nil
			}}
	})
	server.Start()
	const all = 60
	_, stays := opened(t, server)
	saysRetry(t, stays)
	before := runtime.NumGoroutine()
	conns := make([]net.Conn, all)
	for i := range conns {
		conns[i], _ = opened(t, server)
	}
	for began := time.Now(); runtime.NumGoroutine() > before+all/2; time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d goroutines more for %d readers", runtime.NumGoroutine()-before, all)
		}
	}
	for i, conn := range conns {
		if i%2 == 0 {
			conn.(*net.TCPConn).SetLinger(0) // half of them reset the connection
		}
		conn.Close()
	}
	for began := time.Now(); ended.Load() < all; time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatalf("%d of %d who have gone were noticed", ended.Load(), all)
		}
	}
	if got := read(t, stays); !strings.Contains(got, "x") {
		t.Fatalf("first %q", got)
	}
	hub.Wake(GameTopic(1))
	if got := read(t, stays); !strings.Contains(got, "x") || ended.Load() != all {
		t.Errorf("who has stayed is told %q; %d of %d streams have ended", got, ended.Load(), all)
	}
}
