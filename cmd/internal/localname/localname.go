// Package localname answers multicast DNS queries for a .local name on the machine's networks, so that people need not
// type an address and no name server is needed.
package localname

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/pion/logging"
	"github.com/pion/mdns/v2"
	"golang.org/x/net/ipv4"
)

// lookEvery is how often the machine's network addresses are checked for changes.
const lookEvery = 5 * time.Second

var names = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)

// Valid reports whether name is a valid host name.
func Valid(name string) bool { return len(name) <= 253 && names.MatchString(name) }

// Full returns a name in lower case, with .local appended if it contains no dot.
func Full(name string) string {
	if strings.Contains(name, ".") {
		return strings.ToLower(name)
	}
	return strings.ToLower(name) + ".local"
}

// Answer answers queries for a name until the returned closer is closed, also on networks that the machine joins later.
// It returns an error for a name outside .local.
func Answer(name string) (io.Closer, error) {
	full := Full(name)
	if !Valid(name) || strings.Count(full, ".") != 1 || !strings.HasSuffix(full, ".local") {
		return nil, fmt.Errorf("local name: %q must be a name such as meldhall, for meldhall.local", name)
	}
	a := &answers{name: full, over: make(chan struct{}), ended: make(chan struct{})}
	conn, err := a.begin()
	if err != nil {
		return nil, fmt.Errorf("local name: %w", err)
	}
	go a.follow(conn)
	return a, nil
}

type answers struct {
	name        string
	over, ended chan struct{}
	once        sync.Once
}

// Close stops answering queries.
func (a *answers) Close() error {
	a.once.Do(func() { close(a.over) })
	<-a.ended
	return nil
}

// begin answers queries on the current networks. Other programs on the machine may listen on the same port.
func (a *answers) begin() (*mdns.Conn, error) {
	at, err := net.ResolveUDPAddr("udp4", mdns.DefaultAddressIPv4)
	if err != nil {
		return nil, err
	}
	listener, err := net.ListenUDP("udp4", at)
	if err != nil {
		return nil, err
	}
	conn, err := mdns.NewServer(ipv4.NewPacketConn(listener), nil, mdns.WithLocalNames(a.name),
		mdns.WithLoggerFactory(silent{}), mdns.WithIncludeLoopback(true))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("port 5353: %w", err), listener.Close())
	}
	return conn, nil
}

// follow restarts the answering whenever the machine's addresses change, until Close is called.
func (a *answers) follow(conn *mdns.Conn) {
	defer close(a.ended)
	have := addresses()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-a.over:
			if conn != nil {
				conn.Close()
			}
			return
		case <-tick.C:
		}
		now := addresses()
		if now == have && conn != nil {
			continue
		}
		if conn != nil {
			conn.Close()
		}
		var err error
		if conn, err = a.begin(); err != nil && now != have {
			slog.Warn("answering for the local name failed", "name", a.name, "err", err)
		}
		have = now
	}
}

func addresses() string {
	all, _ := net.InterfaceAddrs()
	return fmt.Sprint(all)
}

// silent is a logger factory that keeps other devices' queries out of the log.
type silent struct{}

func (silent) NewLogger(string) logging.LeveledLogger {
	return logging.NewDefaultLeveledLoggerForScope("mdns", logging.LogLevelDisabled, io.Discard)
}
