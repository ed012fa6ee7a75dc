package game

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/store"
)

// Several nodes may run the games of one database. Any node decides a command on its cached state, because the log
// accepts each seq and each key only once; a refusal is based on the newest state. The clocks of a game run only at the
// node that holds the lease of the game's shard. That node alone lets time run out, and gives time back if another node
// has failed. Anything that a node misses, it sees at its next look at the log.

const (
	shards   = 32
	goneFrom = 3000 // ms of silence after which the other nodes consider a node gone
	// A node that has been unable to send a heartbeat for this long assumes that it has lost its leases. The log checks
	// the lease in any case.
	sureFor    = 2500 * time.Millisecond
	leadMost   = goneFrom * time.Millisecond // timeout of a heartbeat: by then the others consider the node gone
	goneMargin = 10 * time.Millisecond       // added to the wait for a silent node, so that it is gone by then
	shareWaits = 600                         // ms that a free lease is reserved for nodes below their share
	ownerMost  = 8 * time.Second             // how long a command waits for the owner of an expired clock
	ownerLook  = 50 * time.Millisecond
	takenAtOne = 64 // games restored at once
)

// errNotOurs means that only another node may let this clock run out.
var errNotOurs = errors.New("the game's clock is kept by another node")

// nodes is what a node records about the others that run games in the database.
type nodes struct {
	name string

	mu     sync.Mutex
	held   [shards]lease
	there  []store.Node
	beaten time.Time // time of the last own heartbeat

	soon     chan struct{} // signals that leases may be free
	last     int64         // ID of the newest event examined
	bringing sync.WaitGroup
	leaving  chan struct{} // closed when no more games are to be restored
}

// lease is the right to run a shard's clocks. After a takeover, since is the time from which its games are owed time; 0
// means that they are owed none.
type lease struct {
	fence        int64
	since, taken engine.Millis
	back         backing
}

// backing is the progress of restoring the games of a shard that was taken over.
type backing uint8

const (
	backAll  backing = iota // all games are restored
	backToDo                // not started yet
	backNow                 // in progress
)

