package main

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"meldhall/cmd/internal/certificates"
	"meldhall/cmd/internal/client"
)

// linesShared is how many connections the commands of all tables share at more than linesOwn tables, whose eight connections each would be more
// than the 20,000 files that a process may often have open.
const (
	linesShared = 32
	linesOwn    = 2400
)

// sharedLines are connections that players take for a command each.
func sharedLines() chan *line {
	lines := make(chan *line, linesShared)
	for range linesShared {
		lines <- &line{}
	}
	return lines
}

// playersTogether is how many players share one connection of HTTP/2: each has a stream that goes on, one of four sends a command, and Go's
// server bears 250 at a time.
const playersTogether = 160

// certify makes a certificate for the server, and gives the flags to serve with.
func (t *loadTest) certify() (flags []string, err error) {
	made, err := certificates.Make(t.dir, []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}, time.Now())
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(made.Authority)
	t.trusts = &tls.Config{RootCAs: pool}
	return []string{"--tls-cert", filepath.Join(t.dir, certificates.ServerFile), "--tls-key", filepath.Join(t.dir, certificates.ServerKeyFile)}, nil
}

func (t *loadTest) transport() *http.Transport {
	transport := client.NewTransport()
	if t.HTTP2 {
		transport.TLSClientConfig, transport.ForceAttemptHTTP2 = t.trusts, true
	}
	return transport
}

// next is the connection of the next player who joins.
func (t *loadTest) next() *client.Client {
	if !t.HTTP2 {
		return t.api
	}
	if t.joined%playersTogether == 0 {
		t.shared = client.New(t.Server, t.transport())
	}
	t.joined++
	return t.shared
}
