package guard

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"
)

// Listener bounds the connections that are open at once, in all and for each address: one more is closed as soon as it is accepted, and
// those that are there go on. The addresses in spared are not bounded, such as those of proxies, through which everybody comes.
func Listener(l net.Listener, all, each int, spared func(net.IP) bool) net.Listener {
	return &boundedListener{Listener: l, places: NewPlaces(all, each), spared: spared}
}

type boundedListener struct {
	net.Listener
	places *Places
	spared func(net.IP) bool
}

func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		from, ok := c.RemoteAddr().(*net.TCPAddr)
		if !ok || l.spared(from.IP) {
			return c, nil
		}
		reader := ReaderAt(from.IP.String())
		if err := l.places.enter(reader, l.places.each); err != nil {
			c.Close()
			continue
		}
		return &placedConn{Conn: c, places: l.places, reader: reader}, nil
	}
}

// placedConn gives its place back when it is closed.
type placedConn struct {
	net.Conn
	places *Places
	reader string
	left   atomic.Bool
}

func (c *placedConn) Close() error {
	if !c.left.Swap(true) {
		c.places.leave(c.reader)
	}
	return c.Conn.Close()
}

// SyscallConn is the connection's below, for who writes without waiting.
func (c *placedConn) SyscallConn() (syscall.RawConn, error) {
	if below, ok := c.Conn.(syscall.Conn); ok {
		return below.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
