package cluster

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"meldhall/tournament/game"
)

// toBringBack returns the shards, with their fences, whose games must be restored: those just taken over, and those
// that failed before.
func (c *Cluster) toBringBack() map[int64]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	todo := map[int64]int64{}
	for shard := range int64(shards) {
		if held := &c.held[shard]; held.fence != 0 && held.back == backToDo {
			held.back = backNow
			todo[shard] = held.fence
		}
	}
	return todo
}

// bringBack restores the games of shards that were taken over, as Boot does: players get back the time in which no node
// ran their clocks. A failure is retried with the next heartbeat, and the time stays owed even if the lease changes
// hands.
func (c *Cluster) bringBack(taken map[int64]int64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	go func() {
		select {
		case <-c.leaving:
			cancel()
		case <-ctx.Done():
		}
	}()
	failed := c.keepAll(ctx, taken)
	var paid []leaseRow
	for shard, fence := range taken {
		if failed[shard] == nil {
			paid = append(paid, leaseRow{shard: shard, fence: fence})
		}
	}
	err := c.setOwed(ctx, paid)
	for shard, fence := range taken {
		c.broughtBack(shard, fence, cmp.Or(failed[shard], err))
	}
	if err := c.games.StartWaiting(ctx, 0); err != nil && ctx.Err() == nil && !c.games.Closed() {
		slog.Error("starting some waiting games failed; the other games run", "err", err)
	}
}

// keepAll restores the running games of the given shards, and returns the errors of those shards where that failed.
func (c *Cluster) keepAll(ctx context.Context, taken map[int64]int64) (failed map[int64]error) {
	failed = map[int64]error{}
	ids, err := c.games.DB.IDs(ctx, `SELECT id FROM games WHERE status = $1 ORDER BY id`, game.Running)
	if err != nil {
		slog.Error("restarting taken-over games failed; retrying", "err", err)
		for shard := range taken {
			failed[shard] = err
		}
	}
	turn := make(chan struct{}, takenAtOne)
	var all sync.WaitGroup
	var mu sync.Mutex
	for _, id := range ids {
		if _, is := taken[shardOf(id)]; !is {
			continue
		}
		turn <- struct{}{}
		all.Go(func() {
			defer func() { <-turn }()
			err := c.games.Resume(ctx, id)
			if err != nil && ctx.Err() == nil {
				slog.Error("restarting a taken-over game failed; the other games run", "game", id, "err",
					err)
			}
			if ctx.Err() == nil && !game.IsStorage(err) { // a damaged log does not get better
				return
			}
			mu.Lock()
			defer mu.Unlock()
			failed[shardOf(id)] = err
		})
	}
	all.Wait()
	return failed
}

// broughtBack records that the games of a shard have been restored or, if failed is not nil, that a retry is needed.
func (c *Cluster) broughtBack(shard, fence int64, failed error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	held := &c.held[shard]
	if held.fence != fence {
		return
	}
	if held.back = backToDo; failed == nil {
		held.back, held.since = backAll, 0
	}
}
