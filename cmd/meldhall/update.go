package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"meldhall/cmd/internal/desktop"
	"meldhall/cmd/internal/instance"
	"meldhall/cmd/internal/release"
	"meldhall/cmd/internal/service"
	"meldhall/cmd/internal/update"
	"meldhall/tournament/store"
)

// updateCmd is the command meldhall update.
type updateCmd struct {
	From string `arg:"" name:"file-or-url" help:"The archive beside SHA256SUMS, or their folder."`
	Key  string `help:"The verifier key of the release, for a program built from source. A downloaded program has it."`
	DB   string `help:"The database file. Default: that of the service, the desktop or this folder." env:"MELDHALL_DB"`
}

// Run replaces this program and restarts the server that runs it.
func (c updateCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if release.Key != "" && c.Key != "" && c.Key != release.Key {
		return errors.New("this program has its own verifier key; --key is for one that was built from source")
	}
	program, err := os.Executable()
	if err == nil {
		program, err = filepath.EvalSymlinks(program)
	}
	if err != nil {
		return err
	}
	u := update.Update{Program: program, Version: version(), Out: os.Stdout}
	served := false
	if u.DB, u.Server, served, err = c.find(program); err != nil {
		return err
	}
	from, err := release.From(c.From)
	if err != nil {
		return err
	}
	staged, err := update.Stage(ctx, from, cmp.Or(release.Key, c.Key), program, version())
	if err != nil {
		return fmt.Errorf("update: nothing was changed: %w", err)
	}
	defer staged.Remove()
	ctx = context.WithoutCancel(ctx) // an update cannot stop halfway
	err = u.Run(ctx, staged)
	if !served {
		err = errors.Join(err, u.Server.Stop(ctx))
		fmt.Println("No server was running, so none runs now. Start it again.")
	}
	return err
}

// find returns the database to update, and how its server is stopped and started. If none is served, the server is one
// that only tries the program.
func (c updateCmd) find(program string) (db string, s update.Server, isServed bool, err error) {
	served, idle, err := c.databases()
	if err != nil {
		return "", s, false, err
	}
	found := served
	if len(found) == 0 {
		found = idle
	}
	switch {
	case len(found) > 1:
		return "", s, false, fmt.Errorf("there are several databases: name one of %q with --db", found)
	case len(found) == 0:
		return "", unstarted(), false, nil
	case len(served) == 0:
		return found[0], trial(program, found[0]), false, nil
	}
	s, err = restarted(program, found[0])
	return found[0], s, true, err
}

// databases returns the existing databases that this program may serve: those that a server has now, and the others.
func (c updateCmd) databases() (served, idle []string, err error) {
	candidates, err := c.candidates()
	if err != nil {
		return nil, nil, err
	}
	for _, db := range candidates {
		if store.IsServer(db) {
			return nil, nil, errors.New("a server on a PostgreSQL database is updated by hand: the guide explains it")
		}
		switch err := store.Unserved(db); {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, fs.ErrPermission):
			return nil, nil, fmt.Errorf("%w: run the command as root, or name your own database with --db", err)
		case errors.As(err, new(*store.InUseError)):
			served = append(served, db)
		case err != nil:
			return nil, nil, err
		default:
			idle = append(idle, db)
		}
	}
	return served, idle, nil
}

// candidates returns the databases that this program may serve.
func (c updateCmd) candidates() ([]string, error) {
	if c.DB != "" {
		return []string{c.DB}, nil
	}
	folder, err := desktop.Folder()
	if err != nil {
		return nil, err
	}
	own, err := filepath.Abs(defaultDB())
	return slices.Compact([]string{service.Database(), filepath.Join(folder, "meldhall.db"), own}), err
}

// restarted returns the running server of a database.
func restarted(program, db string) (s update.Server, err error) {
	i, err := instance.Read(db)
	if err != nil {
		return s, err
	}
	if i.Kind == instance.Terminal || i.Kind == "" {
		return s, fmt.Errorf("the server on %s was started by hand, and only you can start it again: stop it, run "+
			"this command once more, and start the server", db)
	}
	if runs, err := filepath.EvalSymlinks(i.Program); err != nil || runs != program {
		return s, fmt.Errorf("the server on %s runs %s, not this program: run \"%s update\"", db, i.Program, i.Program)
	}
	if i.Kind == instance.Service {
		return update.Server{
			Stop:  func(context.Context) error { return service.Stop() },
			Start: func(context.Context) (<-chan error, error) { return nil, service.Start() },
		}, nil
	}
	s = started(func() (*exec.Cmd, error) { return desktop.Start(program, "desktop", "--background") })
	end := s.Stop
	s.Stop = func(ctx context.Context) error {
		if now, err := instance.Read(db); err == nil && now.PID == i.PID {
			return i.Quit(ctx)
		}
		return end(ctx)
	}
	return s, nil
}

// endMost is how long a server that this process started may take to end.
const endMost = 10 * time.Second

// started returns a server that this process starts. Stop ends the last start.
func started(start func() (*exec.Cmd, error)) update.Server {
	var last *exec.Cmd
	var over chan struct{}
	return update.Server{
		Stop: func(context.Context) error {
			if last == nil {
				return nil
			}
			// as at a loss of power, nothing acknowledged is lost
			timer := time.AfterFunc(endMost, func() { _ = last.Process.Kill() })
			defer timer.Stop()
			if runtime.GOOS == "windows" || last.Process.Signal(syscall.SIGTERM) != nil {
				_ = last.Process.Kill()
			}
			<-over
			return nil
		},
		Start: func(context.Context) (<-chan error, error) {
			cmd, err := start()
			if err != nil {
				return nil, err
			}
			ended := make(chan error, 1)
			last, over = cmd, make(chan struct{})
			go func(over chan struct{}) {
				if err := cmd.Wait(); err != nil {
					ended <- err
				} else {
					ended <- errors.New("it ended without an error")
				}
				close(over)
			}(over)
			return ended, nil
		},
	}
}

// trial returns a server for a database that none serves: it starts on an address of this machine alone.
func trial(program, db string) update.Server {
	return started(func() (*exec.Cmd, error) {
		return desktop.Start(program, "serve", "--db", db, "--listen", "127.0.0.1:0")
	})
}

// unstarted returns a server for a program that has no database yet.
func unstarted() update.Server {
	return update.Server{
		Stop:  func(context.Context) error { return nil },
		Start: func(context.Context) (<-chan error, error) { return nil, nil },
	}
}
