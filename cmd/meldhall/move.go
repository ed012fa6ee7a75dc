package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"meldhall/tournament/export"
	"meldhall/tournament/store"
)

// moveCmd is the command meldhall move.
type moveCmd struct {
	From string `arg:"" help:"The database to move from: a file, or postgres://user:password@host/name."`
	To   string `arg:"" help:"The database to move to, of either kind. It must be empty."`
}

// Help returns the text of meldhall move --help.
func (moveCmd) Help() string {
	return "Copies all data in one transaction while no server runs. Then it compares rows and checksums of each " +
		"table and runs the checks of\n" +
		"verify --all. The old database stays unchanged; do not serve it again once the new one is served."
}

// Run copies a database to another one.
func (c moveCmd) Run() error { return c.move(context.Background(), os.Stdout) }

func (c moveCmd) move(ctx context.Context, out io.Writer) (err error) {
	if _, gone := os.Stat(c.From); gone != nil && !store.IsServer(c.From) {
		return fmt.Errorf("move: %w", gone)
	}
	_, missing := os.Stat(c.To)
	to, err := store.OpenToFill(c.To)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, to.Close())
		if err != nil && missing != nil && !store.IsServer(c.To) { // do not leave an incomplete file behind
			err = errors.Join(err, os.Remove(c.To), os.Remove(c.To+".lock"))
		}
	}()
	from, err := store.OpenAlone(c.From)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	tables, err := from.CarryTo(ctx, to)
	if err != nil {
		return fmt.Errorf("move: %w. Nothing was written to %s", err, store.Shown(c.To))
	}
	var rows int64
	for _, t := range tables {
		rows += t.Rows
	}
	fmt.Fprintf(out, "%d rows of %d tables copied and compared\n", rows, len(tables))
	damage := verifyFile(ctx, out, to)
	games, err := export.GameIDs(ctx, to)
	if err == nil {
		err = verifyGames(ctx, out, to, games)
	}
	if err = errors.Join(damage, err); err != nil {
		return fmt.Errorf("%w. %s is unchanged: keep using it", err, store.Shown(c.From))
	}
	fmt.Fprintf(out, "Serve %s from now on. %s is unchanged; do not serve it again.\n", store.Shown(c.To),
		store.Shown(c.From))
	return nil
}
