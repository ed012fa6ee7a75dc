package game

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/storage"
)

// Several programs may run the games of one database. Any of them decides a command on what it knows, since the log takes each seq and
// each key once; a refusal is given on the newest state. The clocks of a game run at one of them, which has the lease of the game's shard:
// it alone lets time run out, and gives it back where another one has failed. What one of them does not see at once it sees with the
// next look at the log.

const (
	shards   = 32
	goneFrom = 3000 // ms for which a node has been silent that the others take for gone
	// A node that could not say for so long that it is there takes it that its leases are another one's. The log asks in any case.
	sureFor    = 2500 * time.Millisecond
	leadMost   = goneFrom * time.Millisecond // for which a beat is waited for: by then the others take the node for gone
	goneMargin = 10 * time.Millisecond       // after which a silent node is looked at again, so that it is gone by then
	shareWaits = 600                         // ms for which a lease waits for the node whose share it is
	ownerMost  = 8 * time.Second             // for which a command waits for the owner of a clock that has run out
	ownerLook  = 50 * time.Millisecond
	takenAtOne = 64 // games that are brought back together
)

// errNotOurs is that a clock is another node's to be let run out.
var errNotOurs = errors.New("the game's clock is kept by another node")

// nodes is what a program knows of the others that run games in the database.
type nodes struct {
	name string

	mu     sync.Mutex
	held   [shards]lease
	there  []storage.Node
	beaten time.Time // when it said last that it is there

	soon     chan struct{} // leases may be had
	last     int64         // the newest event that was looked at
	bringing sync.WaitGroup
	leaving  chan struct{} // closed when nothing is to be brought back any more
}

// lease is the right to a shard's clocks. Of one that was taken over, since is from when on its games are owed the time; 0: they are not.
type lease struct {
	fence        int64
	since, taken engine.Millis
	back         backing
}

// backing is how far the games of a shard are that was taken over.
type backing uint8

const (
	backAll  backing = iota // all of them are back
	backToDo                // nobody brings them back
	backNow                 // they are being brought back
)

