package live

import (
	"sync"
	"time"

	"meldhall/engine/tile"
)

// pointLife is how long a page shows a pointer. A page that misses it that long does not get it any more.
const pointLife = 4 * time.Second

// Point is a person's pointer to tiles that lie on a table, in the order of their set. Seat is the player's seat, or
// engine.Referee for an official. At is the index of the set on the person's screen, to distinguish equal sets.
type Point struct {
	Table int64
	Seat  int
	Tiles tile.FaceList
	At    int
}

// Pointing delivers pointers to the open pages of a table. A pointer is no decision of the game: it is only in memory,
// and only the newest one of each table.
type Pointing struct {
	// Share, if set, receives pointers for the other nodes. It must be set before the first call of Show and must not
	// block.
	Share func(Point)

	wake func(...Topic)

	mu     sync.Mutex
	shown  uint64
	newest map[int64]numbered // by table
}

type numbered struct {
	Point
	number uint64
}

// NewPointing returns a Pointing without pointers. It calls wake with the topics whose viewers must look again.
func NewPointing(wake func(...Topic)) *Pointing {
	return &Pointing{wake: wake, newest: map[int64]numbered{}}
}

// Show delivers a pointer to the pages of its table.
func (p *Pointing) Show(at Point) {
	p.HeardElsewhere(at)
	if p.Share != nil {
		p.Share(at)
	}
}

// HeardElsewhere delivers a pointer from another node.
func (p *Pointing) HeardElsewhere(at Point) {
	p.mu.Lock()
	p.shown++
	number := p.shown
	p.newest[at.Table] = numbered{at, number}
	p.mu.Unlock()
	time.AfterFunc(pointLife, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.newest[at.Table].number == number {
			delete(p.newest, at.Table)
		}
	})
	p.wake(pointTopic(at.Table))
}

// Pointers reads the pointers at one table for one page.
type Pointers struct {
	Watcher *Watcher

	of    *Pointing
	table int64
	seen  uint64
}

// Read returns a reader for a page that is not yet at a table.
func (p *Pointing) Read(hub *Hub) *Pointers { return &Pointers{Watcher: hub.Watch(), of: p} }

// Follow makes the page read the pointers at another table; 0 is none.
func (r *Pointers) Follow(table int64) {
	if table == r.table {
		return
	}
	r.table = table
	if table == 0 {
		r.Watcher.Turn()
		return
	}
	r.Watcher.Turn(pointTopic(table))
}

// Next returns the newest pointer at the table, and false if the page has already had it.
func (r *Pointers) Next() (Point, bool) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	at := r.of.newest[r.table]
	if at.number <= r.seen {
		return Point{}, false
	}
	r.seen = at.number
	return at.Point, true
}
