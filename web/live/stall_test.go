package live

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"meldhall/engine/testmode"
)

// goneWithin is how long a reader that does not read may hold its stream once nothing more can be sent to it.
const goneWithin = 10 * time.Second

// TestStalledReadersAreGone checks that the streams of 500 readers that do not read end and leave nothing behind, while
// another reader gets each state.
func TestStalledReadersAreGone(t *testing.T) {
	testmode.SkipUnlessLong(t)
	const stalled = 500
	hub := NewHub()
	defer hub.Close()
	var state, open atomic.Int64
	big := bytes.Repeat([]byte("x"), 32<<10)
	streams := &Streams{Hub: hub, Now: time.Now}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		open.Add(1)
		defer open.Add(-1)
		f := Feed{Watcher: hub.Watch(GameTopic(1)), Next: func() (Message, error) {
			n := fmt.Sprint(state.Load())
			return Message{ID: n, Data: append([]byte(n+" "), big...)}, nil
		}}
		defer f.Watcher.Stop()
		m, _ := f.Next()
		_ = streams.Serve(w, r, m, f) // an error for readers that are cut off
	}))
	server.Config.ConnState = func(c net.Conn, now http.ConnState) {
		if tcp, ok := c.(*net.TCPConn); ok && now == http.StateNew {
			_ = tcp.SetWriteBuffer(8 << 10) // otherwise each would need megabytes to stall
		}
	}
	server.Start()
	defer server.Close()
	before := runtime.NumGoroutine()
	for range stalled {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: hall\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	healthy := bufio.NewReader(answer.Body)
	saysRetry(t, healthy)
	read(t, healthy)
	for began := time.Now(); open.Load() < stalled+1; time.Sleep(time.Millisecond) {
		if time.Since(began) > goneWithin {
			t.Fatalf("%d streams are open", open.Load())
		}
	}
	began, worst := time.Now(), time.Duration(0)
	for open.Load() > 1 && time.Since(began) < goneWithin {
		sent := time.Now()
		want := fmt.Sprintf("id: %d ", state.Add(1))
		hub.Wake(GameTopic(1))
		if got := read(t, healthy); got[:len(want)] != want {
			t.Fatalf("the reader beside them got %.20q, want %q", got, want)
		}
		worst = max(worst, time.Since(sent))
		time.Sleep(20 * time.Millisecond)
	}
	if open.Load() != 1 {
		t.Errorf("after %v %d of %d stalled streams are open", goneWithin, open.Load()-1, stalled)
	}
	t.Logf("%d stalled readers were gone after %.1f s; the one beside them waited %d ms for a state at most", stalled,
		time.Since(began).Seconds(), worst.Milliseconds())
	for end := time.Now().Add(goneWithin); runtime.NumGoroutine() > before+20 &&
		time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	if now := runtime.NumGoroutine(); now > before+20 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
}