// newNodes begins where the log is now.
func newNodes(store *storage.DB, name string) *nodes {
	n := &nodes{name: name, soon: make(chan struct{}, 1), leaving: make(chan struct{})}
	_ = store.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM game_events`).Scan(&n.last) // where it cannot be read, all are looked at
	return n
}

func shardOf(id int64) int64 { return id % shards }

// of is the lease for a game, or for an event's bots; without a fence it is another node's.
func (n *nodes) of(id int64) lease {
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Since(n.beaten) > sureFor {
		return lease{}
	}
	return n.held[shardOf(id)]
}

// kept is of, though it may not be sure for a moment.
func (n *nodes) kept(id int64) lease {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.held[shardOf(id)]
}

func (n *nodes) lose(shard int64, fence int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.held[shard].fence == fence {
		n.held[shard] = lease{}
	}
}

// holds tells whether a game's clock is kept here, though that may not be sure for a moment.
func (g *Games) holds(id int64) bool {
	return g.nodes == nil || g.nodes.kept(id).fence != 0
}

// Owns tells whether what goes by itself in a game, or in an event with this number, is this program's.
func (g *Games) Owns(id int64) bool { return g.nodes == nil || g.nodes.of(id).fence != 0 }

// Leases is how many shards' clocks are kept here.
func (g *Games) Leases() (n int) {
	for shard := range int64(shards) {
		if g.Owns(shard) {
			n++
		}
	}
	return n
}

// Nodes are the programs that serve the database together, nil where this one is alone.
func (g *Games) Nodes() []storage.Node {
	if g.nodes == nil {
		return nil
	}
	g.nodes.mu.Lock()
	defer g.nodes.mu.Unlock()
	return g.nodes.there
}

// lead says that this node is there, and divides the leases among those that are.
func (g *Games) lead(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leadMost)
	defer cancel()
	n, began := g.nodes, time.Now()
	all, err := g.DB.Beat(ctx)
	if err != nil {
		return err
	}
	silent, there := map[string]int64{}, []storage.Node{}
	for _, one := range all {
		if silent[one.Name] = one.Silent; one.Silent < goneFrom {
			there = append(there, one)
		}
	}
	n.mu.Lock()
	same := slices.EqualFunc(n.there, there, func(a, b storage.Node) bool { a.Silent, a.Apart = b.Silent, b.Apart; return a == b })
	n.there, n.beaten = there, began
	n.mu.Unlock()
	g.log.writers.Store(int64(len(there)))
	if !same { // what is said of them is another thing
		g.Stood()
	}
	if next := g.lookAgain(all); next > 0 {
		time.AfterFunc(next, g.LeadSoon)
	}
	rows, err := leases(ctx, g.DB)
	if err != nil {
		return err
	}
	if err := g.noteOwed(ctx, rows); err != nil {
		return err
	}
	err = g.divide(ctx, rows, silent, shareOf(all))
	if todo := n.toBringBack(); len(todo) > 0 {
		n.bringing.Go(func() { g.bringBack(todo) })
	}
	if err != nil || !g.Owns(0) {
		return err
	}
	if len(all) > 2*len(there) {
		err = g.DB.ForgetNodes(ctx)
	}
	return errors.Join(err, beat(ctx, g.DB, g.DB.Millis()))
}

// lookAgain tells when another node will have been silent for so long that it is gone, where that is before the next beat; else 0.
func (g *Games) lookAgain(all []storage.Node) (next time.Duration) {
	for _, one := range all {
		left := time.Duration(goneFrom-one.Silent) * time.Millisecond
		if one.Name != g.nodes.name && left > 0 && left < beatEvery && (next == 0 || left < next) {
			next = left
		}
	}
	if next > 0 {
		next += goneMargin
	}
	return next
}

// shareOf is how many leases a node may have, of those that have said within two beats that they are there.
func shareOf(all []storage.Node) int {
	n := 0
	for _, one := range all {
		if one.Silent < 2*beatEvery.Milliseconds() {
			n++
		}
	}
	n = max(n, 1)
	return (shards + n - 1) / n
}

// LeadSoon has Heartbeat look at the leases at once. It does not block.
func (g *Games) LeadSoon() {
	select {
	case g.nodes.soon <- struct{}{}:
	default:
	}
}

// divide gives up the leases that are too many for one node, but none whose games are still being brought back, and takes those that nobody
// has: up to most, and any that the others have left for longer than a moment.
func (g *Games) divide(ctx context.Context, rows []leaseRow, silent map[string]int64, most int) error {
	n, mine, given := g.nodes, 0, []int64{}
	n.mu.Lock()
	for _, r := range rows {
		held := n.held[r.shard]
		switch ours := r.node == n.name && held.fence == r.fence; {
		case !ours:
			n.held[r.shard] = lease{}
		case mine >= most && held.back == backAll:
			given = append(given, r.shard)
		default:
			mine++
		}
	}
	n.mu.Unlock()
	if len(given) > 0 {
		if err := g.give(ctx, given); err != nil {
			return err
		}
		g.leased()
	}
	var free, left []freeLease
	for _, r := range rows {
		f, is, err := g.freeSince(ctx, r, silent)
		if err != nil {
			return err
		}
		if is {
			free = append(free, f)
		}
		if is && f.waited > shareWaits {
			left = append(left, f)
		}
	}
	if room := most - mine; room > len(left) {
		return g.take(ctx, free, room)
	}
	return g.take(ctx, left, len(left))
}

// freeSince tells whether nobody has a lease by now, and since when nobody had it.
func (g *Games) freeSince(ctx context.Context, r leaseRow, silent map[string]int64) (f freeLease, free bool, err error) {
	now := g.DB.Millis()
	quiet, known := silent[r.node]
	f = freeLease{shard: r.shard, fence: r.fence, since: r.at}
	switch {
	case r.node == g.nodes.name: // lost, or nobody knows what became of taking it
		return f, g.nodes.kept(r.shard).fence == 0, nil
	case r.node == "" && r.at != 0:
		if f.waited = now - r.at; f.waited < goneFrom {
			f.since = 0
		}
		return f, true, nil
	case r.node != "" && known:
		f.since, f.waited = now-engine.Millis(quiet), engine.Millis(quiet)-goneFrom
		return f, quiet >= goneFrom, nil
	}
	f.since, err = lastHeartbeat(ctx, g.DB)
	return f, true, err
}

// HandOver gives all leases to the other nodes, and tells them that this one is gone. Heartbeat must have ended; it is called once.
func (g *Games) HandOver(ctx context.Context) error {
	if g.nodes == nil {
		return nil
	}
	n := g.nodes
	close(n.leaving)
	n.bringing.Wait()
	rows, err := leases(ctx, g.DB)
	err = errors.Join(err, g.noteOwed(ctx, rows))
	n.mu.Lock()
	n.held = [shards]lease{}
	n.mu.Unlock()
	_, left := g.DB.BeatSQL().ExecContext(ctx, `UPDATE leases SET node = '', fence = fence + 1, at = ? WHERE node = ?`, g.DB.Millis(), n.name)
	err = errors.Join(err, left, g.DB.LeaveNodes(ctx))
	g.leased()
	return err
}

// leased tells the others that leases may be had.
func (g *Games) leased() {
	if g.Leased != nil {
		g.Leased()
	}
}

// fenced adds to what follows from events of a clock that the lease by which it is kept is still in force.
func (g *Games) fenced(game int64, byClock bool, project func(*sql.Tx) error) (func(*sql.Tx) error, error) {
	held := g.nodes.kept(game)
	if byClock {
		if held = g.nodes.of(game); held.fence == 0 {
			return nil, errNotOurs
		}
	}
	if held.fence == 0 {
		return project, nil // a time that this node itself has cost
	}
	return func(tx *sql.Tx) error {
		// Nobody takes it until this is written. A commit does not wait for who writes leases, since they wait for commits.
		var kept, ours bool
		err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM leases WHERE shard = ?1 AND node = ?2 AND fence = ?3 FOR SHARE SKIP LOCKED),
			EXISTS (SELECT 1 FROM leases WHERE shard = ?1 AND node = ?2 AND fence = ?3)`, shardOf(game), g.nodes.name, held.fence).Scan(&kept, &ours)
		if err == nil && !kept {
			err = errNotOurs // or just being written, and asked for again in a moment
			if !ours {
				g.nodes.lose(shardOf(game), held.fence)
			}
		}
		if err != nil || project == nil {
			return err
		}
		return project(tx)
	}, nil
}

