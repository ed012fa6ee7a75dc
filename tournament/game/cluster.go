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

// Cluster runs the clocks of a database's games together with other nodes. It is what a node records about the others.
type Cluster struct {
	// Leased, if set, is called when leases have been released for other nodes to take. It must not block.
	Leased func()

	games *Games
	name  string

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

// newCluster starts at the present end of the log.
func newCluster(games *Games, name string) *Cluster {
	db := games.DB
	n := &Cluster{games: games, name: name, soon: make(chan struct{}, 1), leaving: make(chan struct{})}
	// if this fails, all events are examined
	_ = db.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM game_events`).Scan(&n.last)
	return n
}

func shardOf(id int64) int64 { return id % shards }

// of returns the lease for a game, or for a tournament's bots. A lease without a fence belongs to another node.
func (c *Cluster) of(id int64) lease {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.beaten) > sureFor {
		return lease{}
	}
	return c.held[shardOf(id)]
}

// kept is like of, but may be briefly out of date.
func (c *Cluster) kept(id int64) lease {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held[shardOf(id)]
}

func (c *Cluster) lose(shard int64, fence int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held[shard].fence == fence {
		c.held[shard] = lease{}
	}
}

// Nodes returns the nodes that serve the database together, or nil if this is the only one.
func (c *Cluster) Nodes() []store.Node {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.there
}

// lead sends this node's heartbeat and divides the leases among the nodes that are present.
func (c *Cluster) lead(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leadMost)
	defer cancel()
	began := time.Now()
	all, err := c.games.DB.Beat(ctx)
	if err != nil {
		return err
	}
	silent, there := map[string]int64{}, []store.Node{}
	for _, one := range all {
		if silent[one.Name] = one.Silent; one.Silent < goneFrom {
			there = append(there, one)
		}
	}
	c.mu.Lock()
	same := slices.EqualFunc(c.there, there, func(a, b store.Node) bool {
		a.Silent, a.Apart = b.Silent,
			b.Apart
		return a == b
	})
	c.there, c.beaten = there, began
	c.mu.Unlock()
	c.games.Log.writers.Store(int64(len(there)))
	if !same { // the set of nodes changed, and so what pages say about it
		c.games.Stood()
	}
	if next := c.lookAgain(all); next > 0 {
		time.AfterFunc(next, c.LeadSoon)
	}
	rows, err := leases(ctx, c.games.DB)
	if err != nil {
		return err
	}
	if err := c.noteOwed(ctx, rows); err != nil {
		return err
	}
	err = c.divide(ctx, rows, silent, shareOf(all))
	if todo := c.toBringBack(); len(todo) > 0 {
		c.bringing.Go(func() { c.bringBack(todo) })
	}
	if err != nil || !c.games.Owns(0) {
		return err
	}
	if len(all) > 2*len(there) {
		err = c.games.DB.ForgetNodes(ctx)
	}
	return errors.Join(err, beat(ctx, c.games.DB, c.games.DB.Millis()))
}

// lookAgain returns the time after which another node will have been silent long enough to be gone, or 0 if that is not
// before the next heartbeat.
func (c *Cluster) lookAgain(all []store.Node) (next time.Duration) {
	for _, one := range all {
		left := time.Duration(goneFrom-one.Silent) * time.Millisecond
		if one.Name != c.name && left > 0 && left < beatEvery && (next == 0 || left < next) {
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
func (c *Cluster) LeadSoon() {
	select {
	case c.soon <- struct{}{}:
	default:
	}
}

// divide gives up leases beyond most, except those whose games are still being restored. It then takes free leases: up
// to most in total, and any number of those that the other nodes have left free for longer than shareWaits.
func (c *Cluster) divide(ctx context.Context, rows []leaseRow, silent map[string]int64, most int) error {
	mine, given := 0, []int64{}
	c.mu.Lock()
	for _, r := range rows {
		held := c.held[r.shard]
		switch ours := r.node == c.name && held.fence == r.fence; {
		case !ours:
			c.held[r.shard] = lease{}
		case mine >= most && held.back == backAll:
			given = append(given, r.shard)
		default:
			mine++
		}
	}
	c.mu.Unlock()
	if len(given) > 0 {
		if err := c.give(ctx, given); err != nil {
			return err
		}
		c.leased()
	}
	var free, left []freeLease
	for _, r := range rows {
		f, is, err := c.freeSince(ctx, r, silent)
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
		return c.take(ctx, free, room)
	}
	return c.take(ctx, left, len(left))
}

// freeSince reports whether a lease is free now, and since when.
func (c *Cluster) freeSince(ctx context.Context, r leaseRow, silent map[string]int64) (f freeLease, free bool,
	err error) {
	now := c.games.DB.Millis()
	quiet, known := silent[r.node]
	f = freeLease{shard: r.shard, fence: r.fence, since: r.at}
	switch {
	case r.node == c.name: // lost, or the outcome of taking it is unknown
		return f, c.kept(r.shard).fence == 0, nil
	case r.node == "" && r.at != 0:
		if f.waited = now - r.at; f.waited < goneFrom {
			f.since = 0
		}
		return f, true, nil
	case r.node != "" && known:
		f.since, f.waited = now-engine.Millis(quiet), engine.Millis(quiet)-goneFrom
		return f, quiet >= goneFrom, nil
	}
	f.since, err = lastHeartbeat(ctx, c.games.DB)
	return f, true, err
}

// HandOver releases all leases to the other nodes and tells them that this node is gone. Call it once, after Heartbeat
// has ended.
func (c *Cluster) HandOver(ctx context.Context) error {
	if c == nil {
		return nil
	}
	close(c.leaving)
	c.bringing.Wait()
	rows, err := leases(ctx, c.games.DB)
	err = errors.Join(err, c.noteOwed(ctx, rows))
	c.mu.Lock()
	c.held = [shards]lease{}
	c.mu.Unlock()
	_, left := c.games.DB.BeatSQL().ExecContext(ctx,
		`UPDATE leases SET node = '', fence = fence + 1, at = $1 WHERE node = $2`,
		c.games.DB.Millis(), c.name)
	err = errors.Join(err, left, c.games.DB.LeaveNodes(ctx))
	c.leased()
	return err
}

// leased tells the other nodes that leases are free.
func (c *Cluster) leased() {
	if c.Leased != nil {
		c.Leased()
	}
}

// fenced wraps project, the writes that follow from an event of the clock, with a check that the lease of that clock is
// still valid.
func (c *Cluster) fenced(game int64, byClock bool, project func(*sql.Tx) error) (func(*sql.Tx) error, error) {
	held := c.kept(game)
	if byClock {
		if held = c.of(game); held.fence == 0 {
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
		err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM leases WHERE shard = $1 AND node = $2 AND fence = $3 FOR SHARE SKIP LOCKED),
			EXISTS (SELECT 1 FROM leases WHERE shard = $1 AND node = $2 AND fence = $3)`, shardOf(game), c.name, held.fence).Scan(&kept, &ours)
		if err == nil && !kept {
			err = errNotOurs // or being written at this moment: the caller retries shortly
			if !ours {
				c.lose(shardOf(game), held.fence)
			}
		}
		if err != nil || project == nil {
			return err
		}
		return project(tx)
	}, nil
}
