package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// viewersCmd is the command meldbench viewers, which load starts as a separate process to simulate viewers.
type viewersCmd struct {
	Server string        `help:"The server's address, on the loopback." required:""`
	Event  int64         `help:"The event to view." required:""`
	Tables []int64       `help:"Its tables." required:""`
	Count  int           `help:"Number of viewers." default:"100"`
	Sample int           `help:"One viewer in this many parses messages and measures their age; the others only count bytes." default:"50"`
	Turn   time.Duration `help:"Length of a turn." default:"60s"`
}

// Help returns the text of meldbench viewers --help.
func (viewersCmd) Help() string {
	return `Prints "arrived" once all streams are open. The first input line starts the measurement; the next one ends it and prints the result.`
}

// The kinds of pages that viewers look at.
const (
	theStandings = iota
	allTables
	aBoard
	oneTable
	lookedAt
)

var looksAt = [lookedAt]string{"standings", "all tables", "a board", "one table"}

// viewing holds all viewers and their measurements.
type viewing struct {
	viewersCmd
	address string
	there   atomic.Int64
	lost    atomic.Int64 // viewers that were disconnected
	bytes   [lookedAt]atomic.Int64

	mu       sync.Mutex
	on       bool
	messages [lookedAt]int // messages read by the sample
	waits    [lookedAt][]time.Duration
}

// seenBy is the output of the measurement.
type seenBy struct {
	There, Lost, Sampled int64
	Bytes                [lookedAt]int64
	Messages             [lookedAt]int
	P50, P95, Most       [lookedAt]time.Duration
	States               [lookedAt]int
	AllP50, AllP95       time.Duration
}

// Run connects the viewers and measures between two lines of its input.
func (c viewersCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if c.Count < 1 || c.Sample < 1 || len(c.Tables) == 0 {
		return errors.New("viewers: --count and --sample must be 1 or more, and there must be tables")
	}
	v := &viewing{viewersCmd: c, address: strings.TrimPrefix(c.Server, "http://")}
	if err := v.arrive(ctx); err != nil {
		return err
	}
	fmt.Println("arrived")
	in := bufio.NewScanner(os.Stdin)
	for _, on := range []bool{true, false} {
		if !in.Scan() {
			return in.Err()
		}
		v.measure(on)
	}
	return json.NewEncoder(os.Stdout).Encode(v.seen())
}

// page chooses the nth viewer's page: half look at a table each, a quarter at the standings, a fifth at all tables, and
// the rest at a board.
func (v *viewing) page(n int) (what int, stream string) {
	at := fmt.Sprintf("/events/%d", v.Event)
	switch i := n % 20; {
	case i < 5:
		return theStandings, at + "/live"
	case i < 9:
		return allTables, at + "/tables/live"
	case i < 10:
		return aBoard, at + "/boards/standings,clock/live"
	default:
		return oneTable, fmt.Sprintf("%s/tables/%d/live", at, v.Tables[(n/20*10+i-10)%len(v.Tables)])
	}
}

// sampled reports whether a viewer belongs to the sample that parses messages: one in Sample of those on the same kind
// of page.
func (v *viewing) sampled(n int) bool { return n/20%v.Sample == 0 }

// eachAddress is how many viewers use the same loopback address, because the server limits connections per address.
const eachAddress = 1000

func (v *viewing) from(n int) net.IP { return net.IPv4(127, 0, 1, byte(1+n/eachAddress)).To4() }

func (v *viewing) request(page string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n",
		page, v.address)
}

// watch connects a viewer of the sample, and reads its stream as a browser does until it ends.
func (v *viewing) watch(ctx context.Context, n int) error {
	what, page := v.page(n)
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: v.from(n)}}
	conn, err := dialer.DialContext(ctx, "tcp", v.address)
	if err != nil {
		return err
	}
	if _, err := conn.Write(v.request(page)); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(&countedReader{conn, &v.bytes[what]}, 8<<10), nil)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", page, answer.Status)
	}
	v.there.Add(1)
	go func() {
		defer v.lost.Add(1)
		defer conn.Close()
		unzipped, err := gzip.NewReader(answer.Body)
		if err != nil {
			return
		}
		r := reading{of: v, what: what}
		lines := bufio.NewScanner(unzipped)
		lines.Buffer(nil, 4<<20)
		for lines.Scan() {
			r.line(lines.Bytes())
		}
	}()
	return nil
}

