package cluster

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
)

// Commits is a proxy between the nodes and a PostgreSQL server that can break a connection during a commit: before the
// server receives the commit, or before its answer arrives, so that the result is unknown.
type Commits struct {
	relay
	cuts          atomic.Uint64 // per thousand commits
	before, after atomic.Int64
	asked         atomic.Int64
}

// RelayCommits starts a proxy to a server, given by network and address, that cuts nothing yet. The connections through
// it must not be encrypted.
func RelayCommits(network, address string) (*Commits, error) {
	c := &Commits{}
	c.relay = relay{network: network, to: address, join: c.join}
	return c, c.open()
}

// Disturb sets how many of a thousand commits are interrupted from now on.
func (c *Commits) Disturb(cuts uint64) { c.cuts.Store(cuts) }

// Disturbed returns how many commits were interrupted before the server received them, and how many before its answer
// arrived.
func (c *Commits) Disturbed() (before, after int64) { return c.before.Load(), c.after.Load() }

// Asked returns how many queries and prepared statements the server was asked to run.
func (c *Commits) Asked() int64 { return c.asked.Load() }

// To redirects new connections to another server, given by network and address, and closes the existing ones.
func (c *Commits) To(network, address string) {
	c.Cut(true)
	c.mu.Lock()
	c.network, c.to = network, address
	c.mu.Unlock()
	c.Cut(false)
}

// commitAsked is the protocol message that requests a commit.
var commitAsked = []byte("Q\x00\x00\x00\x0bCOMMIT\x00")

func (c *Commits) join(client, server net.Conn) {
	var deaf atomic.Bool // the server's answers are dropped
	go func() {
		defer client.Close()
		defer server.Close()
		buffer := make([]byte, 64<<10)
		for {
			n, err := server.Read(buffer)
			if err != nil || deaf.Load() {
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	defer server.Close()
	var asks once
	for first := true; ; first = false {
		message, err := readMessage(client, first)
		if err != nil {
			return
		}
		if message[0] == 'Q' || message[0] == 'E' {
			c.asked.Add(1)
		}
		if (asks.commit(message) || bytes.Equal(message, commitAsked)) && rand.Uint64N(1000) < c.cuts.Load() {
			if rand.Uint64N(2) == 0 {
				c.before.Add(1)
				return
			}
			c.after.Add(1)
			deaf.Store(true)
		}
		if _, err := server.Write(message); err != nil {
			return
		}
	}
}

// once detects the commit of a transaction that is sent in a single exchange, by the prepared statement that takes the
// writers' lock.
type once struct {
	lock   []byte // name of the prepared statement
	locked bool
}

// commit reports whether a message commits such a transaction.
func (o *once) commit(message []byte) bool {
	switch name, rest, _ := bytes.Cut(message[min(5, len(message)):], []byte{0}); message[0] {
	case 'P': // prepare: a name, the statement
		if bytes.Contains(rest, []byte("pg_advisory_xact_lock")) {
			o.lock = bytes.Clone(name)
		}
	case 'B': // bind: a portal, a name
		name, _, _ = bytes.Cut(rest, []byte{0})
		o.locked = o.locked || o.lock != nil && bytes.Equal(name, o.lock)
	case 'S': // sync
		defer func() { o.locked = false }()
		return o.locked
	}
	return false
}

// readMessage reads a message of a client; the first message of a connection has no type byte.
func readMessage(from io.Reader, first bool) ([]byte, error) {
	head := make([]byte, 5)
	if first {
		head = head[:4]
	}
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, err
	}
	size := int(binary.BigEndian.Uint32(head[len(head)-4:])) - 4
	if size < 0 || size > 1<<28 {
		return nil, io.ErrUnexpectedEOF
	}
	message := append(head, make([]byte, size)...)
	_, err := io.ReadFull(from, message[len(head):])
	return message, err
}

// RelayDatabase is RelayCommits for the server of a database address. It also returns the address that leads through
// the proxy.
func RelayDatabase(database string) (c *Commits, address string, err error) {
	at, err := url.Parse(database)
	if err != nil {
		return nil, "", errors.New("not a database address such as postgres://user:password@host/name")
	}
	query := at.Query()
	host, port := cmp.Or(at.Hostname(), query.Get("host"), "localhost"), cmp.Or(at.Port(), query.Get("port"), "5432")
	network, to := "tcp", net.JoinHostPort(host, port)
	if filepath.IsAbs(host) {
		network, to = "unix", filepath.Join(host, ".s.PGSQL."+port)
	}
	if c, err = RelayCommits(network, to); err != nil {
		return nil, "", err
	}
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	at.Host, at.RawQuery = c.Address(), query.Encode()
	return c, at.String(), nil
}
