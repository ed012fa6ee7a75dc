package cluster

import (
	"context"
	"errors"
	"slices"
	"time"

	"meldhall/engine"
	"meldhall/tournament/game"
	"meldhall/tournament/store"
)

// Beat sends this node's heartbeat and divides the leases among the nodes that are present.
func (c *Cluster) Beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, leadMost)
	defer cancel()
	began := time.Now()
	all, err := c.games.DB.Nodes.Beat(ctx)
	if err != nil {
		return err
	}
	silent, there := map[string]int64{}, []store.Node{}
	for _, one := range all {
		if silent[one.Name] = one.Silent; one.Silent < goneFrom {
			there = append(there, one)
		}
	}
	c.mu.Lock()
	same := slices.EqualFunc(c.there, there, func(a, b store.Node) bool {
		a.Silent, a.Apart = b.Silent,
			b.Apart
		return a == b
	})
	c.there, c.beaten = there, began
	c.mu.Unlock()
	c.games.Log.SetWriters(len(there))
	if !same { // the set of nodes changed, and so what pages say about it
		c.games.Stood()
	}
	if next := c.lookAgain(all); next > 0 {
		time.AfterFunc(next, c.BeatSoon)
	}
	rows, err := leases(ctx, c.games.DB)
	if err != nil {
		return err
	}
	if err := c.noteOwed(ctx, rows); err != nil {
		return err
	}
	err = c.divide(ctx, rows, silent, shareOf(all))
	if todo := c.toBringBack(); len(todo) > 0 {
		c.bringing.Go(func() { c.bringBack(todo) })
	}
	if err != nil || !c.Owns(0) {
		return err
	}
	if len(all) > 2*len(there) {
		err = c.games.DB.Nodes.Forget(ctx)
	}
	return errors.Join(err, game.WriteHeartbeat(ctx, c.games.DB, c.games.DB.Millis()))
}

// lookAgain returns the time after which another node will have been silent long enough to be gone, or 0 if none will
// be before the next heartbeat.
func (c *Cluster) lookAgain(all []store.Node) (next time.Duration) {
	for _, one := range all {
		left := time.Duration(goneFrom-one.Silent) * time.Millisecond
		if one.Name != c.name && left > 0 && left < game.BeatEvery && (next == 0 || left < next) {
			next = left
		}
	}
	if next > 0 {
		next += goneMargin
	}
	return next
}

// shareOf returns how many leases a node may hold, counting the nodes that sent a heartbeat within the last two
// intervals.
func shareOf(all []store.Node) int {
	n := 0
	for _, one := range all {
		if one.Silent < 2*game.BeatEvery.Milliseconds() {
			n++
		}
	}
	n = max(n, 1)
	return (shards + n - 1) / n
}

// Hurry returns the channel that asks for a Beat before the next one is due.
func (c *Cluster) Hurry() <-chan struct{} { return c.soon }

// BeatSoon makes Games.Heartbeat check the leases at once. It does not block.
func (c *Cluster) BeatSoon() {
	select {
	case c.soon <- struct{}{}:
	default:
	}
}

// divide gives up the leases that exceed the number most, except those whose games are still being restored. It then
// takes free leases until this node holds that number. It also takes every lease that the other nodes have left free
// for longer than shareWaits, and every lease that it holds in the database only, because no other node can take it.
func (c *Cluster) divide(ctx context.Context, rows []leaseRow, silent map[string]int64, most int) error {
	mine, given := 0, []int64{}
	c.mu.Lock()
	for _, r := range rows {
		held := c.held[r.shard]
		switch ours := r.node == c.name && held.fence == r.fence; {
		case !ours:
			c.held[r.shard] = lease{}
		case mine >= most && held.back == backAll:
			given = append(given, r.shard)
		default:
			mine++
		}
	}
	c.mu.Unlock()
	if len(given) > 0 {
		if err := c.give(ctx, given); err != nil {
			return err
		}
		c.leased()
	}
	var free, left []freeLease
	for _, r := range rows {
		f, is, err := c.freeSince(ctx, r, silent)
		if err != nil {
			return err
		}
		if is {
			free = append(free, f)
		}
		if is && (f.waited > shareWaits || r.node == c.name) {
			left = append(left, f)
		}
	}
	if room := most - mine; room > len(left) {
		return c.take(ctx, free, room)
	}
	return c.take(ctx, left, len(left))
}

// freeSince reports whether a lease is free now, and when it became free.
func (c *Cluster) freeSince(ctx context.Context, r leaseRow, silent map[string]int64) (f freeLease, free bool,
	err error) {
	now := c.games.DB.Millis()
	quiet, known := silent[r.node]
	f = freeLease{shard: r.shard, fence: r.fence, since: r.at}
	switch {
	case r.node == c.name: // lost, or the outcome of taking it is unknown
		return f, c.kept(r.shard).fence == 0, nil
	case r.node == "" && r.at != 0:
		if f.waited = now - r.at; f.waited < goneFrom {
			f.since = 0
		}
		return f, true, nil
	case r.node != "" && known:
		f.since, f.waited = now-engine.Millis(quiet), engine.Millis(quiet)-goneFrom
		return f, quiet >= goneFrom, nil
	}
	f.since, err = game.LastHeartbeat(ctx, c.games.DB)
	return f, true, err
}

// HandOver releases all leases to the other nodes and tells them that this node is gone. Call it once, after Heartbeat
// has ended.
func (c *Cluster) HandOver(ctx context.Context) error {
	if c == nil {
		return nil
	}
	close(c.leaving)
	c.bringing.Wait()
	rows, err := leases(ctx, c.games.DB)
	err = errors.Join(err, c.noteOwed(ctx, rows))
	c.mu.Lock()
	c.held = [shards]lease{}
	c.mu.Unlock()
	_, left := c.games.DB.BeatSQL().ExecContext(ctx,
		`UPDATE leases SET node = '', fence = fence + 1, at = $1 WHERE node = $2`,
		c.games.DB.Millis(), c.name)
	err = errors.Join(err, left, c.games.DB.Nodes.Leave(ctx))
	c.leased()
	return err
}

// leased notifies the other nodes that leases are free.
func (c *Cluster) leased() {
	if c.SendLeases != nil {
		c.SendLeases()
	}
}
