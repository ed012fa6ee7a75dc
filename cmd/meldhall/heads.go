package main

import (
	"context"
	"fmt"
	"io"

	"meldhall/tournament/storage"
)

// printHeads prints the hash that covers each event, to be compared with what was published of it.
func printHeads(ctx context.Context, out io.Writer, store *storage.DB) error {
	events, err := store.IDs(ctx, `SELECT id FROM tournaments WHERE practice = '' AND rehearses = 0 AND removed_at = 0 ORDER BY id`)
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
