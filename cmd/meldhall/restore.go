package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"meldhall/tournament/action"
	"meldhall/tournament/copies"
	"meldhall/tournament/rights"
	"meldhall/tournament/store"
)

// restoreCmd is the command meldhall restore.
type restoreCmd struct {
	Copy string `arg:"" help:"The copy to restore. It is not changed."`
	DB   string `help:"The database file to replace; the old one is kept in the folder backups. No server may be running on it." env:"MELDHALL_DB"`
}

// Run replaces the database with a copy.
func (c restoreCmd) Run() error { return c.restore(context.Background(), os.Stdout) }

func (c restoreCmd) restore(ctx context.Context, out io.Writer) error {
	if c.DB == "" {
		c.DB = defaultDB()
	}
	if store.IsServer(c.DB) {
		return errors.New("restore: only a database file can be replaced. To put a copy on a PostgreSQL server, use meldhall move into an empty database")
	}
	done, err := store.Restore(ctx, c.Copy, c.DB)
	if err != nil {
		return err
	}
	stopped := 0
	err = atDesk(c.DB, func(d *action.Desk) (err error) {
		if err = d.Games.Boot(ctx); err == nil {
			stopped, err = action.Do(ctx, d, atTheMachine, copies.GoneOn{Done: done})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s has replaced %s, but its clocks could not be stopped or the restore could not be "+
			"recorded; start the server on it: %w", c.Copy, c.DB, err)
	}
	fmt.Fprintf(out, "%s now continues from %s, which holds everything up to %s.\n", c.DB, c.Copy,
		time.UnixMilli(int64(done.Until)).Format("2006-01-02 15:04:05"))
	if done.Kept != "" {
		fmt.Fprintf(out, "The previous database is kept as %s.\n", done.Kept)
	}
	fmt.Fprintf(out, "Games whose clocks stay stopped until a referee resumes them: %d.\n", stopped)
	return nil
}

// wanted is a copy that an organizer wants to restore.
type wanted struct {
	copied string
	by     rights.Actor
}

// leaveMost limits how long a restore waits for requests in progress.
const leaveMost = 10 * time.Second

// restore replaces the database with a copy while serving; new requests wait at the gate. If the copy cannot be used,
// the previous database is restored.
func (p *program) restore(ctx context.Context, c serveCmd, a wanted) error {
	slog.Warn("restoring a copy of the database", "copy", a.copied, "by", a.by.Name)
	left := p.gate.shut()
	err := p.leave(ctx, left)
	if err != nil {
		return err
	}
	is := copies.GoneOn{}
	is.Done, err = store.Restore(ctx, a.copied, c.DB)
	if err == nil {
		if err = p.begin(ctx, c); err != nil {
			err = errors.Join(err, p.leave(ctx, func(context.Context) {}))
			_, back := store.Restore(ctx, is.Done.Kept, c.DB)
			err = errors.Join(err, back)
		}
	}
	if err != nil {
		slog.Error("restoring the copy failed; the previous database stays in use", "copy", a.copied, "err", err)
		is = copies.GoneOn{Done: store.Restored{Copy: filepath.Base(a.copied)}, Fault: err.Error()}
		if err := p.begin(ctx, c); err != nil {
			return err
		}
	}
	who := rights.Staff(rights.RoleOrganizer, a.by.Name) // the copy may have another account with this ID, or none
	if _, err := action.Do(ctx, p.desk, who, is); err != nil {
		slog.Error("recording the restore or stopping some clocks failed", "err", err)
	}
	p.beat()
	p.gate.open(p.web)
	return nil
}

// leave stops everything that uses the database, and closes the database. left must wait for the requests in progress,
// at most until its context ends.
func (p *program) leave(ctx context.Context, left func(context.Context)) error {
	p.beating()
	if p.games != nil {
		if err := p.games.Stop(context.WithoutCancel(ctx)); err != nil {
			slog.Error("recording the clocks failed; they are credited from the last heartbeat", "err", err)
		}
	}
	waiting, cancel := context.WithTimeout(ctx, leaveMost)
	defer cancel()
	p.closeWeb(waiting)
	left(waiting)
	return p.shutDown()
}