// countedReader counts the bytes read.
type countedReader struct {
	io.Reader
	n *atomic.Int64
}

func (c *countedReader) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n.Add(int64(n))
	return n, err
}

// reading is a viewer of the sample. It looks for timestamps: of events in a table's log, of the newest result in the
// standings, and of the start of each table's turn, computed from its due time. The delay is a timestamp's age when it
// is first read.
type reading struct {
	of    *viewing
	what  int
	begun bool
	event bool // a named event, not a page region
	dues  map[int64]bool
	fresh map[int64]bool
}

func (r *reading) line(line []byte) {
	switch {
	case len(line) == 0:
		r.end()
		r.event = false
	case bytes.HasPrefix(line, []byte("event: ")):
		r.event = true
	case !r.event && bytes.HasPrefix(line, []byte("data: ")):
		r.look(line)
	}
}

// look collects the timestamps in a line of a message.
func (r *reading) look(line []byte) {
	if r.fresh == nil {
		r.fresh = map[int64]bool{}
	}
	mark, read := `datetime="`, func(text string) int64 {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return 0
		}
		return t.UnixMilli()
	}
	if r.what == allTables {
		mark, read = `data-due="`, func(text string) int64 {
			due, _ := strconv.ParseInt(text, 10, 64)
			return due - r.of.Turn.Milliseconds()
		}
	}
	for {
		_, rest, found := bytes.Cut(line, []byte(mark))
		if !found {
			return
		}
		text, after, _ := bytes.Cut(rest, []byte{'"'})
		r.fresh[read(string(text))] = true
		line = after
	}
}

// tooOld is the age at which a timestamp no longer counts as new: a referee changed a time, or the viewer has just
// connected.
const tooOld = 30 * time.Second

// end ends a message: timestamps not seen before are new.
func (r *reading) end() {
	if r.fresh == nil {
		return
	}
	now := time.Now().UnixMilli()
	r.of.read(r.what, func(add func(time.Duration)) {
		for at := range r.fresh {
			if age := time.Duration(now-at) * time.Millisecond; r.begun && !r.dues[at] && age >= 0 && age < tooOld {
				add(age)
			}
		}
	})
	if r.begun = true; r.dues == nil {
		r.dues = map[int64]bool{}
	}
	for at := range r.fresh { // never forget: an older rendering must not count as new
		r.dues[at] = true
	}
	r.fresh = nil
}

func (v *viewing) read(what int, look func(add func(time.Duration))) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.on {
		return
	}
	v.messages[what]++
	look(func(d time.Duration) { v.waits[what] = append(v.waits[what], d) })
}

func (v *viewing) measure(on bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.on = on
	if on {
		for i := range v.bytes {
			v.bytes[i].Store(0)
		}
	}
}

func (v *viewing) seen() (s seenBy) {
	v.mu.Lock()
	defer v.mu.Unlock()
	s.There, s.Lost = v.there.Load(), v.lost.Load()
	var all []time.Duration
	for i := range v.waits {
		s.Bytes[i], s.Messages[i], s.States[i] = v.bytes[i].Load(), v.messages[i], len(v.waits[i])
		s.P50[i], s.P95[i], s.Most[i] = quantile(v.waits[i], .5), quantile(v.waits[i], .95),
			quantile(v.waits[i], math.Nextafter(1, 0))
		all = append(all, v.waits[i]...)
	}
	for n := range v.Count {
		if v.sampled(n) {
			s.Sampled++
		}
	}
	s.AllP50, s.AllP95 = quantile(all, .5), quantile(all, .95)
	return s
}
