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

// With more than linesOwn tables, all commands share linesShared connections. With eight connections per table of its
// own, a process would exceed 20,000 open files, a common limit.
const (
	linesShared = 32
	linesOwn    = 2400
)

// sharedLines returns connections that a player takes for one command at a time.
func sharedLines() chan *line {
	lines := make(chan *line, linesShared)
	for range linesShared {
		lines <- &line{}
	}
	return lines
}

// playersTogether is how many players share one HTTP/2 connection. Each has a permanent stream, a quarter of them sends
// a command at the same time, and Go's server allows 250 streams per connection.
const playersTogether = 160

// certify creates a certificate for the server, and returns the flags to serve with it.
func (t *loadTest) certify() (flags []string, err error) {
	made, err := certificates.Make(t.dir, []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}, time.Now())
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(made.Authority)
	t.trusts = &tls.Config{RootCAs: pool}
	return []string{"--tls-cert", filepath.Join(t.dir, certificates.ServerFile), "--tls-key",
		filepath.Join(t.dir, certificates.ServerKeyFile)}, nil
}

func (t *loadTest) transport() *http.Transport {
	transport := client.NewTransport()
	if t.HTTP2 {
		transport.TLSClientConfig, transport.ForceAttemptHTTP2 = t.trusts, true
	}
	return transport
}

// next returns the client for the next player to join.
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
