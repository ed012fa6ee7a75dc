package live

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// read returns the next message of a stream: its lines, joined by spaces.
func read(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	var lines []string
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			t.Fatalf("after %q: %v", lines, err)
		}
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			return strings.Join(lines, " ")
		}
		lines = append(lines, line)
	}
}

// serve opens a stream for a reader whose last state is last.
func serve(t *testing.T, hub *Hub, feed func() Feed, last string) *bufio.Reader {
	t.Helper()
	streams := &Streams{Hub: hub, Now: func() time.Time { return time.UnixMilli(7) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f := feed()
		defer f.Watcher.Stop()
		m, err := f.Next()
		if err == nil {
			err = streams.Serve(w, r, m, f)
		}
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(LastEventID, last)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if got := answer.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("got a %q", got)
	}
	return bufio.NewReader(answer.Body)
}

// saysRetry reads the delay before a reconnect, in ms.
func saysRetry(t *testing.T, from *bufio.Reader) (millis int) {
	t.Helper()
	said := read(t, from)
	if _, err := fmt.Sscanf(said, "retry: %d", &millis); err != nil || millis < 1500 || millis >= 2500 {
		t.Errorf("got %q, want a retry after 1500 to 2500 ms", said)
	}
	return millis
}

// TestReadersComeBackSpread checks that readers who lose their streams at one moment reconnect spread over a second.
func TestReadersComeBackSpread(t *testing.T) {
	hub, said := NewHub(), map[int]bool{}
	defer hub.Close()
	for range 20 {
		said[saysRetry(t, serve(t, hub, func() Feed {
			return Feed{Watcher: hub.Watch(), Next: func() (Message, error) { return Message{Data: []byte("x")}, nil }}
		}, ""))] = true
	}
	if len(said) < 10 {
		t.Errorf("20 readers come back at %d moments", len(said))
	}
}

// TestReadersArePaced checks that the readers of one feed are not all written to at one moment, and none more often
// than configured.
func TestReadersArePaced(t *testing.T) {
	feed := Feed{Least: 100 * time.Millisecond, Spread: 200 * time.Millisecond, Apart: time.Hour}
	least, most := time.Hour, time.Duration(0)
	for range 500 {
		pause := feed.pause(time.Now().Add(-2 * time.Hour))
		least, most = min(least, pause), max(most, pause)
	}
	if least < feed.Least || least > feed.Least+feed.Spread/4 || most >= feed.Least+feed.Spread ||
		most < feed.Least+3*feed.Spread/4 {
		t.Errorf("500 readers wait from %v to %v", least, most)
	}
	if pause := feed.pause(time.Now()); pause < 59*time.Minute {
		t.Errorf("one who was sent something just now waits %v", pause)
	}
	if pause := (Feed{}).pause(time.Now().Add(-time.Hour)); pause != 0 {
		t.Errorf("one who is told at once waits %v", pause)
	}
}

// TestAnEventLeavesTheStateToTheReader checks that a state that the reader has is not sent again after an event, and that
// it is sent again after another state.
func TestAnEventLeavesTheStateToTheReader(t *testing.T) {
	hub := NewHub()
	defer hub.Close()
	all := []Message{{Event: "told", Data: []byte("one")}, {ID: "a", Data: []byte("two")},
		{Event: "told", Data: []byte("three")}, {ID: "b", Data: []byte("four")}, {ID: "a", Data: []byte("five")}}
	from := serve(t, hub, func() Feed {
		return Feed{Watcher: hub.Watch(), Next: func() (m Message, _ error) {
			if m = all[0]; len(all) > 1 {
				all, m.Again = all[1:], time.Millisecond
			}
			return m, nil
		}}
	}, "a")
	saysRetry(t, from)
	for _, want := range []string{"one", "three", "four", "five"} {
		if got := read(t, from); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestStreamAsksAgain checks that a state that changes with time alone is requested again as often as it asks for, and
// no longer.
func TestStreamAsksAgain(t *testing.T) {
	hub := NewHub()
	defer hub.Close()
	state := 0
	from := serve(t, hub, func() Feed {
		return Feed{Watcher: hub.Watch(), Least: time.Hour, Next: func() (Message, error) {
			// every second state is unchanged and is not sent
			m := Message{ID: fmt.Sprint(state / 2), Data: fmt.Append(nil, "state ", state)}
			if state++; state < 5 {
				m.Again = time.Millisecond
			}
			return m, nil
		}}
	}, "")
	saysRetry(t, from)
	for _, want := range []string{"state 0", "state 2", "state 4"} {
		if got := read(t, from); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestStream(t *testing.T) {
	hub := NewHub()
	var state atomic.Int64
	over := errors.New("the reader was signed out")
	feed := func() Feed {
		return Feed{
			Watcher: hub.Watch(GameTopic(1)), Urgent: hub.Watch(AccountTopic(2)), Least: 100 * time.Millisecond,
			Hello: Message{Event: "build", Data: []byte("b1")},
			Aside: Aside{hub.Watch(NewsTopic(3)), func() (Message,
				error) {
				return Message{Event: "news", Data: []byte("lunch\nat one")}, nil
			}},
			Next: func() (Message, error) {
				if n := state.Load(); n < 3 {
					return Message{ID: fmt.Sprint(n), Data: fmt.Append(nil, "state ", n)}, nil
				}
				return Message{}, fmt.Errorf("%w: %w", ErrOver, over)
			},
		}
	}
	fresh := serve(t, hub, feed, "")
	again := serve(t, hub, feed, "0")
	says := func(from *bufio.Reader, want string) {
		t.Helper()
		if got := read(t, from); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, from := range []*bufio.Reader{fresh, again} {
		saysRetry(t, from)
		says(from, "event: build data: b1")
		says(from, "event: news data: lunch data: at one")
	}
	says(fresh, "id: 0 data: state 0")
	says(again, "event: ping data: 7") // a reader who has the state gets the time instead
	state.Store(1)
	hub.Wake(GameTopic(1))
	says(fresh, "id: 1 data: state 1")
	says(again, "id: 1 data: state 1") // a state that the reader had is not sent again
	hub.Wake(NewsTopic(3))
	says(fresh, "event: news data: lunch data: at one")
	says(again, "event: news data: lunch data: at one")
	state.Store(2)
	hub.Wake(AccountTopic(2))
	says(fresh, "id: 2 data: state 2")
	says(again, "id: 2 data: state 2")
	state.Store(3)
	hub.Wake(AccountTopic(2))
	for _, from := range []*bufio.Reader{fresh, again} {
		says(from, "event: over data: {}")
		if rest, err := io.ReadAll(from); err != nil || len(rest) > 0 {
			t.Errorf("got %q, %v after the end", rest, err)
		}
	}
}

// TestStreamEndsWithTheHub checks that a stopping server need not wait for its readers, and that an idle stream sends
// pings.
func TestStreamEndsWithTheHub(t *testing.T) {
	hub := NewHub()
	from := serve(t, hub, func() Feed {
		return Feed{Watcher: hub.Watch(), Ping: time.Millisecond,
			Next: func() (Message, error) { return Message{Data: []byte("x")}, nil }}
	}, "")
	saysRetry(t, from)
	for _, want := range []string{"data: x", "event: ping data: 7", "event: ping data: 7"} {
		if got := read(t, from); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	hub.Close()
	if _, err := io.ReadAll(from); err != nil {
		t.Errorf("the stream was cut off: %v", err)
	}
}

// TestPingsComeTogether checks that streams that began at different times ping at one moment. The first ping comes at
// most a tenth of a second early, and the following ones at the exact interval even if the machine wakes slightly late.
// A page for playing considers the server lost after 2.5 s.
func TestPingsComeTogether(t *testing.T) {
	at := time.UnixMilli(1_795_000_000_000)
	for _, every := range []time.Duration{time.Second, pingEvery} {
		moments := map[time.Time]bool{}
		for after := range 100 {
			s := &stream{every: every}
			began := at.Add(time.Duration(after)*time.Millisecond + 7)
			ping := s.nextPing(began)
			if early := began.Add(every).Sub(ping); early < 0 || early > pingsTogether {
				t.Fatalf("a ping comes %v early", early)
			}
			moments[ping] = true
			if next := s.nextPing(ping.Add(300 * time.Microsecond)).Sub(ping); next != every {
				t.Fatalf("the next ping comes after %v, want %v", next, every)
			}
		}
		if len(moments) != 1 {
			t.Errorf("a hundred streams that began within a tenth of a second ping at %d moments", len(moments))
		}
	}
}
