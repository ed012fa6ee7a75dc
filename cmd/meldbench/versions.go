package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"meldhall/cmd/internal/client"
)

// versionsCmd is the command meldbench versions.
type versionsCmd struct {
	Last int `help:"Number of earlier schema versions to test." default:"3"`
}

// Help returns the text of meldbench versions --help.
func (versionsCmd) Help() string {
	return "Builds the program from the commits before each of the last schema changes in the history of the " +
		"current checkout.\n" +
		"Each of them plays an event into a file. The current program must migrate the file, keeping a copy, and " +
		"verify it;\n" +
		"the earlier program must refuse the migrated file with an explanation."
}

// Run tries all versions.
func (c versionsCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return c.report(ctx, os.Stdout)
}

// migrations is the folder of schema migrations.
const migrations = "tournament/store/migrations/sqlite3"

func (c versionsCmd) report(ctx context.Context, out io.Writer) error {
	if c.Last < 1 {
		return errors.New("versions: --last must be 1 or more")
	}
	files, err := filepath.Glob(migrations + "/*.sql")
	if err != nil || len(files) < c.Last {
		return errors.Join(err, fmt.Errorf("versions: found %d schema changes: run this in a checkout",
			len(files)))
	}
	slices.Sort(files)
	dir, err := os.MkdirTemp("", "meldhall-versions-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	now, err := buildProgram(ctx, dir)
	if err != nil {
		return err
	}
	for _, change := range files[len(files)-c.Last:] {
		said, err := c.try(ctx, now, filepath.Join(dir, filepath.Base(change)), change)
		if err != nil {
			return fmt.Errorf("the program before %s: %w", filepath.Base(change), err)
		}
		fmt.Fprintf(out, "before %s\t%s\n", filepath.Base(change), said)
	}
	return nil
}

// try checks that the current program upgrades the file of an older version, and that the older version refuses the
// result.
func (c versionsCmd) try(ctx context.Context, now, dir, change string) (said string, err error) {
	added, err := run(ctx, "git", "-C", checkout, "log", "--follow", "--diff-filter=A", "--format=%H", "--", change)
	if err != nil {
		return "", err
	}
	source, older, db := filepath.Join(dir, "source"), filepath.Join(dir, "meldhall"), filepath.Join(dir, "event.db")
	if _, err := run(ctx, "git", "worktree", "add", "--detach", source, strings.Fields(added)[0]+"^"); err != nil {
		return "", err
	}
	defer func() { _, _ = run(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", source) }()
	if _, err := run(ctx, "go", "build", "-C", source, "-o", older, "./cmd/meldhall"); err != nil {
		return "", err
	}
	if _, err := run(ctx, older, "simulate", "--players", "16", "--db", db); err != nil {
		return "", err
	}
	began := time.Now()
	var log bytes.Buffer
	server, err := client.StartServer(ctx, now, db, false, &log)
	if err != nil {
		return "", fmt.Errorf("migrating its file failed: %w\n%s", err, log.Bytes())
	}
	took := time.Since(began)
	if err := server.Stop(); err != nil {
		return "", err
	}
	kept, err := filepath.Glob(filepath.Join(dir, "backups", "*-of-version-*.db"))
	if err != nil || len(kept) != 1 {
		return "", fmt.Errorf("%d copies from before the migration are kept, %w", len(kept), err)
	}
	for _, file := range []string{db, kept[0]} {
		if _, err := run(ctx, now, "verify", "--all", "--db", file); err != nil {
			return "", err
		}
	}
	limited, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	refused, err := run(limited, older, "serve", "--db", db, "--listen", "127.0.0.1:0")
	if err == nil || limited.Err() != nil || !strings.Contains(err.Error(), "newer") {
		return "", fmt.Errorf("it did not refuse a newer file: %w\n%s", err, refused)
	}
	return fmt.Sprintf("migrated in %v, verified together with the kept copy; refuses the newer file",
		took.Round(time.Millisecond)), nil
}

// run runs a command and returns its output.
func run(ctx context.Context, name string, args ...string) (string, error) {
	said, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), args[0], err, said)
	}
	return string(said), nil
}

// buildAt builds the program of a commit, branch or tag into a folder.
func buildAt(ctx context.Context, dir, commit string) (exe string, err error) {
	source := filepath.Join(dir, "source")
	if _, err := run(ctx, "git", "worktree", "add", "--detach", source, commit); err != nil {
		return "", err
	}
	defer func() { _, _ = run(context.WithoutCancel(ctx), "git", "worktree", "remove", "--force", source) }()
	exe = filepath.Join(dir, "meldhall-beside")
	_, err = run(ctx, "go", "build", "-C", source, "-o", exe, "./cmd/meldhall")
	return exe, err
}
