package house

import (
	"net"
	"sync"
)

// relay passes connections on to a server, and may be cut.
type relay struct {
	listener net.Listener
	network  string // of the server
	to       string
	join     func(client, server net.Conn) // passes on until one of them ends

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]struct{}
}

// open begins to listen on the loopback.
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

// Cut takes the server away, or lets it be reached again.
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

// Close ends it.
func (r *relay) Close() {
	r.listener.Close()
	r.Cut(true)
}

// Address is where it listens, host and port.
func (r *relay) Address() string { return r.listener.Addr().String() }
