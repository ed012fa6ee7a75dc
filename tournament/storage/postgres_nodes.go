package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"
)

const (
	startClass = 0x6d656c73 // of the lock that a node has while it starts

	// sharedMark stands for the owner where several programs serve a database together.
	sharedMark = "nodes"

	// theNodes are the tables of the programs that serve a database together, which only PostgreSQL's have: who they are, and which
	// games' clocks are whose, what they keep together for a moment, and tries at secrets. fence grows whenever a lease goes from one to another, at is when it
	// did. owed is since when nobody kept the clocks of games that are still to get the time back; 0: none is.
	theNodes = `; CREATE TABLE IF NOT EXISTS nodes (name TEXT PRIMARY KEY, version TEXT NOT NULL, presets TEXT NOT NULL, apart BIGINT NOT NULL, ahead BIGINT NOT NULL DEFAULT 0, hears BIGINT NOT NULL, at BIGINT NOT NULL);
	CREATE TABLE IF NOT EXISTS leases (shard BIGINT PRIMARY KEY, node TEXT NOT NULL DEFAULT '', fence BIGINT NOT NULL DEFAULT 0, at BIGINT NOT NULL DEFAULT 0,
		owed BIGINT NOT NULL DEFAULT 0);
	CREATE TABLE IF NOT EXISTS kept (kind TEXT, key TEXT, value TEXT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (kind, key)); ` + triesTable

	// serversTime is PostgreSQL's clock, in ms.
	serversTime = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

	beaters       = 2      // connections by which a node says that it is there
	nodeSilent    = 3000   // ms for which a node has been silent by whose clock nobody goes any more
	nodeForgotten = 60_000 // ms after which a node that is gone is forgotten
)

// ownTables are those that only PostgreSQL's databases have.
const ownTables = `'goose_db_version', 'this_database', 'nodes', 'leases', 'kept', 'tries'`

// Node is one of the programs that serve a database together, as it told the others last.
type Node struct {
	Name, Version string
	Presets       string // of rules, formats and texts, shortened
	Apart         int64  // ms by which its machine's clock is ahead of the database's
	Hears         bool   // hints of the others reach it
	Silent        int64  // ms since it told so

	ahead int64 // ms by which the nodes' clock is ahead of the database's there
}

// node is what a program is that serves the database together with others.
type node struct {
	Node
	beats  *sql.DB // by which it says that it is there, however long others write
	counts *sql.DB // by which it counts tries at secrets, which wait for nobody either
	clock  sharedClock
	hears  atomic.Bool
	swept  atomic.Int64 // when what is over was taken from the shelves
}

// OpenNode is OpenAlone for a program that serves a server's database together with others that were opened so: it is refused where one
// has the database alone, and where its tables are to be changed while another one serves it.
func OpenNode(path string) (*DB, error) {
	if !IsServer(path) {
		return nil, errors.New("several programs can serve only a PostgreSQL database together, not a file: name one as postgres://user:password@host/name")
	}
	host, _ := os.Hostname()
	name := fmt.Sprintf("%.40s/%d/%04x", host, os.Getpid(), rand.N(1<<16))
	return (&DB{node: &node{Node: Node{Name: name}}}).open(path, true)
}

// Node is the name of this program among those that serve the database together; "": it serves it alone.
func (s *DB) Node() string {
	if s.node == nil {
		return ""
	}
	return s.node.Name
}

// BeatSQL are connections for what a program says about itself: those of a node wait for no transaction that writes.
func (s *DB) BeatSQL() *sql.DB {
	if s.node == nil {
		return s.WriteSQL
	}
	return s.node.beats
}

// Join tells the other nodes who this one is.
func (s *DB) Join(ctx context.Context, version, presets string) error {
	s.node.Version, s.node.Presets = version, presets
	_, err := s.Beat(ctx)
	return err
}

// Hears notes whether the hints of other nodes reach this one.
func (s *DB) Hears(yes bool) { s.node.hears.Store(yes) }

