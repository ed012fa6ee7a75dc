// Package localname answers for a name in .local on the networks that the machine is in (multicast DNS), so that nobody types an address
// and no name server is needed.
package localname

import (
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

// lookEvery is how often it is looked whether the machine has other networks.
const lookEvery = 5 * time.Second

var names = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$`)

// Valid tells whether a machine may have the name.
func Valid(name string) bool { return len(name) <= 253 && names.MatchString(name) }

// Full is a name with .local, where it has no dot of its own.
func Full(name string) string {
	if strings.Contains(name, ".") {
		return strings.ToLower(name)
	}
	return strings.ToLower(name) + ".local"
}

// Answer answers for a name until it is closed, also in networks that the machine comes into later. A name that is not one of .local is refused.
func Answer(name string) (io.Closer, error) {
	full := Full(name)
	if !Valid(name) || strings.Count(full, ".") != 1 || !strings.HasSuffix(full, ".local") {
		return nil, fmt.Errorf("the local name: %q must be a name such as meldhall, for meldhall.local", name)
	}
	a := &answers{name: full, over: make(chan struct{}), ended: make(chan struct{})}
	conn, err := a.begin()
	if err != nil {
		return nil, fmt.Errorf("the local name: %w", err)
	}
	go a.follow(conn)
	return a, nil
}

type answers struct {
	name        string
	over, ended chan struct{}
	once        sync.Once
}

// Close ends the answers.
func (a *answers) Close() error {
	a.once.Do(func() { close(a.over) })
	<-a.ended
	return nil
}

// begin answers in the networks that there are now. Others of the machine may listen at the same port.
func (a *answers) begin() (*mdns.Conn, error) {
	at, err := net.ResolveUDPAddr("udp4", mdns.DefaultAddressIPv4)
	if err != nil {
		return nil, err
	}
	listener, err := net.ListenUDP("udp4", at)
	if err != nil {
		return nil, err
	}
	conn, err := mdns.NewServer(ipv4.NewPacketConn(listener), nil, mdns.WithLocalNames(a.name), mdns.WithLoggerFactory(silent{}), mdns.WithIncludeLoopback(true))
	if err != nil {
		return nil, fmt.Errorf("%w (port 5353: %w)", err, listener.Close())
	}
	return conn, nil
}

// follow begins anew whenever the machine's addresses change.
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
			slog.Warn("the local name is not answered for", "name", a.name, "err", err)
		}
		have = now
	}
}

func addresses() string {
	all, _ := net.InterfaceAddrs()
	return fmt.Sprint(all)
}

// silent keeps what others ask in the network out of the log.
type silent struct{}

func (silent) NewLogger(string) logging.LeveledLogger {
	return logging.NewDefaultLeveledLoggerForScope("mdns", logging.LogLevelDisabled, io.Discard)
}
