package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"meldhall/tournament/action"
	"meldhall/tournament/archive"
	"meldhall/web/request"
)

// exportCmd is the command meldhall export.
type exportCmd struct {
	To    string `arg:"" help:"The file to write, such as event.zip. It must not exist."`
	Event int64  `help:"The number of the event in the database." required:""`
	DB    string `help:"The database: a file, or postgres://user:password@host/name." env:"MELDHALL_DB"`
}

// Help returns the text of meldhall export --help.
func (exportCmd) Help() string {
	return "Writes the archive of an event, even while the server runs: its format, rules, players, rounds, game " +
		"logs, rulings, results,\n" +
		"places and records of actions. It contains no secrets. Unfinished games are only listed as left out."
}

// Run writes the archive.
func (c exportCmd) Run() (err error) {
	ctx := context.Background()
	store, err := openExisting(c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	a, err := archive.Of(ctx, store, c.Event)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.To, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	n, err := a.WriteTo(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(c.To))
	}
	fmt.Printf("%s: %d bytes, %s\n", c.To, n, contents(a.Manifest))
	return nil
}

// importCmd is the command meldhall import.
type importCmd struct {
	File    string `arg:"" help:"The archive of an event, or - for standard input."`
	Preview bool   `help:"List the archive's contents without importing it."`
	DB      string `help:"The database: a file, created if missing. No server may be running on it. A running server imports archives at POST /api/v1/actions/tournament.import." env:"MELDHALL_DB"`
}

// Run verifies the archive and imports the tournament.
func (c importCmd) Run() error {
	file, err := openGiven(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, archive.Most+1))
	if err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	return atDesk(cmp.Or(c.DB, defaultDB()), func(d *action.Desk) error {
		act := action.Do[archive.Imported]
		if c.Preview {
			act = action.Preview[archive.Imported]
		}
		out, err := act(context.Background(), d, atTheMachine, archive.Import(data))
		if err == nil && c.Preview {
			fmt.Println("would be imported:", contents(out.Manifest))
		} else if err == nil {
			fmt.Printf("event %d: %s\n", out.Event.ID, contents(out.Manifest))
		}
		return err
	})
}

// contents describes an archive's contents in one line.
func contents(m archive.Manifest) string {
	e := m.Event
	text := fmt.Sprintf("%s: %d players, %d rounds, %d games, %d logs, sha256 %s, head %s", e.Name, e.Players, e.Rounds,
		e.Games, e.Logs, m.SHA256, m.Head)
	if len(m.LeftOut) > 0 {
		text += fmt.Sprintf("; left out: %d games", len(m.LeftOut))
		for _, g := range m.LeftOut {
			text += fmt.Sprintf(", %d (%s)", g.Game, g.Why)
		}
	}
	return text
}

func readArchive(in io.Reader) (*archive.Archive, error) {
	data, err := io.ReadAll(io.LimitReader(in, archive.Most+1))
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	return archive.Read(data)
}

// verifyArchive checks an archive, and writes one line for each failed check, or one line if no check fails.
func verifyArchive(ctx context.Context, out io.Writer, in io.Reader) error {
	a, err := readArchive(in)
	if err == nil {
		_, err = a.Verify(ctx)
	}
	if a != nil {
		defer func() {
			for _, note := range a.Notes {
				fmt.Fprintf(out, "archive: note: %s\n", note)
			}
		}()
	}
	if err == nil {
		fmt.Fprintf(out, "archive: ok: %s\n", contents(a.Manifest))
		return nil
	}
	var all interface{ Unwrap() []error }
	faults := []error{err}
	if errors.As(err, &all) {
		faults = all.Unwrap()
	}
	for _, fault := range faults {
		fmt.Fprintf(out, "archive: FAILED: %s\n", request.ErrorText(ctx, fault))
	}
	return errors.New("verify: the archive failed the check")
}
