package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"runtime"
	"strconv"
	"syscall"
)

// doorway is how many viewers connect at the same time.
const doorway = 16

// onlooker is a viewer whose bytes are counted and discarded.
type onlooker struct {
	what int
	in   bool // its stream has started
}

// arrive connects all viewers and returns when they have their streams. Those of the sample read as browsers do. A
// single thread reads for all others, to keep the load on the measuring machine low.
func (v *viewing) arrive(ctx context.Context) error {
	arrived := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		v.lookOn(func(err error) {
			select {
			case arrived <- err:
			default:
			}
		})
	}()
	for n := range v.Count {
		if v.sampled(n) {
			if err := v.watch(ctx, n); err != nil {
				return err
			}
		}
	}
	select {
	case err := <-arrived:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lookOn runs all viewers that only count bytes. arrived is called when all are connected, or when one fails.
func (v *viewing) lookOn(arrived func(error)) {
	host, port, err := net.SplitHostPort(v.address)
	if err != nil {
		arrived(err)
		return
	}
	number, _ := strconv.Atoi(port)
	to := &syscall.SockaddrInet4{Port: number}
	copy(to.Addr[:], net.ParseIP(host).To4())
	poll, err := syscall.EpollCreate1(0)
	if err != nil {
		arrived(err)
		return
	}
	open := map[int32]*onlooker{}
	next, coming := 0, 0
	events, buf := make([]syscall.EpollEvent, 512), make([]byte, 256<<10)
	for {
		for ; next < v.Count && coming < doorway; next++ {
			if v.sampled(next) {
				continue
			}
			fd, what, err := v.knock(poll, to, next)
			if err != nil {
				arrived(fmt.Errorf("viewer %d: %w", next, err))
				return
			}
			open[int32(fd)] = &onlooker{what: what}
			coming++
		}
		if next == v.Count && coming == 0 {
			arrived(nil)
		}
		n, err := syscall.EpollWait(poll, events, -1)
		if err != nil && err != syscall.EINTR {
			arrived(err)
			return
		}
		for _, e := range events[:max(n, 0)] {
			one := open[e.Fd]
			n, err := syscall.Read(int(e.Fd), buf)
			switch {
			case err == syscall.EAGAIN || err == syscall.EINTR:
				continue
			case err != nil || n == 0 || !one.in && !bytes.HasPrefix(buf[:n], []byte("HTTP/1.1 200")):
				if !one.in {
					arrived(fmt.Errorf("a viewer was rejected: %.200s (%v)", buf[:max(n, 0)], err))
					return
				}
				v.lost.Add(1)
				_ = syscall.Close(int(e.Fd))
				delete(open, e.Fd)
				continue
			case !one.in:
				one.in = true
				coming--
				v.there.Add(1)
			}
			v.bytes[one.what].Add(int64(n))
		}
	}
}

// knock requests the nth viewer's stream.
func (v *viewing) knock(poll int, to *syscall.SockaddrInet4, n int) (fd, what int, err error) {
	what, page := v.page(n)
	if fd, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0); err != nil {
		return 0, 0, err
	}
	from := &syscall.SockaddrInet4{}
	copy(from.Addr[:], v.from(n))
	if err = syscall.Bind(fd, from); err != nil {
		return 0, 0, err
	}
	if err = syscall.Connect(fd, to); err != nil {
		return 0, 0, err
	}
	if _, err = syscall.Write(fd, v.request(page)); err != nil {
		return 0, 0, err
	}
	if err = syscall.SetNonblock(fd, true); err != nil {
		return 0, 0, err
	}
	return fd, what, syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, fd,
		&syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(fd)})
}
