package live

import (
	"log/slog"
	"os"
	"sync"
	"syscall"
)

// departures detects readers who close their connections, with one goroutine for all of them. One goroutine for each
// reader would only block on a read and take 16 KiB or more of stack. There is one instance for the process, like the
// runtime's own poller.
type departures struct {
	poll  syscall.RawConn
	descr int

	mu      sync.Mutex
	readers map[int32]func()
	last    int32
}

var departing = sync.OnceValue(func() *departures {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err == nil {
		err = syscall.SetNonblock(fd, true)
	}
	var poll syscall.RawConn
	if err == nil {
		poll, err = os.NewFile(uintptr(fd), "departures").SyscallConn()
	}
	if err != nil {
		slog.Error("epoll is not available; watching streams one by one", "err", err)
		return nil
	}
	d := &departures{poll: poll, descr: fd, readers: map[int32]func(){}}
	go d.notice()
	return d
})

// tellGone calls gone once, soon after the reader has closed the connection, unless forget is called first. It returns
// false if it cannot detect that.
func tellGone(conn syscall.RawConn, gone func()) (forget func(), ok bool) {
	d := departing()
	if conn == nil || d == nil {
		return nil, false
	}
	d.mu.Lock()
	for d.last++; d.readers[d.last] != nil; d.last++ {
	}
	id := d.last
	d.readers[id] = gone
	d.mu.Unlock()
	forget = func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.readers, id)
	}
	var err error
	e := conn.Control(func(fd uintptr) {
		err = syscall.EpollCtl(d.descr, syscall.EPOLL_CTL_ADD, int(fd),
			&syscall.EpollEvent{Events: syscall.EPOLLRDHUP | syscall.EPOLLONESHOT, Fd: id})
	})
	if e != nil || err != nil {
		forget()
		return nil, false
	}
	return forget, true
}

// notice calls the functions of departed readers, forever. A connection closed on this side is no longer watched.
func (d *departures) notice() {
	var events [64]syscall.EpollEvent
	for {
		n := 0
		err := d.poll.Read(func(fd uintptr) bool {
			n, _ = syscall.EpollWait(int(fd), events[:], 0)
			return n > 0
		})
		if err != nil {
			slog.Error("epoll failed; closed streams are no longer detected", "err", err)
			return
		}
		for _, e := range events[:n] {
			d.mu.Lock()
			gone := d.readers[e.Fd]
			delete(d.readers, e.Fd)
			d.mu.Unlock()
			if gone != nil {
				gone()
			}
		}
	}
}