// newer brings a game up to date before it refuses something, and tells whether it has moved on; r.mu is held.
func (g *Games) newer(ctx context.Context, r *runningGame) (bool, error) {
	if g.nodes == nil {
		return false, nil
	}
	before := r.now.Load().State.Seq
	err := g.catchUp(ctx, r)
	return r.now.Load().State.Seq > before, err
}

// newest is newer for who does not hold the game.
func (g *Games) newest(ctx context.Context, r *runningGame) (bool, error) {
	if g.nodes == nil {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return g.newer(ctx, r)
}

// awaitOwner waits a moment for the node that keeps a game's clock; false when that takes too long. r.mu is held.
func (g *Games) awaitOwner(ctx context.Context, r *runningGame, since time.Time) (bool, error) {
	if on, err := g.awaitLease(ctx, since); !on {
		return false, err
	}
	if err := g.catchUp(ctx, r); err != nil {
		return false, err
	}
	g.noteStall(r)
	if err := g.noteTaken(ctx, r); err != nil {
		return false, err
	}
	return true, g.payBack(ctx, r)
}

// awaitLease waits a moment for a lease that somebody is just writing, or is about to; false when that takes too long.
func (g *Games) awaitLease(ctx context.Context, since time.Time) (bool, error) {
	if time.Since(since) > ownerMost || g.closed.Load() {
		return false, nil
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(ownerLook):
		return true, nil
	}
}
