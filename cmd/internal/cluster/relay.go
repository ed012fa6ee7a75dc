package cluster

import (
	"net"
	"sync"
)

// relay forwards connections to a server, and can cut them.
type relay struct {
	listener net.Listener
	network  string // of the server
	to       string
	join     func(client, server net.Conn) // forwards data until one of the connections ends

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]struct{}
}

// open starts listening on the loopback.
func (r *relay) open() (err error) {
	r.conns = map[net.Conn]struct{}{}
	if r.listener, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
		go r.accept()
	}
	return err
}

func (r *relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		go r.pass(client)
	}
}

func (r *relay) pass(client net.Conn) {
	defer client.Close()
	r.mu.Lock()
	network, to := r.network, r.to
	r.mu.Unlock()
	server, err := net.Dial(network, to)
	if err != nil {
		return
	}
	defer server.Close()
	r.mu.Lock()
	if r.cut {
		r.mu.Unlock()
		return
	}
	r.conns[client] = struct{}{}
	r.mu.Unlock()
	r.join(client, server)
	r.mu.Lock()
	delete(r.conns, client)
	r.mu.Unlock()
}

// Cut makes the server unreachable if away is set, otherwise reachable again.
func (r *relay) Cut(away bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cut = away
	if away {
		for c := range r.conns {
			c.Close()
		}
	}
}

// Close stops the relay and closes its connections.
func (r *relay) Close() {
	r.listener.Close()
	r.Cut(true)
}

// Address returns the host and port on which the relay listens.
func (r *relay) Address() string { return r.listener.Addr().String() }
