package guard

import (
	"errors"
	"net"
	"sync/atomic"
	"syscall"
)

// Listener returns a listener that limits the open connections, in all and for each address. A connection beyond the
// limit is closed as soon as it is accepted; the others stay open. Addresses in spared are not limited, such as those
// of proxies, which everyone shares.
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

// SyscallConn returns the raw form of the underlying connection, for non-blocking writes.
func (c *placedConn) SyscallConn() (syscall.RawConn, error) {
	if below, ok := c.Conn.(syscall.Conn); ok {
		return below.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
