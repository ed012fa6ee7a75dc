package update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"meldhall/cmd/internal/instance"
	"meldhall/tournament/store"
)

// Server is the server that runs the program on the database.
type Server struct {
	// Stop makes it stop. It need not wait for the end.
	Stop func(context.Context) error
	// Start starts it. If the process ends by itself afterwards, ended reports it; ended is nil if that is unknown.
	Start func(context.Context) (ended <-chan error, err error)
}

// Update replaces the program at path Program, which has the given version. DB is the database file, empty if there is
// none yet.
type Update struct {
	Program, Version string
	DB               string
	Server           Server
	Out              io.Writer
}

// Limits for one start or stop of the server. A start reads through the whole database.
const (
	startMost = 2 * time.Minute
	stopMost  = 20 * time.Second
	askEvery  = 20 * time.Millisecond
)

// Run replaces the program by a staged one.
//
// The order keeps every decision. The old server stops first and closes its database, so that the copy made then is
// final. The new server answers requests only once it is ready. If it never becomes ready, nothing was decided since
// the copy, which takes its place again together with the old program. If it ended just after it was ready, it may have
// accepted decisions: the old program first tries to continue on the database as it is now. It gets the copy only if it
// cannot read a newer version's tables. Each replaced database is kept.
func (u Update) Run(ctx context.Context, to Staged) error {
	began := time.Now()
	if err := u.Server.Stop(ctx); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	kept, err := u.copyStopped(ctx)
	if err == nil {
		err = u.replace(to)
	}
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", errors.Join(err, u.startOld(ctx)))
	}
	if failed := u.start(ctx, to.Version); failed != nil {
		return u.back(ctx, to, kept, failed)
	}
	fmt.Fprintf(u.Out, "Version %s has replaced %s. The server was stopped for %v.\nThe old program is kept as %s.\n",
		to.Version, u.Version, time.Since(began).Round(time.Millisecond), u.before())
	if kept.Path != "" {
		fmt.Fprintf(u.Out, "A copy of the database before the update is kept as %s.\n", kept.Path)
	}
	return nil
}

// copyStopped waits until the old server has closed the database, and copies it.
func (u Update) copyStopped(ctx context.Context) (kept store.KeptCopy, err error) {
	if u.DB == "" {
		return kept, nil
	}
	err = within(ctx, stopMost, func() (bool, error) {
		kept, err = store.KeepCopy(ctx, u.DB, "-before-update")
		return err == nil, unlessInUse(err)
	})
	return kept, err
}

// unlessInUse returns an error unless it is that a server still has the database.
func unlessInUse(err error) error {
	if errors.As(err, new(*store.InUseError)) {
		return nil
	}
	return err
}

// before returns where the old program is kept.
func (u Update) before() string {
	if runtime.GOOS == "windows" {
		return strings.TrimSuffix(u.Program, filepath.Ext(u.Program)) + "-before.exe"
	}
	return u.Program + "-before"
}

// replace gives the staged program the name of the old one. Except on Windows, there is a program by that name at any
// moment. Windows lets a running program be renamed, but not replaced.
func (u Update) replace(to Staged) error {
	if err := os.Remove(u.before()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	keep := os.Link
	if runtime.GOOS == "windows" {
		keep = os.Rename
	}
	if err := keep(u.Program, u.before()); err != nil {
		return err
	}
	err := os.Rename(to.path, u.Program)
	if err != nil && runtime.GOOS == "windows" {
		err = errors.Join(err, os.Rename(u.before(), u.Program))
	}
	return err
}

// start starts the server, and watches it until it is ready with the given version.
func (u Update) start(ctx context.Context, version string) error {
	before := u.running()
	ended, err := u.Server.Start(ctx)
	if err != nil || u.DB == "" {
		return err
	}
	err = within(ctx, startMost, func() (bool, error) {
		select {
		case err := <-ended:
			return false, fmt.Errorf("the server ended: %w", err)
		default:
		}
		now := u.running()
		return now != before && u.opened(version) && now.Ready(ctx), nil
	})
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("the server was not ready within %v", startMost)
	}
	return err
}

// running returns the record of the server that runs, or ran last.
func (u Update) running() instance.Instance {
	i, _ := instance.Read(u.DB) // unreadable while it is being written
	return i
}

// opened reports whether a server of the given version has recorded that it answers requests.
func (u Update) opened(version string) bool {
	return strings.TrimPrefix(u.running().Version, "v") == strings.TrimPrefix(version, "v")
}

func (u Update) startOld(ctx context.Context) error {
	if err := u.start(ctx, u.Version); err != nil {
		return fmt.Errorf("the old program does not start again either: %w", err)
	}
	return nil
}

// back puts the old program back, and its data, after the new one failed.
func (u Update) back(ctx context.Context, to Staged, kept store.KeptCopy, failed error) error {
	failed = fmt.Errorf("version %s does not start: %w", to.Version, failed)
	decided := u.DB != "" && u.opened(to.Version)
	_ = u.Server.Stop(ctx) // it may have ended
	if err := os.Rename(u.Program, u.Program+"-failed"); err != nil {
		return errors.Join(failed, err)
	}
	if err := os.Rename(u.before(), u.Program); err != nil {
		return errors.Join(failed, err)
	}
	_ = os.Remove(u.Program + "-failed") // Windows may still be closing it
	var err error
	if decided {
		if err = u.startOld(ctx); err == nil {
			return fmt.Errorf("%w\nVersion %s is in place again and continues with all data", failed, u.Version)
		}
		_ = u.Server.Stop(ctx)
	}
	aside := ""
	if u.DB != "" {
		err = within(ctx, stopMost, func() (bool, error) {
			aside, err = kept.PutBack(ctx)
			return err == nil, unlessInUse(err)
		})
		if err != nil {
			return errors.Join(failed, fmt.Errorf("putting the copy %s back failed: %w", kept.Path, err))
		}
	}
	if err := u.startOld(ctx); err != nil {
		return errors.Join(failed, err)
	}
	return fmt.Errorf("%w\nVersion %s is in place again with its data. The database of the failed start is kept as %s",
		failed, u.Version, aside)
}

// within calls do until it is done, or fails, or the time is over.
func within(ctx context.Context, most time.Duration, do func() (done bool, err error)) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		if done, err := do(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askEvery):
		}
	}
}
