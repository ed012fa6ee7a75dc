package live

import (
	"slices"
	"sync"
	"time"

	"meldhall/tournament/rights"
)

// rulingLife is how long an official counts as ruling on a table after the last heartbeat of the open page, which sends
// one every 3 s.
const rulingLife = 20 * time.Second

// Attention records which officials have which table's sheet open. It is only in memory and may be lost at any time,
// because it only informs the other officials.
type Attention struct {
	// Share, if set, receives news for the other nodes. It must be set before the first call of Looks and must not
	// block.
	Share func(AttentionNews)

	now  func() time.Time
	wake func(...Topic)

	mu     sync.Mutex
	tables map[int64][]*glance // by table, the earliest official first
}

type glance struct {
	who   string // the actor, as in the log
	name  string
	heard time.Time
	end   *time.Timer
}

// NewAttention returns an empty Attention. It calls wake with the topics whose viewers must look again.
func NewAttention(now func() time.Time, wake func(...Topic)) *Attention {
	return &Attention{now: now, wake: wake, tables: map[int64][]*glance{}}
}

// Looks records that an official has a table's sheet open now.
func (a *Attention) Looks(tournamentID, table int64, official rights.Actor) {
	a.looks(tournamentID, table, official)
	a.share(AttentionNews{Event: tournamentID, Table: table, Who: official})
}

func (a *Attention) looks(tournamentID, table int64, official rights.Actor) {
	a.mu.Lock()
	i := a.find(table, official)
	fresh := i < 0
	if fresh {
		g := &glance{who: official.String(), name: official.Name}
		g.end = time.AfterFunc(rulingLife+100*time.Millisecond, func() { a.tell(tournamentID, table) })
		a.tables[table] = append(a.tables[table], g)
		i = len(a.tables[table]) - 1
	}
	g := a.tables[table][i]
	fresh = fresh || a.now().Sub(g.heard) > rulingLife
	g.heard = a.now()
	g.end.Reset(rulingLife + 100*time.Millisecond)
	a.mu.Unlock()
	if fresh {
		a.tell(tournamentID, table)
	}
}

// Leaves records that an official closed a table's sheet.
func (a *Attention) Leaves(tournamentID, table int64, official rights.Actor) {
	a.leaves(tournamentID, table, official)
	a.share(AttentionNews{Event: tournamentID, Table: table, Who: official, Left: true})
}

func (a *Attention) leaves(tournamentID, table int64, official rights.Actor) {
	a.mu.Lock()
	i := a.find(table, official)
	if i >= 0 {
		a.tables[table][i].end.Stop()
		a.tables[table] = slices.Delete(a.tables[table], i, i+1)
	}
	a.mu.Unlock()
	if i >= 0 {
		a.tell(tournamentID, table)
	}
}

// find returns the index of an official at a table, or -1. The caller must hold a.mu.
func (a *Attention) find(table int64, official rights.Actor) int {
	return slices.IndexFunc(a.tables[table], func(g *glance) bool { return g.who == official.String() })
}

// At returns the names of the officials who have a table's sheet open, except the one given.
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

func (a *Attention) tell(tournamentID, table int64) {
	a.wake(TableTopic(table), TournamentTopic(tournamentID))
}
