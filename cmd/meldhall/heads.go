package main

import (
	"context"
	"fmt"
	"io"

	"meldhall/tournament/archive"
	"meldhall/tournament/storage"
)

// printHeads prints the head of each event, for comparison with a published one.
func printHeads(ctx context.Context, out io.Writer, store *storage.DB) error {
	events, err := archive.Events(ctx, store)
	if err != nil {
		return err
	}
	for _, id := range events {
		records, games, err := storage.HeadsOf(ctx, store.ReadSQL, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "event %d: head %s\n", id, storage.EventHead(records, games))
	}
	return nil
}
