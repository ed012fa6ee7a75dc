package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	"meldhall/cmd/internal/desktop"
	"meldhall/cmd/internal/instance"
	"meldhall/tournament/store"
	"meldhall/web/accounts"
	"meldhall/web/request"
)

// desktopCmd is the command meldhall desktop, which a double click runs.
type desktopCmd struct {
	Background bool `help:"Do not open the browser."`
}

// Run serves the user's own data, and shows pages in the browser instead of text in a terminal.
func (c desktopCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	desktop.LeaveConsole()
	err := c.start(ctx)
	if err != nil && !c.Background {
		slog.Error("the server did not start", "err", err)
		err = errors.Join(err, desktop.ShowProblem(ctx, request.ErrorText(ctx, err)))
	}
	return err
}

// start opens the page of the server that already runs on the user's data, or serves it.
func (c desktopCmd) start(ctx context.Context) error {
	folder, err := desktop.Folder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	db := filepath.Join(folder, "meldhall.db")
	before, _ := instance.Read(db) // a damaged record is as good as none
	if before.Answers(ctx) {
		return c.show(before)
	}
	err = c.serve(ctx, db, before)
	if errors.As(err, new(*store.InUseError)) && c.showOther(ctx, db) {
		return nil
	}
	return err
}

func (c desktopCmd) show(i instance.Instance) error {
	if c.Background {
		return nil
	}
	return desktop.Open(i.Page())
}

// otherMost is how long another start may take that has the database.
const otherMost = 20 * time.Second

// showOther opens the page of a server that started at the same time, as after two double clicks. It reports whether
// there is one.
func (c desktopCmd) showOther(ctx context.Context, db string) bool {
	ctx, cancel := context.WithTimeout(ctx, otherMost)
	defer cancel()
	for ctx.Err() == nil {
		if i, err := instance.Read(db); err == nil && i.Kind != instance.Desktop && i.Ready(ctx) {
			return false
		} else if err == nil && i.Answers(ctx) {
			return c.show(i) == nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return false
}

// serve serves the database until the person quits. It prefers the port of the instance before, whose address tablets
// may know.
func (c desktopCmd) serve(ctx context.Context, db string, before instance.Instance) error {
	keepLog(filepath.Dir(db))
	last := 0
	if u, err := url.Parse(before.Address); err == nil && before.Kind == instance.Desktop {
		last, _ = strconv.Atoi(u.Port())
	}
	port, err := desktop.FreePort(last)
	if err != nil {
		return err
	}
	if err := setZone(""); err != nil {
		return err
	}
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	server := serveCmd{DB: db, Listen: fmt.Sprintf(":%d", port), desktop: &desktopStart{key: rand.Text(), quit: quit,
		ready: func(i instance.Instance) {
			if err := c.show(i); err != nil {
				slog.Error("opening the browser failed", "err", err)
			}
		}}}
	return server.serve(ctx, os.Stdout)
}

// keepLog writes what a terminal would show into a file in the folder, and keeps the file of the start before.
func keepLog(folder string) {
	name := filepath.Join(folder, "meldhall.log")
	_ = os.Rename(name, filepath.Join(folder, "meldhall-before.log"))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil { // a full disk must not hide the reason for not starting
		return
	}
	os.Stdout, os.Stderr = f, f
	_ = debug.SetCrashOutput(f, debug.CrashOptions{})
	slog.SetDefault(slog.New(slog.NewTextHandler(f, nil)))
}

// desktopStart is what a server needs that was started without a terminal.
type desktopStart struct {
	key   string
	quit  func()
	ready func(instance.Instance) // called when the server is ready
}

// computer returns what the pages offer to the person at the computer; nil for other starts.
func (p *program) computer(c serveCmd) *accounts.Computer {
	if c.desktop == nil {
		return nil
	}
	return &accounts.Computer{Key: c.desktop.key, Folder: p.store.Folder(), Quit: c.desktop.quit,
		Addresses: func() (addresses []string) {
			for _, host := range hostsOf(net.IPv4zero) {
				if !net.ParseIP(host).IsLoopback() {
					addresses = append(addresses, "http://"+net.JoinHostPort(host, strconv.Itoa(p.at.Port)))
				}
			}
			return addresses
		}}
}

// record records for other starts on this machine that the server runs. It is called before the first request is
// answered.
func (p *program) record(c serveCmd) (i instance.Instance) {
	program, _ := os.Executable()
	host, scheme := "127.0.0.1", "http"
	if !p.at.IP.IsUnspecified() {
		host = p.at.IP.String()
	}
	if c.encrypts() {
		scheme = "https"
	}
	i = instance.Instance{PID: os.Getpid(), Kind: instance.Terminal, Program: program, Version: version()}
	switch {
	case c.desktop != nil:
		host = "localhost" // browsers allow passkeys there
		i.Kind, i.Key, i.Token = instance.Desktop, c.desktop.key, p.setup
	case c.service:
		i.Kind = instance.Service
	}
	i.Address = scheme + "://" + net.JoinHostPort(host, strconv.Itoa(p.at.Port))
	if err := i.Write(c.DB); err != nil {
		slog.Warn("recording where the server runs failed; updating it needs a stop by hand", "err", err)
	}
	return i
}
