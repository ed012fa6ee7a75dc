//go:build unix

package webtest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"meldhall/engine/testmode"
)

// TestStreamsCost measures the cost of idle tablets: each reads a stream with one ping per second and reports every 3
// s. The clients run in the same process, so the figure is an upper bound for the server. A normal run has 8 of them
// briefly; MELDHALL_STREAMS=400 measures.
func TestStreamsCost(t *testing.T) {
	testmode.SkipUnlessLong(t)
	n, span := 8, 1500*time.Millisecond
	if text := os.Getenv("MELDHALL_STREAMS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil || n%4 != 0 {
			t.Fatalf("MELDHALL_STREAMS=%s: want a multiple of 4", text)
		}
		span = 10 * time.Second
	} else {
		t.Parallel() // the figure is not used
	}
	e := newEvent(t, n, map[string]any{"turn_seconds": 600, "start_seconds": 600})
	e.start()
	quiet, address := cpuOver(t, span/2), e.http.Listener.Addr().String()
	var pings, answers atomic.Int64
	for _, c := range e.players {
		request := fmt.Sprintf("GET /play/live HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nCookie: %s=%s\r\n\r\n", address, "meldhall-seat", c.token)
		go drain(dialed(t, address, request), &pings)
	}
	i, stop := 0, make(chan struct{})
	for _, c := range e.players {
		go beats(dialed(t, address, ""), address, c.token, time.Duration(i)*span/time.Duration(3*n), stop, &answers)
		i++
	}
	time.Sleep(span / 2)
	used := cpuOver(t, span) - quiet
	close(stop)
	if got := pings.Load(); got < int64(n) {
		t.Errorf("%d pings for %d streams", got, n)
	}
	if got := answers.Load(); got < int64(n) {
		t.Errorf("%d answers for %d tablets", got, n)
	}
	t.Logf("%d tablets, %d pings, %d signs of life: %.2f %% of a core more than none", n, pings.Load(), answers.Load(),
		100*used)
}

// cpuOver returns how many cores the process uses.
func cpuOver(t *testing.T, span time.Duration) float64 {
	t.Helper()
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before, began := used(), time.Now()
	time.Sleep(span)
	return float64(used()-before) / float64(time.Since(began))
}

func dialed(t *testing.T, address, request string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	return c
}

// drain reads a stream and counts its pings.
func drain(c net.Conn, pings *atomic.Int64) {
	buf := make([]byte, 4096)
	for {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		pings.Add(int64(bytes.Count(buf[:n], []byte("event: ping"))))
	}
}

// beats reports every 3 s that a tablet is there, after an initial delay.
func beats(c net.Conn, address, token string, after time.Duration, stop chan struct{}, answers *atomic.Int64) {
	body := `{"tab":"0123456789abcdef","here":true,"charge":80,"charging":false}`
	request := fmt.Sprintf("POST /play/device HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\nCookie: %s=%s\r\nContent-Length: %d\r\n\r\n%s",
		address, "meldhall-seat", token, len(body), body)
	in := bufio.NewReader(c)
	for wait := after; ; wait = 3 * time.Second {
		select {
		case <-stop:
			return
		case <-time.After(wait):
		}
		if _, err := io.WriteString(c, request); err != nil {
			return
		}
		for line := ""; line != "\r\n"; {
			var err error
			if line, err = in.ReadString('\n'); err != nil || strings.HasPrefix(line, "HTTP/1.1 4") {
				return
			}
		}
		answers.Add(1)
	}
}
