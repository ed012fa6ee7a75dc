package store

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

	"github.com/jackc/pgx/v5"
)

const (
	startClass = 0x6d656c73 // class of the lock that a starting node holds

	// sharedMark replaces the owner's mark if several nodes serve a database together.
	sharedMark = "nodes"

	// theNodes creates the tables of nodes that serve a PostgreSQL database together: the nodes, the leases of games'
	// clocks, the data they share for a while, and failed tries at secrets. A lease's fence grows whenever the lease
	// changes hands, at the time at. owed is the time since which games are owed time because no node ran their clocks;
	// 0: none is owed.
	theNodes = `; CREATE TABLE IF NOT EXISTS nodes (name TEXT PRIMARY KEY, version TEXT NOT NULL, presets TEXT NOT NULL, apart BIGINT NOT NULL, ahead BIGINT NOT NULL DEFAULT 0, hears BIGINT NOT NULL, at BIGINT NOT NULL);
	CREATE TABLE IF NOT EXISTS leases (shard BIGINT PRIMARY KEY, node TEXT NOT NULL DEFAULT '', fence BIGINT NOT NULL DEFAULT 0, at BIGINT NOT NULL DEFAULT 0,
		owed BIGINT NOT NULL DEFAULT 0);
	CREATE TABLE IF NOT EXISTS kept (kind TEXT, key TEXT, value TEXT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (kind, key)); ` + triesTable

	// serversTime is PostgreSQL's clock, in ms.
	serversTime = `(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

	beaters       = 2      // connections for a node's heartbeats
	nodeSilent    = 3000   // ms of silence after which a node's clock is ignored
	nodeForgotten = 60_000 // ms after which a dead node is forgotten
)

// ownTables lists the tables that exist only in PostgreSQL databases.
const ownTables = `'goose_db_version', 'this_database', 'nodes', 'leases', 'kept', 'tries'`

// Node is one of the programs that serve a database together, as of its last heartbeat.
type Node struct {
	Name, Version string
	Presets       string // abbreviated hash of rules, formats and texts
	Apart         int64  // ms by which its machine's clock is ahead of the database's
	Hears         bool   // it receives hints of other nodes
	Silent        int64  // ms since its last heartbeat

	ahead int64 // ms by which its copy of the nodes' clock is ahead of the database's
}

// Nodes are the programs that serve a database together, as seen by one of them. A nil Nodes stands for a program that
// is none of them.
type Nodes struct {
	db     *DB
	self   Node
	beats  *sql.DB // for heartbeats, which wait for no writer
	counts *sql.DB // for counting tries at secrets, which wait for no writer either
	clock  sharedClock
	hears  atomic.Bool
	swept  atomic.Int64 // when expired data was last removed from the shelves
}

// OpenNode is OpenAlone for a program that serves a server's database together with other programs that use OpenNode.
// It fails if another program has the database to itself, or if the tables must be changed while another node serves
// it.
func OpenNode(path string) (*DB, error) {
	if !IsServer(path) {
		return nil, errors.New("several programs can serve only a PostgreSQL database together, not a file: give " +
			"its address as postgres://user:password@host/name")
	}
	host, _ := os.Hostname()
	name := fmt.Sprintf("%.40s/%d/%04x", host, os.Getpid(), rand.N(1<<16))
	s := &DB{}
	s.Nodes = &Nodes{db: s, self: Node{Name: name}}
	return s.open(path, true)
}

// BeatSQL returns the connections over which a program writes data about itself, such as its heartbeat. Those of a node
// do not wait for writing transactions.
func (s *DB) BeatSQL() *sql.DB {
	if s.Nodes == nil {
		return s.WriteSQL
	}
	return s.Nodes.beats
}

// Name returns the name of this node, or "" for a nil Nodes.
func (n *Nodes) Name() string {
	if n == nil {
		return ""
	}
	return n.self.Name
}

// Join announces this node to the others.
func (n *Nodes) Join(ctx context.Context, version, presets string) error {
	n.self.Version, n.self.Presets = version, presets
	_, err := n.Beat(ctx)
	return err
}

// Hears records whether this node receives hints of other nodes.
func (n *Nodes) Hears(yes bool) { n.hears.Store(yes) }

// Beat sends this node's heartbeat, adjusts its clock to the database's and the other nodes', and returns all nodes.
func (n *Nodes) Beat(ctx context.Context) (all []Node, err error) {
	asked := time.Now()
	var at int64
	hears := 0
	if n.hears.Load() {
		hears = 1
	}
	err = n.beats.QueryRowContext(ctx, `INSERT INTO nodes (name, version, presets, apart, ahead, hears, at)
		VALUES ($1, $2, $3, $4, $5, $6, `+serversTime+`)
		ON CONFLICT (name) DO UPDATE SET version = excluded.version, presets = excluded.presets, apart = excluded.apart, ahead = excluded.ahead, hears = excluded.hears, at = excluded.at
		RETURNING at`, n.self.Name, n.self.Version, n.self.Presets, n.self.Apart, n.clock.off.Load()/int64(time.Millisecond), hears).Scan(&at)
	if err != nil {
		return nil, err
	}
	took := time.Since(asked)
	n.self.Apart = asked.Add(took/2).UnixMilli() - at
	if all, err = n.all(ctx); err != nil {
		return nil, err
	}
	var others time.Duration // how far the present nodes' clock is ahead
	for i := range all {
		one := &all[i]
		if one.Name != n.self.Name && one.Silent < nodeSilent {
			others = max(others, time.Duration(one.ahead)*time.Millisecond)
		}
		one.ahead = 0 // ignored in comparisons
	}
	if by := n.clock.near(time.UnixMilli(at), asked.Add(took/2), took/2, others); by != 0 {
		slog.Warn("the cluster clock was behind on this node: its machine has slept, or the database's clock was set",
			"ms", by.Milliseconds())
	}
	return all, nil
}

// all returns all nodes. A heartbeat that seems to be in the future counts as old, because the database's clock has
// been set back since.
func (n *Nodes) all(ctx context.Context) (all []Node, err error) {
	rows, err := n.beats.QueryContext(ctx,
		`SELECT name, version, presets, apart, ahead, hears, abs(`+serversTime+` - at) FROM nodes ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Node
		var hears int
		if err := rows.Scan(&one.Name, &one.Version, &one.Presets, &one.Apart, &one.ahead, &hears,
			&one.Silent); err != nil {
			return nil, err
		}
		one.Hears = hears != 0
		all = append(all, one)
	}
	return all, rows.Err()
}

