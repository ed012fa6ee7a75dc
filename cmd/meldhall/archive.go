package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"meldhall/cmd/internal/prepare"
	"meldhall/tournament/action"
	"meldhall/tournament/archive"
	"meldhall/tournament/textrecord"
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

// trust compares a verified archive with the states of witnesses, and with a policy if there is one.
func trust(a *archive.Archive, by trusting) ([]archive.Basis, error) {
	if err := compareWithWitnesses(a, by.states); err != nil || by.policy == "" {
		return nil, err
	}
	p, err := readPolicy(by.policy)
	if err != nil {
		return nil, err
	}
	basis, err := a.Trust(p)
	if err != nil {
		err = fmt.Errorf("policy %s: %w", by.policy, err)
	}
	return basis, err
}

// verifyArchive checks an archive, and writes one line for each failed check, or one line if no check fails.
func verifyArchive(ctx context.Context, out io.Writer, in io.Reader, by trusting) error {
	a, err := readArchive(in)
	if err == nil {
		_, err = a.Verify(ctx)
	}
	var basis []archive.Basis
	if err == nil {
		basis, err = trust(a, by)
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
		for _, b := range basis {
			fmt.Fprintf(out, "%s: rests on %s\n", b.Fact, b.On)
		}
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

// recordCmd is the command meldhall record.
type recordCmd struct {
	File string `arg:"" help:"A game as JSON (GET /api/v1/games/ID/export, or games/ in an archive) or as text, or - for standard input."`
}

// Help returns the text of meldhall record --help.
func (recordCmd) Help() string {
	return "Prints a game in its other form. A game in JSON becomes text with one line per turn, such as\n" +
		"12. S2 8.25s play R4 R5 R6 +R7. A text becomes JSON. JSON to text to JSON gives the same bytes.\n" +
		"A text can be written by hand. Its tag rules may name a preset, as in [rules \"wrc\"]. An error names the\n" +
		"line, the column and what was expected. The text is specified in data/record/text.md.\n" +
		"This command does not judge a record: meldhall verify does."
}

// Run converts the file and prints the result.
func (c recordCmd) Run() error {
	file, err := openGiven(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	record, err := io.ReadAll(io.LimitReader(withoutMark(file), textrecord.MostBytes+1))
	if err != nil {
		return err
	}
	converted, err := convertRecord(record)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	_, err = os.Stdout.Write(converted)
	return err
}

// convertRecord converts a record in JSON to text, and a text to JSON.
func convertRecord(record []byte) ([]byte, error) {
	if !textrecord.IsText(record) {
		text, _, err := textrecord.ToText(record)
		return text, err
	}
	presets, err := prepare.Presets("")
	if err != nil {
		return nil, err
	}
	return textrecord.ToJSON(record, presets.Rules)
}
