package guard

import (
	"container/list"
	"context"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Budget bounds how many requests each reader may make: so many a second, and so many at once after a rest. It remembers those that
// asked last.
type Budget struct {
	perSecond, burst int
	now              func() time.Time

	mu      sync.Mutex
	readers map[string]*list.Element
	recent  list.List // of *spender, the last first
}

type spender struct {
	reader string
	left   *rate.Limiter
}

// readersMost bounds the memory.
const readersMost = 20_000

// NewBudget makes one that nobody has spent of.
func NewBudget(perSecond, burst int, now func() time.Time) *Budget {
	return &Budget{perSecond: perSecond, burst: burst, now: now, readers: map[string]*list.Element{}}
}

// Spend takes one request of a reader's, or refuses with TooMany.
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

// Places bounds how many of something are open at once: in all, and for each reader.
type Places struct {
	all, each int
	from      int // how many are taken before each matters

	mu    sync.Mutex
	taken map[string]int
	sum   int
}

// NewPlaces makes places for so many in all, and so many for each reader.
func NewPlaces(all, each int) *Places { return &Places{all: all, each: each, taken: map[string]int{}} }

// NewScarcePlaces makes places of which each reader may have so many once from are taken in all, and as many as it likes before.
func NewScarcePlaces(all, each, from int) *Places {
	p := NewPlaces(all, each)
	p.from = from
	return p
}

// Take takes a place of a reader's, or refuses with TooMany. Leave gives it back, and is to be called once.
func (p *Places) Take(reader string) (leave func(), err error) { return p.TakeOf(reader, p.each) }

// TakeOf is Take for one who may have so many.
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

// Taken is how many places are taken.
func (p *Places) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sum
}

// placeAgain is after how long somebody who found no place may look again.
const placeAgain = 5 * time.Second

// anybody is who comes from this very machine, as everybody does behind a proxy on it that is not named: nobody can be told from the
// others. What all take together is bounded all the same.
const anybody = ""

// Lines lets the requests of each reader be worked on one at a time.
type Lines struct {
	mu    sync.Mutex
	lines map[string]*waitingLine
}

type waitingLine struct {
	turn chan struct{}
	in   int // that wait or are worked on
}

// NewLines makes lines in which nobody waits.
func NewLines() *Lines { return &Lines{lines: map[string]*waitingLine{}} }

// Stand waits for a reader's turn, or refuses with TooMany where so many wait already. Leave ends the turn, and is to be called once.
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

// ReaderAt is whoever is at an address: the IPv4 address, or the /64 of an IPv6 address, in which anybody has as many as he likes.
func ReaderAt(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Unmap().IsLoopback() {
		return anybody
	}
	return "address " + Network(address)
}
