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

	"meldhall/tournament/copies"
	"meldhall/tournament/door"
	"meldhall/tournament/rights"
	"meldhall/tournament/storage"
)

// restoreCmd is meldhall restore.
type restoreCmd struct {
	Copy string `arg:"" help:"The copy to restore. It stays where it is."`
	DB   string `help:"The database file to replace; it is kept in the folder backups. No server may be running on it." env:"MELDHALL_DB"`
}

// Run puts a copy in the place of the database.
func (c restoreCmd) Run() error { return c.restore(context.Background(), os.Stdout) }

func (c restoreCmd) restore(ctx context.Context, out io.Writer) error {
	if c.DB == "" {
		c.DB = defaultDB()
	}
	if storage.IsServer(c.DB) {
		return errors.New("restore: only a database file can be replaced. To put a copy on a PostgreSQL server, use meldhall move into an empty database")
	}
	done, err := storage.Restore(ctx, c.Copy, c.DB)
	if err != nil {
		return err
	}
	stopped := 0
	err = atDesk(c.DB, func(d *door.Desk) (err error) {
		if err = d.Games.Boot(ctx); err == nil {
			stopped, err = door.Do(ctx, d, atTheMachine, copies.GoneOn{Done: done})
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("%s has taken the place of %s, but its clocks could not be stopped or the restore could not be recorded; start the server on it: %w", c.Copy, c.DB, err)
	}
	fmt.Fprintf(out, "%s now goes on with %s, which holds everything up to %s.\n", c.DB, c.Copy, time.UnixMilli(int64(done.Until)).Format("2006-01-02 15:04:05"))
	if done.Kept != "" {
		fmt.Fprintf(out, "The previous database is kept as %s.\n", done.Kept)
	}
	fmt.Fprintf(out, "Games whose clocks are stopped until a referee lets them run: %d.\n", stopped)
	return nil
}

// wanted is a copy that an organizer wants to go on with.
type wanted struct {
	copied string
	by     rights.Actor
}

// leaveMost is how long a restore waits for requests that are under way.
const leaveMost = 10 * time.Second

// restore puts a copy in the place of the database that is served, and goes on over it: who asks for something meanwhile waits at the gate.
// Where the copy cannot be gone on with, the database of before comes back.
func (p *program) restore(ctx context.Context, c serveCmd, a wanted) error {
	slog.Warn("a copy takes the place of the database", "copy", a.copied, "by", a.by.Name)
	left := p.gate.shut()
	err := p.leave(ctx, left)
	if err != nil {
		return err
	}
	is := copies.GoneOn{}
	is.Done, err = storage.Restore(ctx, a.copied, c.DB)
	if err == nil {
		if err = p.begin(ctx, c); err != nil {
			err = errors.Join(err, p.leave(ctx, func(context.Context) {}))
			_, back := storage.Restore(ctx, is.Done.Kept, c.DB)
			err = errors.Join(err, back)
		}
	}
	if err != nil {
		slog.Error("the copy cannot be used: the previous database stays in use", "copy", a.copied, "err", err)
		is = copies.GoneOn{Done: storage.Restored{Copy: filepath.Base(a.copied)}, Fault: err.Error()}
		if err := p.begin(ctx, c); err != nil {
			return err
		}
	}
	who := rights.Staff(rights.RoleOrganizer, a.by.Name) // whose account may be another one, or none, in the copy
	if _, err := door.Do(ctx, p.desk, who, is); err != nil {
		slog.Error("the restore could not be recorded, or not all clocks could be stopped", "err", err)
	}
	p.beat()
	p.gate.open(p.web)
	return nil
}

// leave ends what runs over the database, and closes it.
func (p *program) leave(ctx context.Context, left func(context.Context)) error {
	p.beating()
	if p.games != nil {
		if err := p.games.Stop(context.WithoutCancel(ctx)); err != nil {
			slog.Error("the clocks are credited from the last heartbeat on", "err", err)
		}
	}
	waiting, cancel := context.WithTimeout(ctx, leaveMost)
	defer cancel()
	p.closeWeb(waiting)
	left(waiting)
	return p.shutDown()
}
