package live

import (
	"slices"
	"sync"
	"time"

	"meldhall/tournament/rights"
)

// rulingLife is how long an official counts as ruling on a table after the open page was last heard; it says every
// 3 s that it is there.
const rulingLife = 20 * time.Second

// Attention knows which officials have the sheet of which table open, since the program began. It may all be lost:
// nothing depends on it but what the others are told.
type Attention struct {
	// Share, if set, is told of what other nodes are to know; to be set before anybody looks. It must not block.
	Share func(AttentionNews)

	now  func() time.Time
	wake func(...Topic)

	mu     sync.Mutex
	tables map[int64][]*glance // by table, the first one first
}

type glance struct {
	who   string // of the actor, as in the log
	name  string
	heard time.Time
	end   *time.Timer
}

// NewAttention makes one that has heard from nobody yet; wake is called with those who are to look again.
func NewAttention(now func() time.Time, wake func(...Topic)) *Attention {
	return &Attention{now: now, wake: wake, tables: map[int64][]*glance{}}
}

// Looks notes that an official has the sheet of an event's table open just now.
func (a *Attention) Looks(event, table int64, official rights.Actor) {
	a.looks(event, table, official)
	a.share(AttentionNews{Event: event, Table: table, Who: official})
}

func (a *Attention) looks(event, table int64, official rights.Actor) {
	a.mu.Lock()
	i := a.find(table, official)
	fresh := i < 0
	if fresh {
		g := &glance{who: official.String(), name: official.Name}
		g.end = time.AfterFunc(rulingLife+100*time.Millisecond, func() { a.tell(event, table) })
		a.tables[table] = append(a.tables[table], g)
		i = len(a.tables[table]) - 1
	}
	g := a.tables[table][i]
	fresh = fresh || a.now().Sub(g.heard) > rulingLife
	g.heard = a.now()
	g.end.Reset(rulingLife + 100*time.Millisecond)
	a.mu.Unlock()
	if fresh {
		a.tell(event, table)
	}
}

// Leaves notes that an official has closed the sheet.
func (a *Attention) Leaves(event, table int64, official rights.Actor) {
	a.leaves(event, table, official)
	a.share(AttentionNews{Event: event, Table: table, Who: official, Left: true})
}

func (a *Attention) leaves(event, table int64, official rights.Actor) {
	a.mu.Lock()
	i := a.find(table, official)
	if i >= 0 {
		a.tables[table][i].end.Stop()
		a.tables[table] = slices.Delete(a.tables[table], i, i+1)
	}
	a.mu.Unlock()
	if i >= 0 {
		a.tell(event, table)
	}
}

// find is the place of an official at a table, -1 for none; a.mu is held.
func (a *Attention) find(table int64, official rights.Actor) int {
	return slices.IndexFunc(a.tables[table], func(g *glance) bool { return g.who == official.String() })
}

// At names the officials who have the sheet of a table open, besides the one who asks.
func (a *Attention) At(table int64, but rights.Actor) []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	a.tables[table] = slices.DeleteFunc(a.tables[table], func(g *glance) bool { return now.Sub(g.heard) > rulingLife })
	if len(a.tables[table]) == 0 {
		delete(a.tables, table)
	}
	var names []string
	for _, g := range a.tables[table] {
		if g.who != but.String() {
			names = append(names, g.name)
		}
	}
	return names
}

func (a *Attention) tell(event, table int64) { a.wake(TableTopic(table), TournamentTopic(event)) }
