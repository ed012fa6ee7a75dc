// Package cluster lets several programs, the nodes, run the games of one PostgreSQL database. Any node decides a
// command on its cached state, because the log accepts each seq and each key only once; a refusal is based on the
// newest state. The clocks of a game run only at the node that holds the lease of the game's shard. That node alone
// lets time run out, and gives time back if another node has failed. A node that misses a change finds it the next time
// it reads the log.
package cluster

import (
	"database/sql"
	"sync"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

const (
	shards   = 32
	goneFrom = 3000 // ms of silence after which the other nodes consider a node gone
	// A node that has been unable to send a heartbeat for this long assumes that it has lost its leases. The log checks
	// the lease in any case.
	sureFor    = 2500 * time.Millisecond
	leadMost   = goneFrom * time.Millisecond // timeout of a heartbeat: by then the others consider the node gone
	goneMargin = 10 * time.Millisecond       // added to the wait for a silent node, so that it is gone by then
	shareWaits = 600                         // ms that a free lease is reserved for nodes below their share
	takenAtOne = 64                          // games restored at once
)

// Cluster is the Owner of a node's games. It holds what the node has recorded about the leases and about the other
// nodes. Its functions, if set, must not block.
type Cluster struct {
	// SendMove, SendDraft and SendLeases notify the other nodes of a move in the log, of a draft, and of released
	// leases that they may take.
	SendMove   func(Move)
	SendDraft  func(game int64, d game.Draft)
	SendLeases func()
	// Watched reports whether a game has viewers on this node. If it has, other nodes' moves are read at once.
	Watched func(game.Ref) bool

	games *game.Games
	name  string
	tails tails

	mu     sync.Mutex
	held   [shards]lease
	there  []store.Node
	beaten time.Time // time of the last own heartbeat

	soon     chan struct{} // signals that leases may be free
	last     int64         // ID of the newest event examined
	bringing sync.WaitGroup
	leaving  chan struct{} // closed when no more games are to be restored
}

// lease is the right to run a shard's clocks. After a takeover, since is when its games began to be owed time; 0 means
// that they are owed none.
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

// New returns the Cluster that divides the clocks of games with the other nodes of their database, and makes it their
// Owner. It follows the log from its present end. Call it before any other method of games.
func New(games *game.Games) *Cluster {
	c := &Cluster{games: games, name: games.DB.Nodes.Name(), tails: tails{games: games}, soon: make(chan struct{}, 1),
		leaving: make(chan struct{})}
	// if this fails, all events are examined
	_ = games.DB.ReadSQL.QueryRow(`SELECT coalesce(max(id), 0) FROM game_events`).Scan(&c.last)
	games.Owner = c
	return c
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

// kept is like of, but its result may be briefly out of date.
func (c *Cluster) kept(id int64) lease {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held[shardOf(id)]
}

// Alone returns false, because other nodes append to the logs too.
func (c *Cluster) Alone() bool { return false }

// Owns reports whether this node runs the automatic actions of the game, or of the tournament, with this ID.
func (c *Cluster) Owns(id int64) bool { return c.of(id).fence != 0 }

// Keeps is like Owns for a game's clock, but its result may be briefly out of date.
func (c *Cluster) Keeps(game int64) bool { return c.kept(game).fence != 0 }

// Taken returns how this node came to run the clock of a game.
func (c *Cluster) Taken(id int64) game.Takeover {
	held := c.kept(id)
	return game.Takeover{Number: held.fence, At: held.taken, Since: held.since}
}

// Leases returns the number of shards whose clocks this node runs.
func (c *Cluster) Leases() (n int) {
	for shard := range int64(shards) {
		if c.Owns(shard) {
			n++
		}
	}
	return n
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

// Fence wraps project with a check that the lease of the clock is still valid.
func (c *Cluster) Fence(id int64, byClock bool, project func(*sql.Tx) error) (func(*sql.Tx) error, error) {
	held := c.kept(id)
	if byClock {
		if held = c.of(id); held.fence == 0 {
			return nil, game.ErrClockHeld
		}
	}
	if held.fence == 0 {
		return project, nil // an outage that this node caused itself
	}
	return func(tx *sql.Tx) error {
		// The row lock keeps the lease from being taken until this transaction ends. A commit does not wait for a
		// writer of leases, because those wait for commits.
		var kept, ours bool
		err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM leases WHERE shard = $1 AND node = $2 AND fence = $3
			FOR SHARE SKIP LOCKED),
			EXISTS (SELECT 1 FROM leases WHERE shard = $1 AND node = $2
				AND fence = $3)`, shardOf(id), c.name, held.fence).Scan(&kept, &ours)
		if err == nil && !kept {
			err = game.ErrClockHeld // or being written at this moment: the caller retries shortly
			if !ours {
				c.lose(shardOf(id), held.fence)
			}
		}
		if err != nil || project == nil {
			return err
		}
		return project(tx)
	}, nil
}