// newNodes starts at the present end of the log.
func newNodes(db *store.DB, name string) *nodes {
	n := &nodes{name: name, soon: make(chan struct{}, 1), leaving: make(chan struct{})}
	// if this fails, all events are examined
	_ = db.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM game_events`).Scan(&n.last)
	return n
}

func shardOf(id int64) int64 { return id % shards }

// of returns the lease for a game, or for a tournament's bots. A lease without a fence belongs to another node.
func (n *nodes) of(id int64) lease {
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Since(n.beaten) > sureFor {
		return lease{}
	}
	return n.held[shardOf(id)]
}

// kept is like of, but may be briefly out of date.
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

// holds reports whether a game's clock is run by this node. The answer may be briefly out of date.
func (g *Games) holds(id int64) bool {
	return g.nodes == nil || g.nodes.kept(id).fence != 0
}

// Owns reports whether this node runs the automatic actions of the game, or of the tournament, with this ID.
func (g *Games) Owns(id int64) bool { return g.nodes == nil || g.nodes.of(id).fence != 0 }

// Leases returns the number of shards whose clocks this node runs.
func (g *Games) Leases() (n int) {
	for shard := range int64(shards) {
		if g.Owns(shard) {
			n++
		}
	}
	return n
}

// Nodes returns the nodes that serve the database together, or nil if this is the only one.
func (g *Games) Nodes() []store.Node {
	if g.nodes == nil {
		return nil
	}
	g.nodes.mu.Lock()
	defer g.nodes.mu.Unlock()
	return g.nodes.there
}

// lead sends this node's heartbeat and divides the leases among the nodes that are present.
func (g *Games) lead(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leadMost)
	defer cancel()
	n, began := g.nodes, time.Now()
	all, err := g.DB.Beat(ctx)
	if err != nil {
		return err
	}
	silent, there := map[string]int64{}, []store.Node{}
	for _, one := range all {
		if silent[one.Name] = one.Silent; one.Silent < goneFrom {
			there = append(there, one)
		}
	}
	n.mu.Lock()
	same := slices.EqualFunc(n.there, there, func(a, b store.Node) bool {
		a.Silent, a.Apart = b.Silent,
			b.Apart
		return a == b
	})
	n.there, n.beaten = there, began
	n.mu.Unlock()
	g.Log.writers.Store(int64(len(there)))
	if !same { // the set of nodes changed, and so what pages say about it
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

// lookAgain returns the time after which another node will have been silent long enough to be gone, or 0 if that is not
// before the next heartbeat.
func (g *Games) lookAgain(all []store.Node) (next time.Duration) {
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

// shareOf returns how many leases a node may hold, counting the nodes that sent a heartbeat within the last two
// intervals.
func shareOf(all []store.Node) int {
	n := 0
	for _, one := range all {
		if one.Silent < 2*beatEvery.Milliseconds() {
			n++
		}
	}
	n = max(n, 1)
	return (shards + n - 1) / n
}

// LeadSoon makes Heartbeat check the leases at once. It does not block.
func (g *Games) LeadSoon() {
	select {
	case g.nodes.soon <- struct{}{}:
	default:
	}
}

// divide gives up leases beyond most, except those whose games are still being restored. It then takes free leases: up
// to most in total, and any number of those that the other nodes have left free for longer than shareWaits.
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

// freeSince reports whether a lease is free now, and since when.
func (g *Games) freeSince(ctx context.Context, r leaseRow, silent map[string]int64) (f freeLease, free bool,
	err error) {
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

// HandOver releases all leases to the other nodes and tells them that this node is gone. Call it once, after Heartbeat
// has ended.
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
	_, left := g.DB.BeatSQL().ExecContext(ctx, `UPDATE leases SET node = '', fence = fence + 1, at = ? WHERE node = ?`,
		g.DB.Millis(), n.name)
	err = errors.Join(err, left, g.DB.LeaveNodes(ctx))
	g.leased()
	return err
}

// leased tells the other nodes that leases are free.
func (g *Games) leased() {
	if g.Leased != nil {
		g.Leased()
	}
}

// fenced wraps project, the writes that follow from an event of the clock, with a check that the lease of that clock is
// still valid.
func (g *Games) fenced(game int64, byClock bool, project func(*sql.Tx) error) (func(*sql.Tx) error, error) {
	held := g.nodes.kept(game)
	if byClock {
		if held = g.nodes.of(game); held.fence == 0 {
			return nil, errNotOurs
		}
	}
	if held.fence == 0 {
		return project, nil // an outage that this node caused itself
	}
	return func(tx *sql.Tx) error {
		// The row lock keeps the lease from being taken until this transaction ends. A commit does not wait for a
		// writer of leases, because those wait for commits.
		var kept, ours bool
		err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM leases WHERE shard = ?1 AND node = ?2 AND fence = ?3 FOR SHARE SKIP LOCKED),
			EXISTS (SELECT 1 FROM leases WHERE shard = ?1 AND node = ?2 AND fence = ?3)`, shardOf(game), g.nodes.name, held.fence).Scan(&kept, &ours)
		if err == nil && !kept {
			err = errNotOurs // or being written at this moment: the caller retries shortly
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

// newer updates a game from the log before it refuses a command, and reports whether the game has moved on; r.mu is
// held.
func (g *Games) newer(ctx context.Context, r *runningGame) (bool, error) {
	if g.nodes == nil {
		return false, nil
	}
	before := r.now.Load().State.Seq
	err := g.catchUp(ctx, r)
	return r.now.Load().State.Seq > before, err
}

// newest is newer for callers that do not hold the game.
func (g *Games) newest(ctx context.Context, r *runningGame) (bool, error) {
	if g.nodes == nil {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return g.newer(ctx, r)
}

// awaitOwner waits a moment for the node that runs a game's clock. It returns false if that takes too long. r.mu is
// held.
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

// awaitLease waits a moment for a lease that is being written or is about to be. It returns false if that takes too
// long.
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
