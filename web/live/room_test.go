package live

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestARoomIsOfOneMessage checks that with reused buffers, and many readers at once, each reader gets only its own
// messages.
func TestARoomIsOfOneMessage(t *testing.T) {
	const states = 200
	hub := NewHub()
	var state, readers atomic.Int64
	server, _ := pushing(t, hub, func(*http.Request) Feed {
		own := []byte{'a' + byte(readers.Add(1))}
		return Feed{Watcher: hub.Watch(GameTopic(1)), Next: func() (Message, error) {
			n, room := state.Load(), NewRoom()
			*room = append(append((*room)[:0], own...), bytes.Repeat(own, int(n*37%500))...)
			return Message{ID: strconv.FormatInt(n, 10), Data: *room, Room: room}, nil
		}}
	})
	server.Start()
	var all sync.WaitGroup
	for range 8 {
		_, reads := opened(t, server)
		saysRetry(t, reads)
		all.Go(func() {
			first := ""
			for got := ""; !strings.HasPrefix(got, "id: "+strconv.Itoa(states)+" "); {
				got = read(t, reads)
				_, data, _ := strings.Cut(got, "data: ")
				if data = strings.TrimSpace(data); first == "" {
					first = data[:1]
				}
				if strings.Trim(data, first) != "" {
					t.Errorf("reader %s got %q", first, got)
				}
			}
		})
	}
	for range states {
		state.Add(1)
		hub.Wake(GameTopic(1))
	}
	all.Wait()
}
