package main

import (
	"context"
	"fmt"
	"io"

	"meldhall/tournament/archive"
	"meldhall/tournament/store"
)

// printHeads prints the head of each tournament, for comparison with a published one.
func printHeads(ctx context.Context, out io.Writer, db *store.DB) error {
	events, err := archive.Events(ctx, db)
	if err != nil {
		return err
	}
	for _, id := range events {
		records, games, err := store.HeadsOf(ctx, db.ReadSQL, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "event %d: head %s\n", id, store.EventHead(records, games))
	}
	return nil
}