// Beat tells the other nodes that this one is there, sets its clock by the database's and theirs, and gives all of them.
func (s *DB) Beat(ctx context.Context) (all []Node, err error) {
	asked := time.Now()
	var at int64
	hears := 0
	if s.node.hears.Load() {
		hears = 1
	}
	err = s.node.beats.QueryRowContext(ctx, `INSERT INTO nodes (name, version, presets, apart, ahead, hears, at) VALUES (?, ?, ?, ?, ?, ?, `+serversTime+`)
		ON CONFLICT (name) DO UPDATE SET version = excluded.version, presets = excluded.presets, apart = excluded.apart, ahead = excluded.ahead, hears = excluded.hears, at = excluded.at
		RETURNING at`, s.node.Name, s.node.Version, s.node.Presets, s.node.Apart, s.node.clock.off.Load()/int64(time.Millisecond), hears).Scan(&at)
	if err != nil {
		return nil, err
	}
	took := time.Since(asked)
	s.node.Apart = asked.Add(took/2).UnixMilli() - at
	if all, err = s.nodes(ctx); err != nil {
		return nil, err
	}
	var others time.Duration // by which those are ahead that are there
	for i := range all {
		n := &all[i]
		if n.Name != s.node.Name && n.Silent < nodeSilent {
			others = max(others, time.Duration(n.ahead)*time.Millisecond)
		}
		n.ahead = 0 // two that say the same are the same
	}
	if by := s.node.clock.near(time.UnixMilli(at), asked.Add(took/2), took/2, others); by != 0 {
		slog.Warn("the nodes' clock was behind at this one: its machine has slept, or the database's clock was set", "ms", by.Milliseconds())
	}
	return all, nil
}

// nodes gives all of them. One that seems to have been there in the future has not been since the database's clock was set back.
func (s *DB) nodes(ctx context.Context) (all []Node, err error) {
	rows, err := s.node.beats.QueryContext(ctx, `SELECT name, version, presets, apart, ahead, hears, abs(`+serversTime+` - at) FROM nodes ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n Node
		var hears int
		if err := rows.Scan(&n.Name, &n.Version, &n.Presets, &n.Apart, &n.ahead, &hears, &n.Silent); err != nil {
			return nil, err
		}
		n.Hears = hears != 0
		all = append(all, n)
	}
	return all, rows.Err()
}

// LeaveNodes tells the others that this one is gone.
func (s *DB) LeaveNodes(ctx context.Context) error {
	_, err := s.node.beats.ExecContext(ctx, `DELETE FROM nodes WHERE name = ?`, s.node.Name)
	return err
}

// ForgetNodes forgets those that have long been gone, whose leases others have by now.
func (s *DB) ForgetNodes(ctx context.Context) error {
	_, err := s.WriteSQL.ExecContext(ctx, `DELETE FROM nodes WHERE at < `+serversTime+` - ? AND name NOT IN (SELECT node FROM leases)`, nodeForgotten)
	return err
}

// wall is the time of day by which a database is opened: the machine's, or the server's where several serve it.
func (s *DB) wall(ctx context.Context) (time.Time, error) {
	if s.node == nil {
		return time.Now(), nil
	}
	asked := time.Now()
	var at int64
	err := s.WriteSQL.QueryRowContext(ctx, `SELECT `+serversTime).Scan(&at)
	half := time.Since(asked) / 2
	s.node.Apart = asked.Add(half).UnixMilli() - at
	return time.UnixMilli(at).Add(half), err
}

const (
	clockSlowest = 100 * time.Millisecond // of an answer that tells the time well enough
	clockFar     = 200 * time.Millisecond // from which on a clock that is behind is set
	clockStep    = 5 * time.Millisecond   // by which it is brought nearer, each time
)

// sharedClock goes by the machine's running time and is kept near the database's clock, so that all nodes have one time. It never goes back.
type sharedClock struct {
	start time.Time // what it showed
	from  time.Time // at this moment of the machine's
	ahead atomic.Int64
	last  atomic.Int64
	off   atomic.Int64 // by which it was ahead of the database's, when that was last known
}

func (c *sharedClock) set(start, from time.Time) { c.start, c.from = start, from }

func (c *sharedClock) at(moment time.Time) time.Time {
	return c.start.Add(moment.Sub(c.from) + time.Duration(c.ahead.Load()))
}

// now is its time.
func (c *sharedClock) now() time.Time {
	now := c.at(time.Now()).UnixNano()
	for {
		last := c.last.Load()
		if now <= last {
			return time.Unix(0, last)
		}
		if c.last.CompareAndSwap(last, now) {
			return time.Unix(0, now)
		}
	}
}

// near brings it nearer to what the database's clock showed at a moment, give or take unsure. Where the nodes' clock is ahead of that, since
// the database's was set back, others is by how much: all stay with it. One that is behind, since its machine has slept or the database's
// clock was set, goes there at once, by as much as near gives: like every gap it costs no player time.
func (c *sharedClock) near(shown, moment time.Time, unsure, others time.Duration) (by time.Duration) {
	off := c.at(moment).Sub(shown)
	if others < clockFar {
		others = 0
	}
	switch {
	case others-off > clockFar+unsure:
		by = others - off
		c.ahead.Add(int64(by))
		off = others
	case unsure < clockSlowest/2:
		c.ahead.Add(-int64(min(max(off, -clockStep), clockStep)))
	}
	c.off.Store(int64(off))
	return by
}