// Leave removes this node from the list of nodes, so that the others know that it is gone.
func (n *Nodes) Leave(ctx context.Context) error {
	_, err := n.beats.ExecContext(ctx, `DELETE FROM nodes WHERE name = $1`, n.self.Name)
	return err
}

// Forget removes nodes that have long been gone and whose leases have been taken over.
func (n *Nodes) Forget(ctx context.Context) error {
	_, err := n.db.WriteSQL.ExecContext(ctx,
		`DELETE FROM nodes WHERE at < `+serversTime+` - $1 AND name NOT IN (SELECT node FROM leases)`, nodeForgotten)
	return err
}

// connect opens the connections that wait for no writer.
func (n *Nodes) connect(config *pgx.ConnConfig, by *claim) (err error) {
	if _, n.beats, err = connectPostgres(&serverConnector{config: config, begin: "BEGIN", claim: by},
		beaters); err != nil {
		return err
	}
	_, n.counts, err = connectPostgres(&serverConnector{config: config, begin: "BEGIN", claim: by}, 1)
	return err
}

func (n *Nodes) close() (err error) {
	for _, db := range []*sql.DB{n.beats, n.counts} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// wall returns the database server's time of day.
func (n *Nodes) wall(ctx context.Context) (time.Time, error) {
	asked := time.Now()
	var at int64
	err := n.db.WriteSQL.QueryRowContext(ctx, `SELECT `+serversTime).Scan(&at)
	half := time.Since(asked) / 2
	n.self.Apart = asked.Add(half).UnixMilli() - at
	return time.UnixMilli(at).Add(half), err
}

const (
	clockSlowest = 100 * time.Millisecond // slowest answer that still gives a usable time
	clockFar     = 200 * time.Millisecond // lag from which a clock is set at once
	clockStep    = 5 * time.Millisecond   // largest adjustment of a clock at a time
)

// sharedClock runs on the machine's monotonic time and is kept close to the database's clock, so that all nodes have
// the same time. It never goes back.
type sharedClock struct {
	start time.Time // the time it showed
	from  time.Time // when it showed that time, by the machine's clock
	ahead atomic.Int64
	last  atomic.Int64
	off   atomic.Int64 // last known lead over the database's clock
}

func (c *sharedClock) set(start, from time.Time) { c.start, c.from = start, from }

func (c *sharedClock) at(moment time.Time) time.Time {
	return c.start.Add(moment.Sub(c.from) + time.Duration(c.ahead.Load()))
}

// now returns the clock's time.
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

// near adjusts the clock towards shown, the time that the database's clock showed at a moment, accurate to unsure.
// others is how far the other nodes' clock is ahead of the database's. That is so after the database's clock was set
// back; all nodes then keep that lead. If this clock is behind, because its machine slept or the database's clock was
// set, it jumps forward at once, and near returns by how much; otherwise near returns 0. Like every gap, such a jump
// costs no player time.
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
