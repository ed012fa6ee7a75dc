package guard

import (
	"container/list"
	"context"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Budget limits each reader's requests: a rate per second, and a burst after a rest. It remembers the most recent
// readers.
type Budget struct {
	perSecond, burst int
	now              func() time.Time

	mu      sync.Mutex
	readers map[string]*list.Element
	recent  list.List // of *spender, most recent first
}

type spender struct {
	reader string
	left   *rate.Limiter
}

// readersMost limits how many readers a Budget remembers.
const readersMost = 20_000

// NewBudget returns an unspent budget.
func NewBudget(perSecond, burst int, now func() time.Time) *Budget {
	return &Budget{perSecond: perSecond, burst: burst, now: now, readers: map[string]*list.Element{}}
}

// Spend charges one request to a reader, or refuses with TooMany.
func (b *Budget) Spend(reader string) error {
	if reader == anybody {
		return nil
	}
	b.mu.Lock()
	e := b.readers[reader]
	if e == nil {
		if len(b.readers) >= readersMost {
			oldest := b.recent.Back()
			delete(b.readers, oldest.Value.(*spender).reader)
			b.recent.Remove(oldest)
		}
		e = b.recent.PushFront(&spender{reader, rate.NewLimiter(rate.Limit(b.perSecond), b.burst)})
		b.readers[reader] = e
	}
	b.recent.MoveToFront(e)
	left := e.Value.(*spender).left
	b.mu.Unlock()
	if !left.AllowN(b.now(), 1) {
		return tooMany(time.Second)
	}
	return nil
}

// Places limits how many of something are open at once, in all and for each reader.
type Places struct {
	all, each int
	from      int // how many places must be taken in all before the limit each applies

	mu    sync.Mutex
	taken map[string]int
	sum   int
}

// NewPlaces returns Places with a limit in all, and a limit for each reader.
func NewPlaces(all, each int) *Places { return &Places{all: all, each: each, taken: map[string]int{}} }

// NewScarcePlaces is like NewPlaces, but the limit for each reader applies only once the number of places taken in all
// has reached from.
func NewScarcePlaces(all, each, from int) *Places {
	p := NewPlaces(all, each)
	p.from = from
	return p
}

// Take takes a place for a reader, or refuses with TooMany. The caller must call leave once to give it back.
func (p *Places) Take(reader string) (leave func(), err error) { return p.TakeOf(reader, p.each) }

// TakeOf is like Take with a different limit for the reader.
func (p *Places) TakeOf(reader string, each int) (leave func(), err error) {
	if err := p.enter(reader, each); err != nil {
		return nil, err
	}
	return func() { p.leave(reader) }, nil
}

func (p *Places) enter(reader string, each int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sum >= p.all || reader != anybody && p.sum >= p.from && p.taken[reader] >= each {
		return tooMany(placeAgain)
	}
	p.sum++
	p.taken[reader]++
	return nil
}

func (p *Places) leave(reader string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum--
	if p.taken[reader]--; p.taken[reader] == 0 {
		delete(p.taken, reader)
	}
}

// Taken returns how many places are taken.
func (p *Places) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sum
}

// placeAgain is how long a reader who found no place must wait.
const placeAgain = 5 * time.Second

// anybody is the reader for the local machine. All clients of a local proxy that is not configured look the same, so
// this reader has no limit of its own. The limits for all readers together still apply.
const anybody = ""

// Lines processes each reader's requests one at a time.
type Lines struct {
	mu    sync.Mutex
	lines map[string]*waitingLine
}

type waitingLine struct {
	turn chan struct{}
	in   int // requests waiting or in progress
}

// NewLines returns Lines in which no request waits.
func NewLines() *Lines { return &Lines{lines: map[string]*waitingLine{}} }

// Stand waits for a reader's turn. If the number of the reader's requests that already wait has reached the limit most,
// Stand refuses with TooMany. The caller must call leave once to end the turn.
func (l *Lines) Stand(ctx context.Context, reader string, most int) (leave func(), err error) {
	if reader == anybody {
		return func() {}, nil
	}
	l.mu.Lock()
	line := l.lines[reader]
	if line == nil {
		line = &waitingLine{turn: make(chan struct{}, 1)}
		l.lines[reader] = line
	}
	if line.in > most {
		l.mu.Unlock()
		return nil, tooMany(placeAgain)
	}
	line.in++
	l.mu.Unlock()
	away := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if line.in--; line.in == 0 {
			delete(l.lines, reader)
		}
	}
	select {
	case line.turn <- struct{}{}:
		return func() { <-line.turn; away() }, nil
	case <-ctx.Done():
		away()
		return nil, ctx.Err()
	}
}

// ReaderAt returns the reader for an address: the IPv4 address, or the /64 of an IPv6 address, because a client can use
// any address in its /64. For a loopback address it returns anybody.
func ReaderAt(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Unmap().IsLoopback() {
		return anybody
	}
	return "address " + Network(address)
}
