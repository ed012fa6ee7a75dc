package cluster

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Hints is a proxy between the nodes and NATS that can lose, duplicate and delay, and so reorder, the hints of other
// nodes.
type Hints struct {
	relay
	user *url.Userinfo

	lose, double, late atomic.Uint64 // per thousand
	heard              atomic.Int64
	lost, doubled      atomic.Int64
	delayed            atomic.Int64
}

// hintLate is the longest delay of a hint.
const hintLate = 3 * time.Second

// RelayHints starts a proxy to a NATS server that does not disturb hints yet.
func RelayHints(address string) (*Hints, error) {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("not a NATS address such as nats://host:4222")
	}
	h := &Hints{user: at.User}
	h.relay = relay{network: "tcp", to: at.Host, join: h.join}
	return h, h.open()
}

// URL returns the address that nodes connect to.
func (h *Hints) URL() string {
	return (&url.URL{Scheme: "nats", User: h.user, Host: h.Address()}).String()
}

// Disturb sets how many of a thousand hints are lost, duplicated and delayed from now on.
func (h *Hints) Disturb(lose, double, late uint64) {
	h.lose.Store(lose)
	h.double.Store(double)
	h.late.Store(late)
}

// Heard returns how many hints for the nodes arrived from NATS.
func (h *Hints) Heard() int64 { return h.heard.Load() }

// Disturbed returns how many hints were lost, duplicated and delayed.
func (h *Hints) Disturbed() (lost, doubled, late int64) {
	return h.lost.Load(), h.doubled.Load(), h.delayed.Load()
}

func (h *Hints) join(client, server net.Conn) {
	go func() {
		_, _ = io.Copy(server, client)
		server.Close()
	}()
	defer client.Close()
	var mu sync.Mutex
	write := func(text []byte) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = client.Write(text)
	}
	from := bufio.NewReader(server)
	for {
		line, err := from.ReadBytes('\n')
		if err != nil {
			return
		}
		fields := strings.Fields(string(line))
		if len(fields) < 4 || fields[0] != "MSG" {
			write(line)
			continue
		}
		size, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil {
			return
		}
		h.heard.Add(1)
		hint := make([]byte, len(line)+size+2)
		copy(hint, line)
		if _, err := io.ReadFull(from, hint[len(line):]); err != nil {
			return
		}
		h.bring(hint, write)
	}
}

// bring delivers a hint, or loses, duplicates or delays it as Disturb has set.
func (h *Hints) bring(hint []byte, write func([]byte)) {
	chance := func(of *atomic.Uint64) bool { return rand.Uint64N(1000) < of.Load() }
	if chance(&h.lose) {
		h.lost.Add(1)
		return
	}
	if chance(&h.double) {
		h.doubled.Add(1)
		write(hint)
	}
	if chance(&h.late) {
		h.delayed.Add(1)
		time.AfterFunc(rand.N(hintLate), func() { write(hint) })
		return
	}
	write(hint)
}
