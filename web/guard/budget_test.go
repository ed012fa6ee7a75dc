package guard

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestBudget checks that a reader without budget waits while the others do not, and that the local machine, which may
// be a proxy, is not limited.
func TestBudget(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	b := NewBudget(2, 3, func() time.Time { return now })
	spend := func(address string, want bool) {
		t.Helper()
		if err := b.Spend(ReaderAt(address)); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	for range 3 {
		spend("203.0.113.7", true)
	}
	spend("203.0.113.7", false)
	spend("::ffff:203.0.113.7", false)
	spend("203.0.113.8", true)
	for range 3 {
		spend("2001:db8::1", true)
	}
	spend("2001:db8::ffff:2", false) // the same /64
	spend("2001:db8:0:1::1", true)
	for range 9 {
		spend("127.0.0.1", true)
	}
	now = now.Add(500 * time.Millisecond)
	spend("203.0.113.7", true)
	spend("203.0.113.7", false)
	for i := range readersMost + 5 {
		if b.Spend("player "+string(rune(i))+"x") != nil {
			t.Fatal("a new reader is refused")
		}
	}
	if len(b.readers) > readersMost {
		t.Errorf("%d readers are kept", len(b.readers))
	}
}

// TestPlaces checks that places are limited in all and for each reader, and are free again after leave.
func TestPlaces(t *testing.T) {
	p := NewPlaces(3, 2)
	var leave []func()
	take := func(reader string, want bool) {
		t.Helper()
		l, err := p.Take(reader)
		if (err == nil) != want {
			t.Fatalf("%s: %v", reader, err)
		}
		if err == nil {
			leave = append(leave, l)
		}
	}
	take("a", true)
	take("a", true)
	take("a", false)
	take("b", true)
	take("c", false)
	leave[0]()
	take("c", true)
	take(anybody, false)
	leave[1]()
	take(anybody, true)
	if len(p.taken) != 3 {
		t.Errorf("%d readers are kept", len(p.taken))
	}
}

// TestScarcePlaces checks that a reader may have any number of places while there are plenty, and that the last ones
// are for readers with few.
func TestScarcePlaces(t *testing.T) {
	p := NewScarcePlaces(99, 2, 4)
	for i, c := range []struct {
		reader string
		want   bool
	}{{"a", true}, {"a", true}, {"a", true}, {"a", true}, {"a", false}, {"b", true}, {"b", true}, {"b", false},
		{anybody, true}} {
		if _, err := p.Take(c.reader); (err == nil) != c.want {
			t.Errorf("%d, %s: %v", i, c.reader, err)
		}
	}
}

// TestLines checks that a reader's requests are processed one at a time, that some wait and more are refused, that
// other readers continue, and that a request that gives up leaves the line.
func TestLines(t *testing.T) {
	l := NewLines()
	ctx := t.Context()
	first, err := l.Stand(ctx, "a", 1)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(ctx)
	waited := make(chan error)
	go func() { _, err := l.Stand(gone, "a", 1); waited <- err }()
	for in := 0; in < 2; {
		l.mu.Lock()
		in = l.lines["a"].in
		l.mu.Unlock()
	}
	var refused *TooMany
	if _, err := l.Stand(ctx, "a", 1); !errors.As(err, &refused) {
		t.Errorf("a third is let in: %v", err)
	}
	other, err := l.Stand(ctx, "b", 1)
	if err != nil {
		t.Fatal(err)
	}
	other()
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up: %v", err)
	}
	for range 9 {
		if _, err := l.Stand(ctx, anybody, 1); err != nil {
			t.Fatalf("who cannot be told from others: %v", err)
		}
	}
	done := make(chan error)
	go func() {
		leave, err := l.Stand(ctx, "a", 1)
		if err == nil {
			leave()
		}
		done <- err
	}()
	first()
	if err := <-done; err != nil || len(l.lines) > 0 {
		t.Errorf("%v, %d lines are kept", err, len(l.lines))
	}
}

// TestListener checks that a connection beyond an address's limit is closed at once, that the others stay open, and
// that a closed one makes room.
func TestListener(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Listener(inner, 2, 1, func(net.IP) bool { return false })
	defer l.Close()
	accepted := make(chan net.Conn, 9)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial()
	kept := <-accepted
	dial()
	<-accepted // the local machine is limited only in all
	third := dial()
	third.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := third.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("one too many: %v, want that it is closed", err)
	}
	kept.Close()
	kept.Close()
	dial()
	<-accepted
}

// TestBoundDepth checks that reading stops at JSON nested too deeply, that brackets in strings do not count, and that
// forms are exempt.
func TestBoundDepth(t *testing.T) {
	read := func(kind, body string) error {
		r, err := http.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		BoundDepth(r)
		_, err = io.ReadAll(r.Body)
		return err
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	text, err := json.Marshal(strings.Repeat(`"[\`, 99))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, body string
		want       error
	}{
		{"application/json", deep(DepthMost), nil},
		{"application/json", deep(DepthMost + 1), ErrTooDeep},
		{"", strings.Repeat(`{"a":`, 40), ErrTooDeep},
		{"application/json", strings.Repeat(deep(2), 99), nil},
		{"application/json", "[" + string(text) + "]", nil},
		{"application/x-www-form-urlencoded", "a=" + deep(99), nil},
		{"text/csv", deep(99), nil},
	} {
		if err := read(c.kind, c.body); !errors.Is(err, c.want) {
			t.Errorf("%s %.40s: %v, want %v", c.kind, c.body, err, c.want)
		}
	}
}
