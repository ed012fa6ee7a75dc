package house

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

// Commits is a network between the programs and a PostgreSQL server that may be cut in the middle of a commit: before the server is told,
// or before its answer is back, so that nobody knows what became of it.
type Commits struct {
	relay
	cuts          atomic.Uint64 // of a thousand commits
	before, after atomic.Int64
	asked         atomic.Int64
}

// RelayCommits makes one to a server, by its network and address, which cuts nothing yet. What goes through it must not be encrypted.
func RelayCommits(network, address string) (*Commits, error) {
	c := &Commits{}
	c.relay = relay{network: network, to: address, join: c.join}
	return c, c.open()
}

// Disturb has so many commits of a thousand be cut from now on.
func (c *Commits) Disturb(cuts uint64) { c.cuts.Store(cuts) }

// Disturbed is how many commits were cut before the server was told, and before it was heard.
func (c *Commits) Disturbed() (before, after int64) { return c.before.Load(), c.after.Load() }

// Asked is how many statements and scripts the server was asked for.
func (c *Commits) Asked() int64 { return c.asked.Load() }

// To has what connects from now on come to another server, and ends what is connected.
func (c *Commits) To(network, address string) {
	c.Cut(true)
	c.mu.Lock()
	c.network, c.to = network, address
	c.mu.Unlock()
	c.Cut(false)
}

// commitAsked is the message that asks for a commit.
var commitAsked = []byte("Q\x00\x00\x00\x0bCOMMIT\x00")

func (c *Commits) join(client, server net.Conn) {
	var deaf atomic.Bool // what the server answers does not come back
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

// once finds in what a client asks the ends of transactions that are one question: of those that take the lock of whoever writes by a
// prepared statement.
type once struct {
	lock   []byte // its name
	locked bool
}

// commit tells whether a message ends one.
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

// readMessage reads a message of a client; the first one of a connection has no kind.
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

// RelayDatabase is RelayCommits to the server of a database, with the address by which programs reach it through the relay.
func RelayDatabase(database string) (c *Commits, address string, err error) {
	at, err := url.Parse(database)
	if err != nil {
		return nil, "", errors.New("that is not the address of a database, such as postgres://user:password@host/name")
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
